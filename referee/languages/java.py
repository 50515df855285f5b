"""Java: all sources at the top of the folder are compiled, those of the SDK and of packages below it as they are needed.

Which class is the bot: `Main` where there is one, else the only one that extends `JBot`, else the only one with a `main`.
A file by itself is the class that it is called after, if it holds that.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from referee.languages.language import (
    OWN_COMMANDS,
    Command,
    Language,
    NoRecipeError,
    Sources,
    Tool,
    listed,
    some,
)

_SUFFIXES: Final = (".java",)
_QUICK: Final = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
"""For the compiler's own machine: it runs for a second, in which better code does not pay; half the time and more is saved."""
_NOISE: Final = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_PACKAGE: Final = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_CLASS: Final = re.compile(r"\b(?:class|record|enum|interface)\s+([^\W\d]\w*)([^{;]*)\{")
_BOT: Final = re.compile(r"\bextends\s+(?:[\w.]+\.)?JBot\b")
_MAIN: Final = re.compile(r"\bstatic\s+(?:final\s+)?void\s+main\s*\(")


def _builds(sources: Sources, sdk: str | None) -> tuple[Command, ...]:
    path = ":".join(filter(None, (sdk, ".")))
    names = some(sources, _SUFFIXES, "Java")
    return (("javac", *_QUICK, "-encoding", "UTF-8", "-d", ".", "-cp", ".", "-sourcepath", path, *names),)


def _runs(sources: Sources) -> Command:
    return ("java", started(sources))


def started(sources: Sources) -> str:
    """The class that is the bot, with its package.

    Raises:
        NoRecipeError: there is none, or more than one that could be.
    """
    names = some(sources, _SUFFIXES, "Java")
    plain = {name: _NOISE.sub(" ", sources[name]) for name in names}
    classes = {name: dict(_CLASS.findall(text)) for name, text in plain.items()}
    if len(names) == 1 and (stem := PurePath(names[0]).stem) in classes[names[0]]:
        return _qualified(stem, plain[names[0]])
    for name in names:
        if "Main" in classes[name]:
            return _qualified("Main", plain[name])
    bots = [(name, own) for name in names for own, rest in classes[name].items() if _BOT.search(rest)]
    with_main = [(name, _holding(plain[name])) for name in names if _MAIN.search(plain[name])]
    found = bots or with_main
    if len(found) == 1:
        return _qualified(found[0][1], plain[found[0][0]])
    if not found:
        raise NoRecipeError("no class extends JBot or has a main: let the bot's class do so, or write `run`")
    which = listed([own for _, own in found])
    raise NoRecipeError(f"{which} could each be the bot: call its class Main, or {OWN_COMMANDS}")


def _holding(text: str) -> str:
    """The class that a source's `main` stands in: the outermost that is still open there."""
    at = _MAIN.search(text)
    assert at is not None
    for match in _CLASS.finditer(text, 0, at.start()):
        if _is_open(text[match.end() : at.start()]):
            return match[1]
    return "Main"


def _is_open(body: str) -> bool:
    """Whether a class that begins before this text has not ended in it."""
    depth = 1
    for brace in re.findall(r"[{}]", body):
        depth += 1 if brace == "{" else -1
        if not depth:
            return False
    return True


def _qualified(name: str, text: str) -> str:
    package = _PACKAGE.search(text)
    return f"{package[1]}.{name}" if package is not None else name


LANGUAGE: Final = Language(
    name="java",
    title="Java",
    suffixes=_SUFFIXES,
    compiler=Tool(("javac",), "default-jdk-headless", ("-version",)),
    runner=Tool(("java",), "default-jdk-headless", ("-version",)),
    sdk="java",
    builds=_builds,
    runs=_runs,
    error=re.compile(r"\berror:"),
)
