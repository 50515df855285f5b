"""A programming language as a value: how its sources become a program, and what must be installed for that.

1. A recipe depends only on the names and text of the sources, so it needs no compiler. Its commands run in a copy of the
   bot's folder, and names in them are relative to that folder.
2. A command names a tool by the first of its names. The runner replaces it by the first of its names that the machine has.
3. If the sources leave a choice (which of two classes is the bot?), the recipe does not guess: `NoRecipeError` says what to
   write.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePath
from typing import Final, TypeAlias

from referee.languages.sdk import Host, Sdk
from referee.languages.spelling import Spelling

Command: TypeAlias = tuple[str, ...]

ERROR: Final = re.compile(r"(?i)\b(?:error|fatal)\b|undefined reference|cannot find|not found|No such file")
"""Matches a line in which a compiler reports an error, in the words of most compilers."""
OUTPUT: Final = "bot"
"""The name of the program that a recipe builds."""


class NoRecipeError(ValueError):
    """The sources do not show how to build or run them. The message says what to write."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that a language needs.

    Attributes:
        programs: its names on PATH, the usual one first. All take the same arguments.
        package: the package of Debian and Ubuntu that contains it. version: the arguments that print its version.
    """

    programs: tuple[str, ...]
    package: str
    version: Command = ("--version",)

    @property
    def program(self) -> str:
        """Its usual name."""
        return self.programs[0]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How sources become a program that plays.

    Attributes:
        build: commands to run in order, with the variables in `env`. run: the command that starts the bot, in the same folder.
    """

    build: tuple[Command, ...]
    run: Command
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Idioms:
    """What advice to an author says about input and output in a language. Each text can stand before a full stop.

    Attributes:
        flush: how to send an answer immediately. log: how to write a message to stderr. read: how to read a line at a time.
    """

    flush: str = "call the flush function of your output stream"
    log: str = "write them to the standard error stream"
    read: str = "one line at a time, not to the end of the input"


@dataclass(frozen=True, slots=True)
class Sources:
    """A bot's sources as the recipe of their language sees them: `texts` by name, relative to the bot's folder."""

    language: Language
    texts: Mapping[str, str]
    sdk: Sdk | None

    @property
    def hosts(self) -> tuple[Host, ...]:
        return self.sdk.hosts if self.sdk is not None else ()

    def has(self, name: str) -> bool:
        """Whether there is a file of this name, in any case."""
        return any(other.lower() == name.lower() for other in self.texts)

    def top(self) -> list[str]:
        """The names of the sources at the top of the folder, sorted, as arguments for a compiler. Raises: NoRecipeError."""
        names = sorted(name for name in self.texts if "/" not in name and self.language.is_source(name))
        if not names:
            suffixes = ", ".join(self.language.suffixes)
            raise NoRecipeError(f"there is no {self.language.title} source ({suffixes}) in the folder: {OWN_COMMANDS}")
        if odd := [name for name in names if name.startswith(("-", "@"))]:  # a compiler would take it for an option
            raise NoRecipeError(f"{listing(odd)} may not begin with {odd[0][0]!r}: rename it")
        return names

    def main(self, named: re.Pattern[str]) -> str:
        """The source of the program: `main` with one of the suffixes, or else the only source that no other source uses.

        The pattern `named` matches where a source names others that it uses. A group holds a name without suffix, or several
        separated by commas.

        Raises:
            NoRecipeError: no source, or more than one, could be the program.
        """
        names, suffixes = self.top(), self.language.suffixes
        if usual := [name for name in (f"main{suffix}" for suffix in suffixes) if name in names]:
            return usual[0]
        if len(names) == 1:
            return names[0]
        alone = _unused_files({name: self.texts[name] for name in names if not _TEST.search(name)}, named)
        if len(alone) == 1:
            return alone[0]
        raise NoRecipeError(
            f"{listing(alone or names)} could each be the program: call one main{suffixes[0]}, or {OWN_COMMANDS}"
        )


@dataclass(frozen=True, slots=True)
class Language:
    """A language that a `bot.toml` can name.

    Attributes:
        name: the language's name in `bot.toml`. title: its name for people.
        suffixes: the suffixes of its source files. marks: the names of other files that a recipe looks for, besides those of
            SDK hosts.
        any_case: whether suffixes may have capital letters, as on Windows. spelling: how sources ask for files, if the build
            finds these in any case.
        bare: whether the compiler takes only UTF-8 without a byte order mark. The build then converts sources to that.
        compiler: the tool that turns sources into a program. runner: the tool that runs the compiled program or the sources.
        sdk: the name of its SDK's folder below `sdk/`. finds_sdk: the variable that tells `runner` where that is.
        builds: the build commands for these sources, with the variables in `env`.
        runs: the command that starts the bot; by default the compiled program itself.
        error: a pattern for the line where the compiler's first error begins.
        advice: what to do about messages of the compiler, if the SDK is visible. idioms: code for advice to authors.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    idioms: Idioms
    compiler: Tool | None = None
    runner: Tool | None = None
    sdk: str | None = None
    builds: Callable[[Sources], tuple[Command, ...]] = lambda _: ()
    runs: Callable[[Sources], Command] = lambda _: (f"./{OUTPUT}",)
    finds_sdk: str | None = None
    marks: tuple[str, ...] = ()
    any_case: bool = False
    spelling: Spelling | None = None
    bare: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    error: re.Pattern[str] = ERROR
    advice: Mapping[re.Pattern[str], str] = field(default_factory=dict)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(tool for tool in (self.compiler, self.runner) if tool is not None)

    def is_source(self, path: str | PurePath) -> bool:
        """Whether a file is a source in this language, by its suffix."""
        suffix = PurePath(path).suffix
        return (suffix.lower() if self.any_case else suffix) in self.suffixes

    def recipe(
        self,
        texts: Mapping[str, str],
        sdk: Sdk | None,
        *,
        build: tuple[Command, ...] | None = None,
        run: Command | None = None,
    ) -> Recipe:
        """How to build and run these sources.

        Args:
            texts: the bot's files that end in one of `suffixes` or are named in `marks`, by name.
            sdk: the language's SDK as the build sees it; None without one.
            build, run: commands of the author's own. Only those that are None are asked of the sources.

        Raises:
            NoRecipeError: the sources do not show how.
        """
        sources = Sources(self, texts, sdk)
        build = self.builds(sources) if build is None else build
        return Recipe(build, self.runs(sources) if run is None else run, self.env)


_TEST: Final = re.compile(r"\A(?:test_|conftest\.)|[._]test\.\w+\Z")
"""Matches the usual names of test files in several languages: tests use the bot, and are not the program."""


def _unused_files(sources: Mapping[str, str], uses: re.Pattern[str]) -> list[str]:
    """The sources that no other source names. The stems that each names are counted once: there may be hundreds of sources."""
    stems = {name: {stem for match in uses.finditer(text) for stem in _stems(match)} for name, text in sources.items()}
    users = Counter(chain.from_iterable(stems.values()))
    return [name for name in sources if users[stem := PurePath(name).stem] == int(stem in stems[name])]


def _stems(match: re.Match[str]) -> list[str]:
    words = [part.split() for group in match.groups("") for part in group.split(",")]
    return [word[0].partition(".")[0] for word in words if word]


def listing(names: list[str], most: int = 4) -> str:
    """The first names of a list, for a message."""
    head = [name if len(name) <= 40 else f"{name[:39]}…" for name in names[:most]]
    return ", ".join([*head, "…"] if len(names) > most else head)


OWN_COMMANDS: Final = "write `build` and `run` in bot.toml"
