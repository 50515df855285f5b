"""Java: compiles all sources at the top of the folder; those of the SDK and of packages below are compiled as needed.

The bot is the class `Main`, or else the only class that extends `JBot` (or `Jbot`, as a contest spells it), directly or not, or
else the only class with a `main`.
In a single file, the class with the name of the file comes first. A class that certainly cannot start is passed over: neither
it nor its base classes have a `main`. A base class that is not at the top of the folder may have one.

Sources are a stranger's: each is read in time that grows with its length, and not with the square of that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import PurePath
from typing import Final

from referee.languages.language import OWN_COMMANDS, Command, Idioms, Language, NoRecipeError, Sources, Tool, listing

_QUICK: Final = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
"""Options for the compiler's own virtual machine, which runs for only about a second: they save more than half of that."""
_NOISE: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*+\"?", re.DOTALL)
_PACKAGE: Final = re.compile(r"^[^\S\n]*package\s+([\w.]+)\s*;", re.MULTILINE)
_PIECE: Final = re.compile(r"([^{;}]*+)([{;}]|\Z)")
_CLASS: Final = re.compile(
    r"(\babstract\s{1,20}(?:[\w-]{1,20}\s{1,20}){0,4})?\b(?:class|record|enum|interface)\s+([^\W\d]\w*)(.*)", re.DOTALL
)
"""In a piece that ends with an opening brace: the class that it declares."""
_BASE: Final = re.compile(r"\bextends\s+(?:\w+\s*\.\s*)*(\w+)")
_MAIN: Final = re.compile(r"\bvoid\s+main\s*\(")
"""Without `static`, because newer Java versions start such a `main` too."""
_SDK: Final = frozenset({"JBot", "Jbot", "JBotBase"})
_MOST_BASES: Final = 50
"""The most base classes of a class. In a source that does not compile, they may form a circle."""
_CONTEST: Final = "contest"
"""The folder of the SDK with `Jbot`, which may not be beside `JBot`: some file systems ignore case."""


def _builds(sources: Sources) -> tuple[Command, ...]:
    sdk = sources.sdk
    path = ":".join([*([sdk.folder, sdk.file(_CONTEST)] if sdk is not None else []), "."])
    return (("javac", *_QUICK, "-encoding", "UTF-8", "-d", ".", "-cp", ".", "-sourcepath", path, *sources.top()),)


def main_class(sources: Sources) -> str:
    """The class that is the bot, with its package. Raises: NoRecipeError: no class, or more than one, could be the bot."""
    names = sources.top()
    plain = {name: _NOISE.sub(" ", sources.texts[name]) for name in names}
    classes = {name: _classes(text) for name, text in plain.items()}
    every = {own: declared for inside in classes.values() for own, declared in inside.items()}
    usual_names = [PurePath(names[0]).stem, "Main"] if len(names) == 1 else ["Main"]
    for class_name, name in product(usual_names, names):
        if class_name in classes[name] and _may_start(class_name, every):
            return _qualified_name(class_name, plain[name])
    bots = [
        (name, own)
        for name in names
        for own, declared in classes[name].items()
        if not declared.is_abstract and _with_bases(own, every)[-1] in _SDK
    ]
    with_main = [(name, _main_class(plain[name])) for name in names if _MAIN.search(plain[name])]
    candidates = bots or with_main
    if len(candidates) == 1:
        return _qualified_name(candidates[0][1], plain[candidates[0][0]])
    if not candidates:
        raise NoRecipeError("no class extends JBot or has a main: let the bot's class do so, or write `run`")
    which = listing([own for _, own in candidates])
    raise NoRecipeError(f"{which} could each be the bot: call its class Main, or {OWN_COMMANDS}")


@dataclass(frozen=True, slots=True)
class _Class:
    """A class as its source declares it: its base class, if any, and whether the same source has a `main`."""

    base: str | None
    is_abstract: bool
    has_main: bool


def _classes(text: str) -> dict[str, _Class]:
    has_main = _MAIN.search(text) is not None
    classes = {}
    for match in filter(None, map(_declaration, _PIECE.finditer(text))):
        base = _BASE.search(_without_generics(match[3]))
        classes[match[2]] = _Class(base[1] if base is not None else None, match[1] is not None, has_main)
    return classes


def _declaration(piece: re.Match[str]) -> re.Match[str] | None:
    return _CLASS.search(piece[1]) if piece[2] == "{" else None


def _without_generics(text: str) -> str:
    depth, plain = 0, []
    for part in re.split("([<>])", text):
        if part in {"<", ">"}:
            depth += 1 if part == "<" else -1
        elif not depth:
            plain.append(part)
    return " ".join(plain)


def _with_bases(name: str, every: Mapping[str, _Class]) -> list[str]:
    """A class, its base class, the base class of that, …, up to the first that is not here, at most `_MOST_BASES`."""
    line = [name]
    while line[-1] in every and (base := every[line[-1]].base) is not None and len(line) < _MOST_BASES:
        line.append(base)
    return line


def _may_start(name: str, every: Mapping[str, _Class]) -> bool:
    """Whether a class has or inherits a `main`, or extends what cannot be seen."""
    line = _with_bases(name, every)
    return line[-1] not in every or any(every[own].has_main for own in line)


def _main_class(text: str) -> str:
    """The class that a source's `main` stands in: the outermost that is still open there."""
    at = _MAIN.search(text)
    assert at is not None
    blocks: list[re.Match[str] | None] = []
    for piece in _PIECE.finditer(text, 0, at.start()):
        if piece[2] == "{":
            blocks.append(_declaration(piece))
        elif piece[2] == "}" and blocks:
            blocks.pop()
    return next((block[2] for block in blocks if block is not None), "Main")


def _qualified_name(name: str, text: str) -> str:
    package = _PACKAGE.search(text)
    return f"{package[1]}.{name}" if package is not None else name


LANGUAGE: Final = Language(
    name="java",
    title="Java",
    suffixes=(".java",),
    compiler=Tool(("javac",), "default-jdk-headless", ("-version",)),
    runner=Tool(("java",), "default-jdk-headless", ("-version",)),
    sdk="java",
    builds=_builds,
    runs=lambda sources: ("java", main_class(sources)),
    bare=True,
    error=re.compile(r"\berror:"),
    advice={
        re.compile(r"symbol:\s+class (?:J[Bb]ot|AreaInfo)\b"): "the SDK has no package: take out the `package` line",
    },
    idioms=Idioms(
        flush="System.out.println(answer); System.out.flush(); a writer of your own needs flush() too",
        log="System.err.println(...)",
        read="BufferedReader.readLine() for each line",
    ),
)
