"""Maps of Pig: a goal and the number of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.games.pig.rules import MAX_GOAL, MAX_SEATS, start
from referee.text.strict import Strict, read


class MapModel(Strict):
    """A map's document."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    description: Annotated[str, Field(max_length=200)] = ""
    goal: Annotated[int, Field(ge=1, le=MAX_GOAL)]
    rounds: Annotated[int, Field(ge=1, le=10**6)]
    players: Annotated[int, Field(ge=2, le=MAX_SEATS)] = 4


class PigMaps(Maps):
    """The `Maps` of Pig."""

    default = "fifty"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. Raises: SetupError."""
        model = read(MapModel, document, SetupError)
        return MapFacts(
            name=model.name,
            description=model.description,
            size=model.goal,
            starts=[(0, seat) for seat in range(model.players)],
            rounds=model.rounds,
            rows=["." * 20 + "|"] * model.players,
        )

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from. All seats are equivalent. Raises: SetupError."""
        model = read(MapModel, document, SetupError)
        if not 2 <= seats <= model.players:
            raise SetupError(f"{model.name} is for 2 to {model.players} players, not {seats}")
        setup = {"goal": model.goal, "rounds": model.rounds if rounds is None else rounds, "players": [{}] * seats}
        return start(setup, rng_seed).position()


MAPS: Final = PigMaps()
