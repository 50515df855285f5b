"""A failed build: one line for the message with a hint, a few lines for the terminal, the whole output in a file."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots import Bot, Unbuilt, neighbours
from referee.errors import BotError
from referee.languages.language import ERROR
from referee.text.words import harmless, shorten

SHOWN: Final = 20
"""The most lines of a compiler's output that are shown."""
WIDTH: Final = 300
"""The most characters of such a line."""
WARNING: Final = re.compile(r"\b[Ww]arning: ")
"""How compilers begin a warning."""
_MISSING: Final = re.compile(
    r"No such file or directory|file not found|Cannot find module|Can't find unit|symbol: +class|does not exist|unresolved"
)
"""What compilers say about a file or a module that they did not find."""
_USED_HERE: Final = "required from here"
"""How gcc ends the line before an error in a template of a library: that line names the author's code."""
_PLACE: Final = re.compile(
    r"\s*(?:--> )?(?:\./)?(?!--> )(?P<file>[^\s/:(][^:(]*\.\w+)[:(](?P<line>\d{1,9})(?:[:,]\d+)?\)?(?::? |:?$)"
)
"""Where something is, in the words of gcc, clang, javac and go (`a.c:5:3: `), fpc (`a.pas(5,3) `) and rustc (` --> a.rs:5:3`)."""


class CompileError(NamedTuple):
    """An error in one of the bot's own files, in the compiler's words. `line` counts from 1."""

    file: str
    line: int
    words: str


@dataclass(eq=False, repr=False)
class BuildFailed(BotError):
    """A bot cannot be built. The message says which command failed, how, and where its whole output is.

    Attributes:
        why: which command failed and how, or what is wrong with the result; part of the message.
        first: the first error that the compiler found; None if the output does not show where it is.
        advice: what the author probably has to change; part of the message.
        output: what the failed command wrote, safe for a terminal; up to some hundred lines. log: the file with all of it.
        excerpt: the most important lines of the output: all if they are few, otherwise those from the first error on.
    """

    message: str
    _: KW_ONLY
    bot: str
    why: str = ""
    first: CompileError | None = None
    advice: str | None = None
    output: str = ""
    excerpt: tuple[str, ...] = ()
    log: Path | None = None

    def __post_init__(self) -> None:
        super().__init__(self.message)
        self.why = self.why or self.message
        if self.excerpt:
            self.add_note("\n".join(self.excerpt))  # for callers from Python: a traceback ends with it

    @property
    def says(self) -> str:
        """What is wrong, in a line: the first error if the output has one, otherwise which command failed and how."""
        if self.first is not None:
            return f"{self.first.file} does not compile: line {self.first.line}: {self.first.words}"
        errors = [line.strip() for line in self.excerpt if ERROR.search(line)]  # of a linker, for instance
        return f"{self.why}: {errors[0]}" if errors else self.why


def excerpt(output: str, error: re.Pattern[str], log: Path | None, *, most: int = SHOWN) -> list[str]:
    """All lines if they are at most `most`, otherwise those from the first error on, and one that says where the rest is.

    The pattern `error` matches a line in which an error begins. The file `log` has the whole output.
    """
    lines = output.rstrip("\n").split("\n") if output.strip() else []
    first = next((number for number, line in enumerate(lines) if error.search(line)), 0)
    if len(lines) <= most:
        first = 0
    elif first and lines[first - 1].endswith(_USED_HERE):
        first -= 1
    excerpt_lines = [harmless(shorten(line, WIDTH)) for line in lines[first : first + most]]
    if left := len(lines) - len(excerpt_lines):
        where = f" in {log}" if log is not None else ""
        excerpt_lines.append(f"… {left} more line{'s' if left > 1 else ''}{where}")
    return excerpt_lines


def first_error(output: str, error: re.Pattern[str]) -> CompileError | None:
    """The first error of a compiler's output in a file of the bot's folder; None if no line says where there is one.

    The pattern `error` matches a line in which an error, or a warning, begins. rustc says in the next line where it is.
    """
    lines = output.split("\n")
    for number, line in enumerate(lines):
        if not error.search(line):
            continue
        used = [there for there in lines[max(0, number - 1) : number] if there.endswith(_USED_HERE)]
        for there in (line, *lines[number + 1 : number + 2], *used):
            if (place := _PLACE.match(there)) is not None:
                words = "" if there in used else there[place.end() :]
                return CompileError(
                    harmless(shorten(place["file"], 60)),
                    int(place["line"]),
                    harmless(shorten(words or line[max(0, f" {line}".find(" error")) :], WIDTH)),
                )
    return None


def hint(bot: Bot, unbuilt: Unbuilt, output: str) -> str | None:
    """What the author probably has to change; None if the output of the command does not show it."""
    language = bot.language
    if unbuilt.sdk is not None and language is not None:
        for message, advice in language.advice.items():
            if message.search(output):
                return advice
    if _MISSING.search(output) and neighbours(bot):
        return "the build has only the file that was named: if it needs others, make a folder with a bot.toml"
    return None
