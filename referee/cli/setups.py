"""Reads positions to start from. If the file is a saved game or a map, the error names the command for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from referee.cli.again import command, game_words
from referee.contract.game import Game
from referee.contract.positions import Position
from referee.errors import SetupError, UsageError
from referee.files.reading import MOST_JSON, STDIN, read
from referee.text.documents import Malformed, json_of, text_of
from referee.text.words import shorten

_GZIP: Final = b"\x1f\x8b"
_HEADER: Final = b'{"type":"header"'
"""The first bytes of a saved game."""


def read_setup(path: Path, game: Game[Any, Any]) -> Position:
    """A position of this game from a file or pipe; `-` is standard input.

    Raises:
        UsageError: the file cannot be read, or is not a position. SetupError: the position breaks a rule of the game.
    """
    label = "standard input" if str(path) == STDIN else shorten(str(path))
    again = str(path) if path.is_file() else "FILE"  # a pipe cannot be read again
    data = read(path, MOST_JSON)
    if data.startswith((_GZIP, _HEADER)):
        cut_command, watch_command = command("state", again), command("replay", again)
        raise UsageError(
            f"{label} is a saved game, not a position: `{cut_command} > moment.json` cuts one out (--step K says where) and "
            f"--setup moment.json takes it; `{watch_command}` shows the match"
        )
    if path.suffix == ".toml":
        play_command = command("play", *game_words(game), "--map", again)
        raise UsageError(f"{label} is a map, not a position: play on it with `{play_command}`")
    try:
        position = json_of(text_of(data))
    except Malformed as wrong:
        raise UsageError(f"{label}{wrong.where()}: not JSON: {wrong}") from None
    if not isinstance(position, dict):
        raise UsageError(f"{label} is not a position: a JSON object is expected, as `{command('state')}` prints it")
    try:
        game.start(position, 0)
    except SetupError as wrong:
        raise SetupError(f"{label}: {wrong}") from None
    return position
