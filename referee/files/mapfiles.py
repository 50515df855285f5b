"""Maps as users name them: the name of a map that comes with the referee, or a TOML file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from referee.contract.game import Game
from referee.contract.positions import Position
from referee.errors import SetupError, UsageError
from referee.files import assets, reading
from referee.text.words import counted, did_you_mean, shorten

USUAL: Final = 4
"""Players of a match if the user names none and the map has as many starting places."""


@contextmanager
def about(file: str | Path) -> Iterator[None]:
    """Add the name of the file to a `SetupError`."""
    try:
        yield
    except SetupError as wrong:
        raise SetupError(f"{file}: {wrong}").with_traceback(wrong.__traceback__) from None


def names(game: Game[Any, Any]) -> list[str]:
    """The maps that come with the game."""
    return sorted({*game.maps.built_in, *(path.stem for path in assets.maps(game.name).glob("*.toml"))})


def is_file(name: str) -> bool:
    """Whether a map is named by the path of its file, and not as one that comes with the game."""
    return name.endswith(".toml") or os.sep in name


def word_for(folder: Path, name: str, base: Path = Path()) -> str:
    """The name of a map as settings in a folder have it: a file has its path from there, and a slash in it, as in `./own`.

    Args:
        base: where the path of a file begins.
    """
    if not is_file(name):
        return name
    path = os.path.relpath(base / reading.at_home(name), folder)
    return path if is_file(path) else os.path.join(os.curdir, path)


def read(game: Game[Any, Any], name: str) -> dict[str, Any]:
    """A map's document. Raises: UsageError: there is no such map, or the file cannot be read."""
    path = Path(name)
    if not is_file(name):
        if name not in (maps := names(game)):
            raise UsageError(
                f"no map is called {shorten(repr(name))}{did_you_mean(name, maps)}; there are: {', '.join(maps)}, or name a "
                ".toml file"
            )
        if name in game.maps.built_in:
            return dict(game.maps.built_in[name])
        path = assets.maps(game.name) / f"{name}.toml"
    return reading.read_toml(path)


def fitting_maps(game: Game[Any, Any], seats: int) -> list[str]:
    """The maps that come with the referee and take this number of bots, the smallest first."""
    sizes: dict[str, int] = {}
    for name in names(game):
        document = read(game, name)
        with suppress(SetupError):
            game.maps.setup(document, seats=seats, rng_seed=0)
            sizes[name] = game.maps.facts(document).size
    return sorted(sizes, key=sizes.__getitem__)


def usual_players(game: Game[Any, Any], document: Mapping[str, Any]) -> int:
    """How many players a match on a map has if the user names none."""
    return min(USUAL, len(game.maps.facts(document).starts))


def choose_map(game: Game[Any, Any], name: str | None, *, seats: int) -> tuple[str, dict[str, Any]]:
    """The name and the document of the map to play on.

    Args:
        name: the map that the user names. None for the game's own, or the smallest that fits if it has too few places.
        seats: how many bots play; 0 if that depends on the map.

    Raises:
        UsageError: there is no such map, or the file cannot be read. SetupError: it is not a map of this game.
    """
    usual = game.maps.default if name is None else name
    document = read(game, usual)
    with about(usual):
        if not (starts := len(game.maps.facts(document).starts)):
            raise SetupError(
                "it has no starting places: `Maps.facts` lists one for each player, even if it stands nowhere"
            )
    if name is None and seats > starts and (fit := fitting_maps(game, seats)) and usual not in fit:
        return fit[0], read(game, fit[0])
    return usual, document


def setup(
    game: Game[Any, Any],
    document: Mapping[str, Any],
    *,
    seats: int,
    rng_seed: int,
    rounds: int | None = None,
    rotate: int = 0,
) -> Position:
    """The position to start from, as `Maps.setup` makes it.

    Raises:
        UsageError: the game is not for so many players. SetupError: if the map has too few starting places, the message names
            the maps that fit.
    """
    if seats not in game.seats:
        least, most = game.seats.start, game.seats.stop - 1
        allowed = f"{least} to {most}" if most > least else str(most)
        raise UsageError(f"{game.title} is for {allowed} players, not {seats}")
    try:
        return game.maps.setup(document, seats=seats, rng_seed=rng_seed, rounds=rounds, rotate=rotate)
    except SetupError as wrong:
        if seats <= len(game.maps.facts(document).starts) or not (others := fitting_maps(game, seats)):
            raise
        raise SetupError(f"{wrong}; maps for {counted(seats, 'bot')}: {', '.join(others)}") from None
