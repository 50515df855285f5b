"""Pascal: one source is the program, the others are units that it uses.

1. A Delphi project (`.dpr`) is compiled in Delphi mode, in which an Integer has 32 bits.
2. A library plays if the SDK has a host for a unit that it uses: the host becomes the program and loads the library.
3. If a program has a unit of its own that hides the SDK's unit, the host's unit is added and plays in its place.
4. Templates with hosts were written for Delphi, so 2 and 3 are compiled in Delphi mode too.
5. Delphi writes `{$R *.res}` into every project. It names a resource file with an icon and a version, which contestants leave
   out. Free Pascal stops there, so the build creates an empty resource file if it is missing.
6. Free Pascal looks for a unit under its name as it is written, in small letters, and in capital letters. The build finds
   other spellings too (`spelling.py`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from referee.languages.language import (
    OUTPUT,
    OWN_COMMANDS,
    Command,
    Idioms,
    Language,
    NoRecipeError,
    Sources,
    Tool,
    listing,
)
from referee.languages.spelling import FileReference, Spelling

LIBRARY: Final = f"{OUTPUT}.so"
"""The library that a host loads, in the folder of the program."""
_PROJECT: Final = ".dpr"
_DELPHI: Final = ("-Mdelphi",)
_SUFFIXES: Final = (".pas", ".pp", _PROJECT, ".lpr")
_BEFORE: Final = re.compile(r"\ufeff|\s+|//[^\n]*|\{[^}]*\}|\(\*.*?\*\)", re.DOTALL)
"""What may come before the first word: comments, directives, white space."""
_COMMENT: Final = re.compile(r"'[^'\n]*'|//[^\n]*|\{[^}]*\}?|\(\*.*?(?:\*\)|\Z)", re.DOTALL)
_UNIT: Final = re.compile(r"(?i)(?:unit|package)\b")
_LIBRARY: Final = re.compile(r"(?i)library\b")
_PROGRAM: Final = re.compile(r"(?i)program\b")
_RESOURCE: Final = re.compile(r"(?:\{|\(\*)\$R(?:ESOURCE)?\s+'?\*(\.res)\b", re.IGNORECASE)
_EMPTY: Final = r"\0\0\0\0\040\0\0\0\377\377\0\0\377\377" + r"\0" * 18
"""A resource file without resources, as an argument of printf: the 32 bytes with which every such file begins."""
_USES: Final = re.compile(r"(?is)\buses\b(.+)")
"""In what stands before a semicolon: the names of units."""
_FILE: Final = re.compile(
    r"(?i)\bin\s*'([^'\n]{1,200})'|(?:\{|\(\*)\$I(?:NCLUDE)?\s++'?([^'}*\n]{1,200}+)'?\s*(?:\}|\*\))"
)
"""Matches the file of a unit in `uses`, and an included file."""


def _builds(sources: Sources) -> tuple[Command, ...]:
    # -gl: if the bot crashes, its log names the line. This costs disk space, but no time.
    name, sdk = program(sources), sources.sdk
    used = {unit.lower() for source in sources.texts.values() for unit in _units(source)}  # Pascal ignores case
    hosts = [host for host in sources.hosts if host.module.lower() in used]
    resources = _resources(sources)
    compiler = ("fpc", "-O2", "-gl", *([f"-Fu{sdk.folder}"] if sdk is not None else []), "-FU.")
    if _LIBRARY.match(_first_word(sources.texts[name])):
        loading = [sdk.file(host.program) for host in hosts if sdk is not None and host.program is not None]
        if not loading:
            raise NoRecipeError(
                f"{name} is a library, and nothing here loads it: begin it with `program NAME;`, or {OWN_COMMANDS}"
            )
        # -Cg: position-independent code, for a library.
        return *resources, (*compiler, *_DELPHI, "-Cg", f"-o{LIBRARY}", name), (*compiler, f"-o./{OUTPUT}", loading[0])
    along = [PurePath(host.along).stem for host in hosts if host.along is not None and sources.has(host.serves)]
    is_project = PurePath(name).suffix.lower() == _PROJECT
    # After a unit that it has to compile, Free Pascal 3.2 ends with an internal error at `uses X in 'X.pas'`.
    added = (*_DELPHI, f"-Fa{','.join(along)},SysUtils") if along else _DELPHI if is_project else ()
    return *resources, (*compiler, *added, f"-o{OUTPUT}", name)


def program(sources: Sources) -> str:
    """The source of the program, or of the library that a host loads.

    It is `main` with one of the suffixes, or else the only source that begins with `program`, or else the only one that is
    neither a unit nor a library (Pascal allows a program without `program`), or else the only library.

    Raises:
        NoRecipeError: no source, or more than one, could be the program.
    """
    names = sources.top()
    starts = {name: _first_word(sources.texts[name]) for name in names}
    if named := [name for name in (f"main{suffix}" for suffix in _SUFFIXES) if name in names]:
        return named[0]
    programs = [name for name in names if _PROGRAM.match(starts[name])]
    libraries = [name for name in names if _LIBRARY.match(starts[name])]
    unmarked = [name for name in names if not _UNIT.match(starts[name]) and name not in libraries]
    candidates = programs or unmarked or libraries
    if len(candidates) > 1:
        candidates = [name for name in candidates if PurePath(name).stem.lower() == "main"] or candidates
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise NoRecipeError(f"{listing(names)} are units, none is a program: begin one with `program NAME;`")
    raise NoRecipeError(f"{listing(candidates)} could each be the program: call the bot's main.pas, or {OWN_COMMANDS}")


def _first_word(text: str) -> str:
    at = 0
    while (match := _BEFORE.match(text, at)) is not None and match.end() > at:
        at = match.end()
    return text[at : at + 20]


def _units(text: str) -> dict[str, None]:
    """The units that a source uses, each once, as it spells them."""
    clauses = filter(None, map(_USES.search, _COMMENT.sub(" ", text).split(";")[:-1]))
    return {words[0]: None for clause in clauses for part in clause[1].split(",") if (words := part.split())}


def _asks(name: str, text: str) -> Iterator[FileReference]:
    for unit in _units(text):
        files = tuple(file for suffix in (".pas", ".pp") for file in _file_names(unit + suffix))
        yield FileReference(files, files)
    for groups in _FILE.findall(text):
        path = "".join(groups).strip().replace("\\", "/")
        yield FileReference((posixpath.normpath(posixpath.join(posixpath.dirname(name), path)),))


def _file_names(name: str) -> tuple[str, str, str]:
    """The names that the compiler tries for the file of a unit (point 6)."""
    return name.lower(), name, name.upper()


def _resources(sources: Sources) -> tuple[Command, ...]:
    """The commands that create missing resource files of the sources at the top of the folder (point 5)."""
    top = {name: text for name, text in sources.texts.items() if "/" not in name}
    files = {PurePath(name).stem + suffix for name, text in top.items() for suffix in _RESOURCE.findall(text)}
    return tuple(("sh", "-c", f"""[ -e "$0" ] || printf '{_EMPTY}' >"$0\"""", name) for name in sorted(files))


LANGUAGE: Final = Language(
    name="pascal",
    title="Pascal",
    suffixes=_SUFFIXES,
    compiler=Tool(("fpc",), "fpc", ("-iV",)),
    sdk="pascal",
    builds=_builds,
    any_case=True,
    spelling=Spelling(_asks, (".inc",), "{$I '%s'}\n"),
    error=re.compile(r"\b(?:Error|Fatal):"),
    idioms=Idioms(
        flush="writeln(answer); flush(output)",
        log="writeln(stderr, ...)",
        read="readln(line) for each line; read and seekeof wait for what comes next",
    ),
)
