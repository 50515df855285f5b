"""Games as tests of ratings need them: any, and those of a ladder whose entrants come and go."""

from collections.abc import Mapping
from math import exp, log
from random import Random
from typing import Final

from hypothesis import strategies as st

from referee.tournament.figures.sums import GROUPS, Sums

Totals = dict[tuple[int, int], tuple[int, int]]
SEATS: Final = 4


@st.composite
def sums(draw: st.DrawFn) -> tuple[int, Totals]:
    """How many entrants there are, and the games and halves of pairs. Some never met, or won all; each is in a pair."""
    count = draw(st.integers(2, 6))
    met = draw(st.sets(st.sampled_from([(a, b) for b in range(count) for a in range(b)])))
    met |= {(index, index + 1) for index in range(count - 1) if not any(index in pair for pair in met)}
    met |= {(count - 2, count - 1)} if not any(count - 1 in pair for pair in met) else set()
    games = st.one_of(st.integers(1, 3), st.integers(1, 10_000))
    number = {pair: draw(games) for pair in sorted(met)}
    return count, {pair: (most, draw(st.integers(0, 2 * most))) for pair, most in number.items()}


def ladder(rng: Random, *, present: int, left: int, waves: int = 0) -> tuple[Sums, list[int]]:
    """The games of a ladder of four seats, and who is present at the end.

    A wave has a series of four matches for half of the entrants, in groups of neighbours in a rating that gets better the more
    they play. After each wave some leave and others enter, until so many have left. Then come the last waves.
    """
    strengths = [rng.gauss(0, 1.2) for _ in range(present)]
    played = [0] * present
    here = list(range(present))
    sums = Sums(rng_seed=0)
    series = 0
    dealt: list[int] = []
    while len(strengths) < present + left or waves > 0:
        order = sorted(here, key=lambda number: strengths[number] + rng.gauss(0, 1) / (1 + played[number]) ** 0.5)
        for _ in range(max(1, present // (2 * SEATS))):
            start = rng.randint(0, len(order) - SEATS)
            group = sorted(order[start : start + SEATS])
            del order[start : start + SEATS]
            if series % GROUPS == 0:
                dealt = rng.sample(range(GROUPS), GROUPS)
            _play(rng, group, strengths, sums, dealt[series % GROUPS])
            series += 1
            for number in group:
                played[number] += 1
        for _ in range(min(1 + present // 125, present + left - len(strengths))):
            here[rng.randrange(present)] = len(strengths)
            strengths.append(rng.gauss(0, 1.2))
            played.append(0)
        waves -= len(strengths) == present + left
    met = {number for pair in sums.pairs for number in pair}
    return sums, [number for number in here if number in met]


def _play(rng: Random, group: list[int], strengths: list[float], sums: Sums, dealt: int) -> None:
    for _ in range(SEATS):
        luck = {number: strengths[number] - log(-log(rng.random())) for number in group}
        for first in group:
            for second in group:
                if first < second:
                    tie = rng.random() < 0.1
                    sums.pairs[first, second].add(dealt, 1 if tie else 2 * (luck[first] > luck[second]), 1)


def totals(sums: Sums) -> Totals:
    """The games and halves of each pair."""
    return {pair: (it.games, it.halves) for pair, it in sums.pairs.items()}


def renumbered(sums: Totals) -> Totals:
    """The same, without numbers that are in no pair."""
    numbers = sorted({number for pair in sums for number in pair})
    return {(numbers.index(first), numbers.index(second)): value for (first, second), value in sums.items()}


def dense_maximum(count: int, pairs: Mapping[tuple[int, int], tuple[int, int]], weight: float) -> list[float]:
    """The strengths of maximal likelihood by Newton's method as it is in books, with Gauss's elimination."""
    strengths = [0.0] * count
    size = 1.0
    while size > 1e-9:
        chances = [1 / (1 + exp(-strength)) for strength in strengths]
        slope = [0.5 - chance for chance in chances]
        rows = [[0.0] * count for _ in range(count)]
        for index, chance in enumerate(chances):
            rows[index][index] = chance * (1 - chance)
        for (first, second), (games, halves) in pairs.items():
            chance = 1 / (1 + exp(strengths[second] - strengths[first]))
            pull, bend = weight * (halves / 2 - games * chance), weight * games * chance * (1 - chance)
            slope[first] += pull
            slope[second] -= pull
            for one, other in ((first, second), (second, first)):
                rows[one][one] += bend
                rows[one][other] -= bend
        step = solved(rows, slope)
        size = max(map(abs, step))
        strengths = [value + part / max(1.0, size) for value, part in zip(strengths, step, strict=True)]
    return strengths


def solved(rows: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a system of equations whose matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for index, row in enumerate(rows):
        for other in rows[index + 1 :]:
            part = other[index] / row[index]
            if part:
                other[index:] = [value - part * above for value, above in zip(other[index:], row[index:], strict=True)]
    result = [0.0] * len(rows)
    for index in reversed(range(len(rows))):
        row = rows[index]
        known = sum(row[column] * result[column] for column in range(index + 1, len(rows)))
        result[index] = (row[-1] - known) / row[index]
    return result
