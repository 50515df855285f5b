"""C: all sources at the top of the folder become one program, with the library of mathematics."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from referee.languages.language import OUTPUT, Idioms, Language, Tool
from referee.languages.spelling import FileReference, Spelling

_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,200})"', re.MULTILINE)


def _asks(name: str, text: str) -> Iterator[FileReference]:
    for header in _INCLUDE.findall(text):
        yield FileReference((posixpath.normpath(posixpath.join(posixpath.dirname(name), header)),), (header,))


INCLUDES: Final = Spelling(_asks, (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl"), '#include "%s"\n')
"""How sources in C and C++ ask for headers."""

LANGUAGE: Final = Language(
    name="c",
    title="C",
    suffixes=(".c",),
    compiler=Tool(("gcc", "clang", "cc"), "gcc"),
    builds=lambda sources: (("gcc", "-std=c17", "-O2", "-pipe", "-o", OUTPUT, *sources.top(), "-lm"),),
    spelling=INCLUDES,
    idioms=Idioms(
        flush="fflush(stdout) after each printf, or setvbuf(stdout, NULL, _IOLBF, 0) at the start",
        log="fprintf(stderr, ...)",
        read="fgets(line, sizeof line, stdin) for each line; a scanf format that ends with a space or \\n reads too far",
    ),
)
