"""The maps of the benchmarks."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee import mapfiles
from referee.game import Game

SIZE: Final = 31


def usual_map(game: Game[Any, Any]) -> Mapping[str, Any]:
    """The map that is played without `--map`."""
    return mapfiles.read(game, game.maps.default)


def standard_map(game: Game[Any, Any]) -> Mapping[str, Any]:
    """The map of most subjects: the one in `OWN`, if there is one for the game, or the usual one."""
    return OWN[game.name]() if game.name in OWN else usual_map(game)


def fair_map(game: Game[Any, Any], size: int, players: int) -> Mapping[str, Any]:
    """A generated map of this size, the same every time."""
    return tomllib.loads(game.maps.generate(size=size, players=players, symmetry=None, rng_seed=SIZE, name="bench"))


def _rooms() -> Mapping[str, Any]:
    """A map of SnakeCore: walls, reactors and many blocks, four rooms around a hall of reactors."""
    rows = [["."] * SIZE for _ in range(SIZE)]
    for k in range(4, SIZE - 4):
        if k % 6:
            rows[8][k] = rows[SIZE - 9][k] = rows[k][8] = rows[k][SIZE - 9] = "W"
    middle = SIZE // 2
    for x, y in ((middle, middle - 3), (middle + 3, middle), (middle, middle + 3), (middle - 3, middle)):
        rows[y][x] = "R"
    for start, (x, y) in enumerate(((1, 1), (SIZE - 2, SIZE - 2), (SIZE - 2, 1), (1, SIZE - 2)), start=1):
        rows[y][x] = str(start)
    return {
        "name": "bench", "description": "Four rooms around a hall.", "rounds": 300, "symmetry": "quarter",
        "field": "\n".join("".join(row) for row in rows) + "\n", "blocks": {"ordinary": 80, "energy": 20},
    }  # fmt: skip


OWN: Final[Mapping[str, Callable[[], Mapping[str, Any]]]] = {"snakecore": _rooms}
"""Maps for games whose usual map is too plain for measurements."""
