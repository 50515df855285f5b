"""The maps: a size, the number of rounds, and where players start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from referee.gamekit import MapFacts, Maps, Position, SetupError, Strict, read
from trails.rules import FREE, MOST_CELLS, MOST_SEATS


class MapModel(Strict):
    """A map's document."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    description: Annotated[str, Field(max_length=200)] = ""
    size: Annotated[int, Field(ge=6, le=MOST_CELLS)]
    rounds: Annotated[int, Field(ge=1, le=MOST_CELLS**2)]


class SquareMaps(Maps):
    """Square boards. Players start on the ring between edge and middle, opposite each other first."""

    default = "meadow"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. Raises: SetupError."""
        model = read(MapModel, document, SetupError)
        return MapFacts(
            name=model.name,
            description=model.description,
            size=model.size,
            starts=_starts(model.size),
            rounds=model.rounds,
            rows=[FREE * model.size] * model.size,
            symmetry="rotation",
        )

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from. Raises: SetupError."""
        model = read(MapModel, document, SetupError)
        if not 2 <= seats <= MOST_SEATS:
            raise SetupError(f"{model.name} is for 2 to {MOST_SEATS} players, not {seats}")
        board = [[FREE] * model.size for _ in range(model.size)]
        starts, players = _starts(model.size), []
        for seat in range(seats):
            x, y = starts[(seat + rotate) % seats]
            board[y][x] = str(seat + 1)
            players.append({"x": x, "y": y, "out": None, "disqualified": None})
        rows = ["".join(row) for row in board]
        return {"board": rows, "rounds": rounds or model.rounds, "round": 1, "seat": 0, "players": players}


def _starts(size: int) -> list[tuple[int, int]]:
    near, far = size // 4, size - 1 - size // 4
    return [(near, near), (far, far), (far, near), (near, far)]


MAPS: Final = SquareMaps()
