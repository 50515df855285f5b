"""Rust: one source and the modules that it names. A bot with crates needs its own `build`, and has the crates in its folder."""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import OUTPUT, Idioms, Language, Tool

_NAMED: Final = re.compile(r"^[^\S\n]*(?:pub(?:\([^)\n]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)

LANGUAGE: Final = Language(
    name="rust",
    title="Rust",
    suffixes=(".rs",),
    compiler=Tool(("rustc",), "rustc"),
    builds=lambda sources: (("rustc", "--edition", "2021", "-O", "-o", OUTPUT, sources.main(_NAMED)),),
    error=re.compile(r"^error\b"),
    idioms=Idioms(
        flush='println!("{answer}") and std::io::stdout().flush()',
        log="eprintln!(...)",
        read="stdin().read_line(&mut line) for each line, not read_to_string",
    ),
)
