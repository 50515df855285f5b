"""Ruby: nothing is built."""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import Command, Idioms, Language, Sources, Tool, main_source, nothing
from referee.languages.sdk import Sdk

_SUFFIXES: Final = (".rb",)
_NAMED: Final = re.compile(
    r"""^[ \t]*(?:require_relative[ \t]*\(?[ \t]*["'](?:\./)?|(?:require|load)[ \t]*\(?[ \t]*["']\./)([^"'/\n]+)["']""",
    re.MULTILINE,
)


def _runs(sources: Sources, _sdk: Sdk | None) -> Command:
    return ("ruby", main_source(sources, _SUFFIXES, "Ruby", _NAMED))


LANGUAGE: Final = Language(
    name="ruby",
    title="Ruby",
    suffixes=_SUFFIXES,
    compiler=None,
    runner=Tool(("ruby",), "ruby"),
    sdk=None,
    builds=nothing,
    runs=_runs,
    finds_sdk="RUBYLIB",
    idioms=Idioms(
        flush="puts answer; $stdout.flush",
        log="warn text",
        read="gets for each line, not STDIN.read",
    ),
)
