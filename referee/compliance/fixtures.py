"""Which matches a check plays: different maps, numbers of players and rivals, all drawn from one seed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from referee.contract.game import Game
from referee.contract.positions import Position

MOST_SEATS: Final = 6
"""The most players in a match: each is a process that needs a processor."""
SHORT_ROUNDS: Final = 6
"""Rounds of a match in which a program is started for each turn."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to play. `seat` is the bot's; `rivals` take the other seats in order. An empty name is the bot itself again."""

    map: str
    setup: Position
    seat: int
    rivals: Sequence[str]
    rng_seed: int

    @property
    def title(self) -> str:
        """For people."""
        names = [name or "itself" for name in self.rivals]
        against = f"against {', '.join(names)}" if names else "alone"
        return f"{self.map}, seat {self.seat + 1} of {len(self.rivals) + 1} {against}"


def fixtures(
    game: Game[Any, Any],
    maps: Mapping[str, Mapping[str, Any]],
    rivals: Sequence[str],
    *,
    rng_seed: int,
    matches: int,
    rounds: int | None = None,
) -> list[Fixture]:
    """The matches; the same seed gives the same ones.

    Args:
        maps: the maps, as documents by name.
        rivals: the sample bots to choose from. Without any, the bot plays against itself.
        rounds: the rounds of each match; None for what its map says.
    """
    rng = Random(f"check {rng_seed}")
    names = sorted(sorted(maps), key=lambda _: rng.random())
    opponents = rivals or [""]
    planned: list[Fixture] = []
    for number in range(matches):
        name = names[number % len(names)]
        starts = min(len(game.maps.facts(maps[name]).starts) or MOST_SEATS, MOST_SEATS, game.seats.stop - 1)
        fewest = max(game.seats.start, min(2, starts))
        seats = fewest + int(rng.random() * (starts - fewest + 1))
        chosen = [opponents[int(rng.random() * len(opponents))] for _ in range(seats - 1)]
        seed = int(rng.random() * 2**31)
        rotate = int(rng.random() * seats)
        setup = game.maps.setup(maps[name], seats=seats, rng_seed=seed, rounds=rounds, rotate=rotate)
        planned.append(Fixture(name, setup, int(rng.random() * seats), chosen, seed))
    return planned
