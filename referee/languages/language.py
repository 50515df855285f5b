"""What a language is to the referee: a value that says how its sources become a program, and what has to be installed for that.

1. A recipe is made of nothing but the sources' names and text, so it can be told without a compiler and tested without one.
   Its commands are run in a copy of the bot's folder; names in them are relative to it.
2. A command names a tool by the first of its names. The runner replaces it by the first of the names that the machine has.
3. What cannot be decided (which of two classes is the bot?) is not guessed: `NoRecipeError` says what to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, TypeAlias

from referee.languages.sdk import Sdk

Sources: TypeAlias = Mapping[str, str]
"""A bot's source files in its language: the text of each by its name, relative to the bot's folder."""
Command: TypeAlias = tuple[str, ...]

ERROR: Final = re.compile(r"(?i)\b(?:error|fatal)\b|undefined reference|cannot find|not found|No such file")
"""What a line looks like that tells an error, in the words of most compilers."""
OUTPUT: Final = "bot"
"""What a recipe calls the program that it makes."""


class NoRecipeError(ValueError):
    """These sources do not tell how they are to be built or run; the text says what would."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that a language needs.

    Attributes:
        programs: its names on PATH, the usual one first; any of them takes the same arguments.
        package: what Debian and Ubuntu call what brings it.
        version: the arguments that make it print its version.
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
        build: commands, one after the other; none where there is nothing to build.
        run: the command that starts the bot, in the same folder.
        env: variables that the build commands need beside the usual ones.
    """

    build: tuple[Command, ...]
    run: Command
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Language:
    """A language that a `bot.toml` can name.

    Attributes:
        name: as it is written there. title: as people write it.
        suffixes: of its source files. marks: names of other files that a recipe looks for among the sources, beside those
            that hosts of its SDK serve.
        compiler: what makes a program of sources, None where there is nothing to make.
        runner: what runs the result, None where it runs by itself.
        sdk: its folder below `sdk/`, None where there is none for it.
        finds_sdk: the variable by which `runner` finds the SDK while a bot plays, if it needs to.
        builds: build commands of sources, with the SDK or None.
        runs: the command that starts the result, likewise.
        env: variables for the build commands.
        error: what the line looks like where the compiler's first error begins.
        advice: what to do about what the compiler says, where the SDK is seen.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    compiler: Tool | None
    runner: Tool | None
    sdk: str | None
    builds: Callable[[Sources, Sdk | None], tuple[Command, ...]]
    runs: Callable[[Sources, Sdk | None], Command]
    finds_sdk: str | None = None
    marks: tuple[str, ...] = ()
    env: Mapping[str, str] | None = None
    error: re.Pattern[str] = ERROR
    advice: Mapping[re.Pattern[str], str] | None = None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All that has to be installed."""
        return tuple(tool for tool in (self.compiler, self.runner) if tool is not None)

    def recipe(self, sources: Sources, sdk: Sdk | None) -> Recipe:
        """How these sources are built and run.

        Args:
            sources: those files of the bot that end in one of `suffixes`, and marks that are there.
            sdk: the language's SDK as the build sees it, None where there is none.

        Raises:
            NoRecipeError: they do not tell.
        """
        return Recipe(self.builds(sources, sdk), self.runs(sources, sdk), dict(self.env or {}))


def nothing(_sources: Sources, _sdk: Sdk | None) -> tuple[Command, ...]:
    """The build of a language that has none."""
    return ()


def itself(_sources: Sources, _sdk: Sdk | None) -> Command:
    """How a compiled program is started."""
    return (f"./{OUTPUT}",)


def some(sources: Sources, suffixes: tuple[str, ...], title: str) -> list[str]:
    """The names of the sources at the top of the folder that are given to a compiler, in order.

    Raises:
        NoRecipeError: there is none.
    """
    found = sorted(name for name in sources if "/" not in name and PurePath(name).suffix in suffixes)
    if not found:
        raise NoRecipeError(f"there is no {title} source ({', '.join(suffixes)}) in the folder: {OWN_COMMANDS}")
    if odd := [name for name in found if name.startswith(("-", "@"))]:  # compilers would take it for an option
        raise NoRecipeError(f"{listed(odd)} may not begin with {odd[0][0]!r}: call it otherwise")
    return found


def main(sources: Sources, suffixes: tuple[str, ...], title: str, named: re.Pattern[str]) -> str:
    """The source that is the program: `main` with one of the suffixes, else the only one that no other makes use of.

    Args:
        named: what a source looks like where it makes use of others: in one of its groups the name of such a one without its
            suffix, or several with commas between them.

    Raises:
        NoRecipeError: there is none, or more than one that could be.
    """
    found = some(sources, suffixes, title)
    for name in (f"main{suffix}" for suffix in suffixes):
        if name in found:
            return name
    if len(found) > 1:
        alone = _unused({name: sources[name] for name in found if not _TEST.search(name)}, named)
        if len(alone) == 1:
            return alone[0]
        raise NoRecipeError(
            f"{listed(alone or found)} could each be the program: call one main{suffixes[0]}, or {OWN_COMMANDS}"
        )
    return found[0]


_TEST: Final = re.compile(r"\A(?:test_|conftest\.)|[._]test\.\w+\Z")
"""What tests of a bot are called, by the customs of several languages: they use it, and are no programs."""


def _unused(sources: Sources, named: re.Pattern[str]) -> list[str]:
    """Those of these sources that no other makes use of."""
    used = {name: {stem for match in named.finditer(text) for stem in _stems(match)} for name, text in sources.items()}
    return [
        name for name in sources if not any(PurePath(name).stem in used[other] for other in sources if other != name)
    ]


def _stems(match: re.Match[str]) -> list[str]:
    words = [part.split() for group in match.groups("") for part in group.split(",")]
    return [word[0].partition(".")[0] for word in words if word]


def listed(names: list[str], most: int = 4) -> str:
    """Some names in a message."""
    shown = [name if len(name) <= 40 else f"{name[:39]}…" for name in names[:most]]
    return ", ".join([*shown, "…"] if len(names) > most else shown)


OWN_COMMANDS: Final = "write `build` and `run` in the manifest"
