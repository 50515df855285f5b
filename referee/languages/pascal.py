"""Pascal: one source is the program, the others are units that it uses. Free Pascal takes the file's suffix as it is."""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import (
    OUTPUT,
    OWN_COMMANDS,
    Command,
    Language,
    NoRecipeError,
    Sources,
    Tool,
    itself,
    listed,
    some,
)

_SUFFIXES: Final = (".pas", ".pp")
_BEFORE: Final = re.compile(r"\ufeff|\s+|//[^\n]*|\{[^}]*\}|\(\*.*?\*\)", re.DOTALL)
"""What may stand in front of the first word: comments, directives, blanks."""
_UNIT: Final = re.compile(r"(?i)(?:unit|library|package)\b")
_LIBRARY: Final = re.compile(r"(?i)library\b")
_PROGRAM: Final = re.compile(r"(?i)program\b")


def _builds(sources: Sources, sdk: str | None) -> tuple[Command, ...]:
    # -gl: when a bot crashes its log tells the line; it takes room on the disk, and no time.
    units = (f"-Fu{sdk}",) if sdk is not None else ()
    return (("fpc", "-O2", "-gl", *units, "-FU.", f"-o{OUTPUT}", program(sources)),)


def program(sources: Sources) -> str:
    """The source that is the program.

    `main.pas`; else the only one that begins with `program`; else the only one that begins with no other word for a module
    (`program` may be left out in Pascal).

    Raises:
        NoRecipeError: there is none, or more than one.
    """
    names = some(sources, _SUFFIXES, "Pascal")
    starts = {name: _first_word(sources[name]) for name in names}
    if named := [name for name in names if name in {f"main{suffix}" for suffix in _SUFFIXES}]:
        if _LIBRARY.match(starts[named[0]]):
            raise NoRecipeError(
                f"{named[0]} is a library, and nothing here loads it: begin it with `program NAME;`, or {OWN_COMMANDS}"
            )
        return named[0]
    found = [name for name in names if _PROGRAM.match(starts[name])]
    found = found or [name for name in names if not _UNIT.match(starts[name])]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoRecipeError(f"{listed(names)} are units, none is a program: begin one with `program NAME;`")
    raise NoRecipeError(f"{listed(found)} are programs: call the bot's main.pas, or {OWN_COMMANDS}")


def _first_word(text: str) -> str:
    at = 0
    while (match := _BEFORE.match(text, at)) is not None and match.end() > at:
        at = match.end()
    return text[at : at + 20]


LANGUAGE: Final = Language(
    name="pascal",
    title="Pascal",
    suffixes=_SUFFIXES,
    compiler=Tool(("fpc",), "fpc", ("-iV",)),
    runner=None,
    sdk="pascal",
    builds=_builds,
    runs=itself,
    error=re.compile(r"\b(?:Error|Fatal):"),
    missing=re.compile(r"can't find unit (\w+)", re.IGNORECASE),
    flat=True,
)
