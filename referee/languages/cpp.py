"""C++: all sources at the top of the folder become one program; headers may lie anywhere below it."""

from __future__ import annotations

from typing import Final

from referee.languages.language import OUTPUT, Command, Language, Sources, Tool, itself, some

_SUFFIXES: Final = (".cpp", ".cc", ".cxx")


def _builds(sources: Sources, sdk: str | None) -> tuple[Command, ...]:
    include = ("-I", sdk) if sdk is not None else ()
    return (("g++", "-std=c++20", "-O2", "-pipe", *include, "-o", OUTPUT, *some(sources, _SUFFIXES, "C++")),)


LANGUAGE: Final = Language(
    name="cpp",
    title="C++",
    suffixes=_SUFFIXES,
    compiler=Tool(("g++", "clang++", "c++"), "g++"),
    runner=None,
    sdk="cpp",
    builds=_builds,
    runs=itself,
    flat=True,
)
