"""Maps as users name them: the name of a map that comes with the referee, or a TOML file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from referee import assets, files
from referee.errors import SetupError, UsageError
from referee.game import Game
from referee.names import counted, did_you_mean, shorten
from referee.positions import Position


@contextmanager
def about(file: str | Path) -> Iterator[None]:
    """Add the name of the file to a `SetupError`."""
    try:
        yield
    except SetupError as wrong:
        raise SetupError(f"{file}: {wrong}") from None


def names(game: Game[Any, Any]) -> list[str]:
    """The maps that come with the referee."""
    return sorted(path.stem for path in (assets.folder("maps") / game.name).glob("*.toml"))


def read(game: Game[Any, Any], given: str) -> dict[str, Any]:
    """A map's document.

    Raises:
        UsageError: there is no such map, or the file cannot be read.
    """
    path = Path(given)
    if path.suffix != ".toml" and os.sep not in given:
        if given not in (known := names(game)):
            raise UsageError(
                f"no map is called {shorten(repr(given))}{did_you_mean(given, known)}; there are: {', '.join(known)}, or name a "
                ".toml file"
            )
        path = assets.folder("maps") / game.name / f"{given}.toml"
    return files.read_toml(path)


def fitting(game: Game[Any, Any], seats: int) -> list[str]:
    """The maps that come with the referee and take this number of bots, the smallest first."""
    sizes: dict[str, int] = {}
    for name in names(game):
        document = read(game, name)
        with suppress(SetupError):
            game.maps.setup(document, seats=seats, rng_seed=0)
            sizes[name] = game.maps.facts(document).size
    return sorted(sizes, key=sizes.__getitem__)


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
        SetupError: if the map has too few starting places, the message names the maps that fit.
    """
    try:
        return game.maps.setup(document, seats=seats, rng_seed=rng_seed, rounds=rounds, rotate=rotate)
    except SetupError as wrong:
        if seats <= len(game.maps.facts(document).starts) or not (others := fitting(game, seats)):
            raise
        raise SetupError(f"{wrong}; maps for {counted(seats, 'bot')}: {', '.join(others)}") from None
