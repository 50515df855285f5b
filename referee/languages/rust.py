"""Rust: one source and the modules that it names. A bot with crates needs its own `build`, and has the crates in its folder."""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import OUTPUT, Command, Idioms, Language, Sources, Tool, itself, main_source
from referee.languages.sdk import Sdk

_SUFFIXES: Final = (".rs",)
_NAMED: Final = re.compile(r"^[^\S\n]*(?:pub(?:\([^)\n]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)


def _builds(sources: Sources, _sdk: Sdk | None) -> tuple[Command, ...]:
    return (("rustc", "--edition", "2021", "-O", "-o", OUTPUT, main_source(sources, _SUFFIXES, "Rust", _NAMED)),)


LANGUAGE: Final = Language(
    name="rust",
    title="Rust",
    suffixes=_SUFFIXES,
    compiler=Tool(("rustc",), "rustc"),
    runner=None,
    sdk=None,
    builds=_builds,
    runs=itself,
    error=re.compile(r"^error\b"),
    idioms=Idioms(
        flush='println!("{answer}") and std::io::stdout().flush()',
        log="eprintln!(...)",
        read="stdin().read_line(&mut line) for each line, not read_to_string",
    ),
)
