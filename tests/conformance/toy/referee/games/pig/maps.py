"""Maps of Pig: a goal and how many may play for it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from referee.errors import SetupError
from referee.game import MapFacts, Position
from referee.games.pig.rules import MAX_GOAL, MAX_SEATS, SIDES
from referee.strict import Strict, read


class MapModel(Strict):
    """A map's document."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    description: Annotated[str, Field(max_length=200)] = ""
    goal: Annotated[int, Field(ge=1, le=MAX_GOAL)]
    rounds: Annotated[int, Field(ge=1, le=10**6)]
    players: Annotated[int, Field(ge=2, le=MAX_SEATS)] = 4


class PigMaps:
    """What Pig knows about its maps: the `Maps` of the contract."""

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
            symmetry="any",
            counts={"goal": model.goal},
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """A goal that cannot be reached in the rounds by holding at each roll is no game. Raises: SetupError."""
        model = read(MapModel, document, SetupError)
        if model.goal > SIDES * model.rounds:
            return [f"{model.rounds} rounds are few for a goal of {model.goal}."]
        return []

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from; all places are alike. Raises: SetupError."""
        model = read(MapModel, document, SetupError)
        if not 2 <= seats <= model.players:
            raise SetupError(f"{model.name} is for 2 to {model.players} players, not {seats}")
        return {
            "goal": model.goal,
            "rounds": model.rounds if rounds is None else rounds,
            "round": 1,
            "seat": 0,
            "stake": 0,
            "players": [{"score": 0, "disqualified": None} for _ in range(seats)],
        }

    def generate(self, *, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
        """A map whose goal is `size`. Raises: SetupError."""
        text = {"name": name, "goal": size, "rounds": size, "players": players}
        read(MapModel, text, SetupError)
        return "".join(f"{key} = {json.dumps(value)}\n" for key, value in text.items())


MAPS: Final = PigMaps()
