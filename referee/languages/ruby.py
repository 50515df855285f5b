"""Ruby: nothing is built."""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import Idioms, Language, Tool

_NAMED: Final = re.compile(
    r"""^[ \t]*(?:require_relative[ \t]*+\(?[ \t]*["'](?:\./)?|(?:require|load)[ \t]*+\(?[ \t]*["']\./)([^"'/\n]+)["']""",
    re.MULTILINE,
)

LANGUAGE: Final = Language(
    name="ruby",
    title="Ruby",
    suffixes=(".rb",),
    runner=Tool(("ruby",), "ruby"),
    runs=lambda sources: ("ruby", sources.main(_NAMED)),
    finds_sdk="RUBYLIB",
    idioms=Idioms(
        flush="puts answer; $stdout.flush",
        log="warn text",
        read="gets for each line, not STDIN.read",
    ),
)
