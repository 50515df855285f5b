"""Java: compiles all sources at the top of the folder; those of the SDK and of packages below are compiled as needed.

The bot is the class with the name of the only file, or else `Main`, or else the only class that extends `JBot` (or `Jbot`, as a
contest spells it), or else the only class with a `main`.

Sources are a stranger's: each is read in time that grows with its length, and not with the square of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from referee.languages.language import OWN_COMMANDS, Command, Idioms, Language, NoRecipeError, Sources, Tool, listing

_QUICK: Final = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
"""Options for the compiler's own virtual machine, which runs for only about a second: they save more than half of that."""
_NOISE: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"{3}(?:[^"\\]++|\\.?|"(?!""))*+(?:"{3}|\Z)"""
    r"""|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?""",
    re.DOTALL,
)
"""Comments, texts and characters, whose braces and quotes do not count."""
_PACKAGE: Final = re.compile(r"^[^\S\n]*package\s+([\w.]+)\s*;", re.MULTILINE)
_PIECE: Final = re.compile(r"([^{;}]*+)([{;}]|\Z)")
_CLASS: Final = re.compile(r"\b(?:class|record|enum|interface)\s+([^\W\d]\w*)")
"""In a piece that ends with an opening brace: the class that it declares."""
_BOT: Final = re.compile(r"\bextends\s+(?:\w+\s*\.\s*)*J[Bb]ot\b")
_MAIN: Final = re.compile(r"\bvoid\s+main\s*\(")
"""Without `static`, because newer Java versions start such a `main` too."""
_CONTEST: Final = "contest"
"""The folder of the SDK with `Jbot`, which may not be beside `JBot`: some file systems ignore case."""


def _builds(sources: Sources) -> tuple[Command, ...]:
    sdk = sources.sdk
    path = ":".join([*([sdk.folder, sdk.file(_CONTEST)] if sdk is not None else []), "."])
    return (("javac", *_QUICK, "-encoding", "UTF-8", "-d", ".", "-cp", ".", "-sourcepath", path, *sources.top()),)


def main_class(sources: Sources) -> str:
    """The class that is the bot, with its package. Raises: NoRecipeError: no class, or more than one, could be the bot."""
    names = sources.top()
    classes = [declared for name in names for declared in _classes(_NOISE.sub(" ", sources.texts[name]))]
    usual_names = [PurePath(names[0]).stem, "Main"] if len(names) == 1 else ["Main"]
    for candidates in (
        *([declared for declared in classes if declared.name == name] for name in usual_names),
        [declared for declared in classes if declared.is_bot],
        [declared for declared in classes if declared.has_main],
    ):
        if len(candidates) == 1:
            return candidates[0].package + candidates[0].name
        if candidates:
            which = listing([declared.name for declared in candidates])
            raise NoRecipeError(f"{which} could each be the bot: call its class Main, or {OWN_COMMANDS}")
    raise NoRecipeError(
        "no class extends JBot or has a main: let the bot's class do so, or call it Main if its base class does"
    )


@dataclass(slots=True)
class _Class:
    """A class at the top of a source. `package` ends with a full stop, if there is one."""

    name: str
    package: str
    is_bot: bool
    has_main: bool = False


def _classes(text: str) -> Iterator[_Class]:
    package, declared, depth = _PACKAGE.search(text), None, 0
    for piece in _PIECE.finditer(text):
        words, end = piece.groups()
        if declared is not None and _MAIN.search(words):
            declared.has_main = True
        if not depth and end == "{" and (match := _CLASS.search(words)):
            is_bot = _BOT.search(words, match.end()) is not None and "abstract" not in words[: match.start()]
            declared = _Class(match[1], f"{package[1]}." if package is not None else "", is_bot)
            yield declared
        depth += {"{": 1, "}": -1}.get(end, 0)


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
