"""Random choices that are the same on every version of Python.

Only `Random.random` is used: it is the one method whose sequence Python promises to keep.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


def pick(rng: Random, count: int) -> int:
    """A number from 0 to count − 1."""
    return int(rng.random() * count)


def copied(rng: Random) -> Random:
    """A generator that will draw the same numbers. `copy.deepcopy` takes ten times as long."""
    other = Random(0)
    other.setstate(rng.getstate())
    return other


def shuffled(things: Iterable[Thing], rng: Random, count: int | None = None) -> list[Thing]:
    """The things in random order; only the first `count` of them if `count` is not None."""
    left = list(things)
    size = len(left)
    draws = size - 1 if count is None else min(count, size)
    for k in range(draws):
        chosen = k + int(rng.random() * (size - k))
        left[k], left[chosen] = left[chosen], left[k]
    return left if count is None else left[:count]
