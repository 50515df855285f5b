"""Reads positions to start from. For a file of another kind, the error names the command that takes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from referee import games
from referee.cli.again import command
from referee.documents import Malformed, json_of, text_of
from referee.errors import SetupError, UsageError
from referee.files import MOST_JSON, STDIN, read
from referee.game import Game, Position
from referee.names import shorten

_GZIP: Final = b"\x1f\x8b"


def read_setup(path: Path, game: Game[Any, Any]) -> Position:
    """A position of this game from a file or pipe; `-` is standard input.

    Raises:
        UsageError: the file cannot be read, or is something else: a saved game, a map, a position of another game.
        SetupError: the position breaks a rule of the game.
    """
    shown = "standard input" if str(path) == STDIN else shorten(str(path))
    again = str(path) if path.is_file() else "FILE"  # a pipe cannot be read again
    data = read(path, MOST_JSON)
    if data.startswith(_GZIP) or _is_saved_game(data.partition(b"\n")[0]):
        cut, watch = command("state", again), command("replay", again)
        raise UsageError(
            f"{shown} is a saved game and no position: `{cut} > moment.json` cuts one out (--step K says where) and "
            f"--setup moment.json takes it; `{watch}` shows the match"
        )
    if path.suffix == ".toml":
        raise UsageError(f"{shown} is a map and no position: `{command('play', *_of(game), '--map', again)}`")
    try:
        position = json_of(text_of(data))
    except Malformed as wrong:
        raise UsageError(f"{shown}{wrong.where()}: no JSON: {wrong}") from None
    if _is_saved_game(data):
        raise UsageError(f"{shown} is the first line of a saved game: the position is what it has under `setup`")
    if not isinstance(position, dict):
        raise UsageError(f"{shown} is no position: a JSON object is expected, as `{command('state')}` prints it")
    try:
        game.start(position, 0)
    except SetupError as wrong:
        others = [other for other in games.every() if other is not game and _fits(position, other)]
        if not others:
            raise SetupError(f"{shown}: {wrong}") from None
        whose = " or ".join(other.name for other in others)
        theirs = command("play", *_of(others[0]), "--setup", again)
        raise UsageError(f"{shown} is a position of {whose}, not of {game.name}: `{theirs}`") from None
    return position


def _is_saved_game(text: bytes) -> bool:
    """Whether this is the header of a saved game."""
    try:
        value = json_of(text_of(text))
    except Malformed:
        return False
    return isinstance(value, dict) and value.get("type") == "header"


def _fits(position: Position, game: Game[Any, Any]) -> bool:
    try:
        game.start(position, 0)
    except SetupError:
        return False
    return True


def _of(game: Game[Any, Any]) -> list[str]:
    return [] if game.main else [f"--game={game.name}"]
