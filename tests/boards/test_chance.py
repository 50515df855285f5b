"""Random choices: every version of Python must give the same sequences."""

from __future__ import annotations

from collections import Counter
from random import Random

from referee.boards.chance import pick, shuffled


def test_the_same_seed_gives_the_same_choices_on_every_version_of_python() -> None:
    assert shuffled("abcde", Random(1)) == ["a", "e", "b", "d", "c"]
    assert shuffled("abcde", Random(1), 2) == ["a", "e"]
    assert [pick(Random(seed), 10) for seed in range(5)] == [8, 1, 9, 2, 2]


def test_a_shuffle_has_all_items_or_the_given_number() -> None:
    assert sorted(shuffled(range(9), Random(3))) == list(range(9))
    assert len(shuffled(range(9), Random(3), 4)) == 4
    assert len(shuffled(range(3), Random(3), 4)) == 3
    assert shuffled([], Random(3)) == shuffled([], Random(3), 2) == []


def test_all_orders_are_equally_likely() -> None:
    rng = Random(5)
    orders = Counter("".join(shuffled("abc", rng)) for _ in range(6000))
    assert len(orders) == 6
    assert all(800 < count < 1200 for count in orders.values())
