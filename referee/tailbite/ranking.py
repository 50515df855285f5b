"""The final rankings of the two games (rules 7 and 8 of games/ava/README.md and games/viper/README.md). Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TypeAlias

from referee.contract.ranking import Ranked, rank
from referee.tailbite.board import Snake

Ranking: TypeAlias = Callable[[Sequence[Snake], Sequence[str]], list[Ranked]]
"""Makes the ranking, best first, from the snakes and the names by seat."""


def score(snake: Snake) -> int:
    """The length; 0 if the snake was eaten (7)."""
    return len(snake.cells) if snake.eaten is None else 0


def by_score(snakes: Sequence[Snake], names: Sequence[str]) -> list[Ranked]:
    """Rank by score. Equal scores share the better place: 1, 2, 2, 4. Disqualified snakes come last."""
    return rank([score(snake) for snake in snakes], [snake.disqualified for snake in snakes], names)


def by_survival(snakes: Sequence[Snake], names: Sequence[str]) -> list[Ranked]:
    """Rank uneaten snakes by length, then eaten snakes, the last eaten first.

    Equal snakes share the mean of their places: 1, 2.5, 2.5, 4. Disqualified snakes come last, ranked in the same way.
    """

    def key(seat: int) -> tuple[bool, bool, int]:
        snake = snakes[seat]
        gone = snake.eaten is not None
        return snake.disqualified is not None, gone, -(snake.eaten or 0) if gone else -len(snake.cells)

    ranking: list[Ranked] = []
    for _, group in groupby(sorted(range(len(snakes)), key=key), key):
        seats = list(group)
        double = 2 * len(ranking) + 1 + len(seats)  # twice the mean of their places
        mean = double // 2 if double % 2 == 0 else double / 2
        ranking += [Ranked(seat, names[seat], mean, score(snakes[seat]), snakes[seat].disqualified) for seat in seats]
    return ranking
