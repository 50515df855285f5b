"""Commands for users to copy: the same match again, or a match from a position."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from referee.clock import TimeControl
from referee.game import Game
from referee.names import shell_line
from referee.sandbox.limits import MIB, Level, Limits

DEBUG_LIMIT: Final = 600.0
"""Seconds for an answer with --no-timeouts: enough for a debugger, but not endless."""


def command(*words: str) -> str:
    """A command of this program, quoted for a shell."""
    return shell_line(program(), *words)


def program() -> str:
    """The word that calls this program: its name if it is in PATH, otherwise its path."""
    called = Path(sys.argv[0])
    if called.name != "referee":
        return "referee"
    found = shutil.which("referee")
    if found is not None and Path(found).resolve() == called.resolve():
        return "referee"
    try:
        return str(called.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(called.resolve())


def game_words(game: Game[Any, Any]) -> list[str]:
    """The option that names a game; none for the main one."""
    return [] if game.main else [f"--game={game.name}"]


def play_words(
    game: Game[Any, Any], bots: Sequence[str], *, start: Sequence[str], seed: int, options: Sequence[str]
) -> list[str]:
    """The words of `play`.

    Args:
        start: the options for the first position. options: those of `options_of`.
    """
    return ["play", *bots, *game_words(game), *start, f"--seed={seed}", *options]


def options_of(
    game: Game[Any, Any],
    time: TimeControl,
    *,
    pondering: bool,
    isolation: Level,
    memory: int | None,
    people: bool = False,
    limited: bool = False,
) -> list[str]:
    """The options that differ from the game's defaults.

    Args:
        people: whether a person plays: then programs do not ponder by default. limited: whether people have a limit.
    """
    usual, options = game.time, []
    if (time.first, time.answer, time.total) == (DEBUG_LIMIT, DEBUG_LIMIT, None):
        options.append("--no-timeouts")
    else:
        limits = (
            ("first", time.first, usual.first),
            ("answer", time.answer, usual.answer),
            ("total", time.total, usual.total),
        )
        options += [
            f"--{name}={_limit(limit)}"
            for name, limit, same in limits
            if limit != same or (limited and name == "answer")
        ]
    options += [f"--clock={time.kind}"] if time.kind != usual.kind else []
    if pondering == people:  # not the default
        options.append("--pondering" if pondering else "--no-pondering")
    options += [f"--isolation={isolation.value}"] if isolation is not Level.FULL else []
    options += [f"--memory={memory // MIB}M"] if memory not in (None, Limits().memory) else []
    return options


def _limit(limit: float | None) -> str:
    """A limit as an option has it. Not by `g`, which rounds long limits and writes short ones with an exponent."""
    return "none" if limit is None else f"{f'{limit:.9f}'.rstrip('0').rstrip('.')}s"
