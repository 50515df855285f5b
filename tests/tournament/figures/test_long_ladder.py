"""Ratings of a ladder whose entrants come and go."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from random import Random

from tournament.figures.fields import ladder

from referee.tournament.figures.likelihood import Totals
from referee.tournament.figures.rating import ratings
from referee.tournament.words import Competitor


def test_other_processes_can_do_the_fits() -> None:
    pairs, present = ladder(Random(6), present=16, left=30)
    entrants = [Competitor(number, "", "", present=number in present) for number in range(46)]

    def spread(work: Callable[[Totals], list[float]], items: Sequence[Totals]) -> Iterable[list[float]]:
        return [pickle.loads(pickle.dumps(work))(pickle.loads(pickle.dumps(item))) for item in items]

    assert ratings(entrants, pairs, seats=4, spread=spread) == ratings(entrants, pairs, seats=4)


def test_the_order_of_pairs_does_not_matter() -> None:
    pairs, _ = ladder(Random(7), present=16, left=30)
    shuffled = dict(Random(8).sample(list(pairs.items()), len(pairs)))
    assert ratings([], shuffled, seats=4) == ratings([], pairs, seats=4)
