"""The final ranking (rules 7 and 8 of games/ava/README.md and games/viper/README.md): the two games differ in it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TypeAlias

from referee.ranking import Ranked, rank
from referee.tailbite.board import Snake

Ranking: TypeAlias = Callable[[Sequence[Snake], Sequence[str]], list[Ranked]]
"""Snakes and names by seat to the ranking, best first."""


def score(snake: Snake) -> int:
    """The length, 0 when eaten (7)."""
    return len(snake.cells) if snake.eaten is None else 0


def by_score(snakes: Sequence[Snake], names: Sequence[str]) -> list[Ranked]:
    """By score; equal scores share the better place: 1, 2, 2, 4. The disqualified come last."""
    return rank([score(snake) for snake in snakes], [snake.disqualified for snake in snakes], names)


def by_survival(snakes: Sequence[Snake], names: Sequence[str]) -> list[Ranked]:
    """The uneaten by length, then the eaten, last eaten first; equals share the mean of their places: 1, 2.5, 2.5, 4.

    The disqualified come last, ranked alike among themselves.
    """

    def key(seat: int) -> tuple[bool, bool, int]:
        snake = snakes[seat]
        gone = snake.eaten is not None
        return snake.disqualified is not None, gone, -(snake.eaten or 0) if gone else -len(snake.cells)

    ranking: list[Ranked] = []
    for _, group in groupby(sorted(range(len(snakes)), key=key), key):
        seats = list(group)
        double = 2 * len(ranking) + 1 + len(seats)  # twice the mean of the places that they take
        place = double // 2 if double % 2 == 0 else double / 2
        ranking += [Ranked(seat, names[seat], place, score(snakes[seat]), snakes[seat].disqualified) for seat in seats]
    return ranking
