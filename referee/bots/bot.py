"""A bot: the program to start, and how to build it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.contract.game import Fault, Lifetime, Policy
from referee.languages import Language, Recipe
from referee.sandbox.program import Program


@dataclass(frozen=True, slots=True)
class Unbuilt(Recipe):
    """How to build a bot, in a copy of its files.

    Attributes:
        sdk: the SDK's folder, which the commands see read-only at its own path; None without one.
        game_sdk: a folder with files of the game's package, which are added to the copy; None without one.
    """

    sdk: Path | None = None
    game_sdk: Path | None = None


@dataclass(frozen=True, slots=True)
class Bot(Program):
    """A bot: a program, unless it must be built first or needs no process.

    Attributes:
        name: in tables and files.
        argv: see `Program`; if the bot must be built first, its command as written.
        unbuilt: how to build it (`building.ready` does so); None if it is ready to start.
        language: what it is written in; None if unknown.
        games: the games that its manifest names; empty for any game.
        lifetime: whether one process plays the whole match, or each turn gets a fresh one; None for the game's default.
        policy: decides for a program in a game's own language, or a player of the house: no process is started.
        house: whether it only fills a seat.
        human: whether a person at the keyboard plays: no process is started.
        given: whether the user chose its name for this match.
        fault: why it cannot play, if it forfeits the match: the answer to its first request. Nothing is started.
    """

    unbuilt: Unbuilt | None = None
    language: Language | None = None
    games: Sequence[str] = ()
    lifetime: Lifetime | None = None
    policy: Policy[Any, Any] | None = None
    house: bool = False
    human: bool = False
    given: bool = False
    fault: Fault | None = None
