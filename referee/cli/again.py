"""Commands for users to copy: the same match again, or a match from a position."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import games
from referee.contract.game import Game
from referee.sandbox.limits import MIB, Level, Limits
from referee.text.words import shell_line

if TYPE_CHECKING:
    from referee.match.line_up import Options


def command(*words: str) -> str:
    """A command of this program, quoted for a shell."""
    return shell_line(program(), *words)


def program() -> str:
    """The word that calls this program: its name if it is in PATH, otherwise its path."""
    script = Path(sys.argv[0])
    if script.name != "referee":
        return "referee"
    executable = shutil.which("referee")
    if executable is not None and Path(executable).resolve() == script.resolve():
        return "referee"
    return str(script.resolve())


def game_words(game: Game[Any, Any]) -> list[str]:
    """The option that names a game; none for the main one."""
    return [] if game.name == games.main() else [f"--game={game.name}"]


def play_words(
    game: Game[Any, Any], bots: Sequence[str], *, start: Sequence[str], seed: int, options: Sequence[str]
) -> list[str]:
    """The words of `play`.

    Args:
        start: the options for the first position. options: those of `option_words`.
    """
    return ["play", *bots, *game_words(game), *start, f"--seed={seed}", *options]


def start_words(map_name: str | None, rounds: int | None, rotate: int = 0) -> list[str]:
    """The options for a first position on a map; None for the game's own map, and for the map's rounds."""
    words = [] if map_name is None else ["--map", map_name]
    words += [] if rounds is None else [f"--rounds={rounds}"]
    return words + ([f"--rotate={rotate}"] if rotate else [])


def option_words(game: Game[Any, Any], options: Options, *, limited: bool = False) -> list[str]:
    """The other options that differ from the game's defaults.

    Args:
        limited: whether people have the limit for an answer; by default, they have none.
    """
    time, usual, words = options.time(game), game.time, list[str]()
    if options.no_timeouts:
        words.append("--no-timeouts")
    else:
        for name in ("first", "answer", "total"):
            limit = getattr(time, name)
            if limit != getattr(usual, name) or (limited and name == "answer"):
                words.append(f"--{name}={_limit(limit)}")
    words += [f"--clock={time.kind}"] if time.kind != usual.kind else []
    if options.pondering is not None:
        words.append("--pondering" if options.pondering else "--no-pondering")
    words += [f"--isolation={options.isolation.value}"] if options.isolation is not Level.FULL else []
    words += [f"--memory={options.memory // MIB}M"] if options.memory not in (None, Limits().memory) else []
    return words + (["--forfeit"] if options.forfeit else [])


def _limit(limit: float | None) -> str:
    """A limit as an option has it. Not by `g`, which rounds long limits and writes short ones with an exponent."""
    return "none" if limit is None else f"{f'{limit:.9f}'.rstrip('0').rstrip('.')}s"
