"""C: all sources at the top of the folder become one program, with the library of mathematics."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from referee.languages.language import OUTPUT, Command, Idioms, Language, Sources, Tool, itself, top_sources
from referee.languages.sdk import Sdk
from referee.languages.spelling import FileReference, Spelling

_SUFFIXES: Final = (".c",)
_SYSTEM: Final = (
    "assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|memory|search|setjmp|signal|std[a-z]+|strings?|threads|"
    "time|unistd|w?char|wctype"
)
"""Headers of the system, which some sources put in quotes: `"string.h"` is not a bot's own `String.h`."""
_INCLUDE: Final = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*"(?!(?:{_SYSTEM})\.h")([^"\n]{{1,200}})"', re.MULTILINE)


def _asks(name: str, text: str) -> Iterator[FileReference]:
    for header in _INCLUDE.findall(text):
        yield FileReference((posixpath.normpath(posixpath.join(posixpath.dirname(name), header)),), (header,))


INCLUDES: Final = Spelling(_asks, (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl"), '#include "%s"\n')
"""How sources in C and C++ ask for headers."""


def _builds(sources: Sources, _sdk: Sdk | None) -> tuple[Command, ...]:
    return (("gcc", "-std=c17", "-O2", "-pipe", "-o", OUTPUT, *top_sources(sources, _SUFFIXES, "C"), "-lm"),)


LANGUAGE: Final = Language(
    name="c",
    title="C",
    suffixes=_SUFFIXES,
    compiler=Tool(("gcc", "clang", "cc"), "gcc"),
    runner=None,
    sdk=None,
    builds=_builds,
    runs=itself,
    spelling=INCLUDES,
    idioms=Idioms(
        flush="fflush(stdout) after each printf, or setvbuf(stdout, NULL, _IOLBF, 0) at the start",
        log="fprintf(stderr, ...)",
        read="fgets(line, sizeof line, stdin) for each line; a scanf format that ends with a space or \\n reads too far",
    ),
)
