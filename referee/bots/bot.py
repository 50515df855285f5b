"""A bot: what is to be started, and what has to be built before it can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.game import Lifetime, Policy
from referee.languages import Command, Language


@dataclass(frozen=True, slots=True)
class Unbuilt:
    """What makes a bot's program of its files.

    Attributes:
        commands: one after the other, in a copy of the bot's files; none where only the files are to be brought together.
        run: the command that starts the result, in the same folder.
        env: variables for the commands beside the usual ones.
        sdk: the folder that they see beside the bot's own, read-only and at its own path; None without one.
        by_recipe: whether the commands are those of the bot's language, not its manifest's.
    """

    commands: tuple[Command, ...]
    run: Command
    env: Mapping[str, str] = field(default_factory=dict)
    sdk: Path | None = None
    by_recipe: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot, which is a `sandbox.program.Program` unless it has to be built first, or needs no process at all.

    Attributes:
        name: in tables and files.
        argv, cwd, env, files, trusted: see `Program`. Of a bot that is to be built `argv` is its command as written.
        unbuilt: what has to be built first (`building.ready` does); None when it is ready to be started.
        language: what it is written in; None if unknown.
        games: the names of those that it says it plays; empty when it does not say.
        lifetime: whether one process plays a whole match, or each turn gets a fresh one; None for what is usual in a game.
        policy: of a program in a game's own language, or a bot of the house, what decides: nothing is started then.
        house: whether it only fills up the seats.
        given: whether the user gave it its name for this match.
    """

    name: str
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] | None = None
    trusted: bool = False
    unbuilt: Unbuilt | None = None
    language: Language | None = None
    games: Sequence[str] = ()
    lifetime: Lifetime | None = None
    policy: Policy[Any, Any] | None = None
    house: bool = False
    given: bool = False
