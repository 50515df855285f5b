"""C: all sources at the top of the folder become one program, with the library of mathematics."""

from __future__ import annotations

from typing import Final

from referee.languages.language import OUTPUT, Command, Idioms, Language, Sources, Tool, itself, some
from referee.languages.sdk import Sdk

_SUFFIXES: Final = (".c",)


def _builds(sources: Sources, _sdk: Sdk | None) -> tuple[Command, ...]:
    return (("gcc", "-std=c17", "-O2", "-pipe", "-o", OUTPUT, *some(sources, _SUFFIXES, "C"), "-lm"),)


LANGUAGE: Final = Language(
    name="c",
    title="C",
    suffixes=_SUFFIXES,
    compiler=Tool(("gcc", "clang", "cc"), "gcc"),
    runner=None,
    sdk=None,
    builds=_builds,
    runs=itself,
    flat=True,
    idioms=Idioms(
        flush="fflush(stdout) after each printf, or setvbuf(stdout, NULL, _IOLBF, 0) at the start",
        log="fprintf(stderr, ...)",
        read="fgets(line, sizeof line, stdin) for each line; a scanf format that ends with a blank or \\n reads too far",
    ),
)
