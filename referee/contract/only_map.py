"""The maps of a game that has none: one, without a file, which is where the game starts by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from typing_extensions import override

from referee.contract.positions import MapFacts, Maps, Position

NAME: Final = "usual"


class OnlyMap(Maps):
    """One map for all numbers of players. Its document is empty."""

    default = NAME
    built_in: Mapping[str, Mapping[str, Any]] = {NAME: {}}

    def __init__(self, position: Callable[[Position, int], Position], seats: range) -> None:
        """Make it.

        Args:
            position: the first position from a setup and a seed. The setup has the key `players`, an empty object for each
                seat, and `rounds` if the user said how many. Raises: SetupError.
            seats: the possible numbers of players.
        """
        self._position = position
        self._seats = seats

    @override
    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        most = self._seats.stop - 1
        rounds = self.setup(document, seats=most, rng_seed=0).get("rounds")
        return MapFacts(
            name=NAME,
            description="the game's own start",
            size=0,
            starts=[(0, seat) for seat in range(most)],
            rounds=rounds if isinstance(rounds, int) else 0,
            rows=(),
        )

    @override
    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        setup: Position = {"players": [{} for _ in range(seats)]}
        return self._position(setup if rounds is None else {**setup, "rounds": rounds}, rng_seed)


NO_MAPS: Final = OnlyMap(lambda setup, _rng_seed: setup, range(1))
"""Stands for the maps of a game that has none."""
