"""Runs measurements in fresh processes, which send back their results."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from typing import Final, TypeVar

from benchmarks.setting import collect_seldom

Result = TypeVar("Result")
_FRESH: Final = get_context("spawn")
_PATIENCE: Final = 60.0
"""Seconds in which all processes must be ready."""
_barrier: Barrier


def side_by_side(task: Callable[[], Result], count: int) -> list[Result]:
    """Run a task in so many fresh processes at once, and return the results."""
    barrier = _FRESH.Barrier(count)
    with ProcessPoolExecutor(count, _FRESH, initializer=_begin, initargs=(barrier,)) as pool:
        return [future.result() for future in [pool.submit(task) for _ in range(count)]]


def alone(task: Callable[[], Result]) -> Result:
    """Run a task in a fresh process."""
    return side_by_side(task, 1)[0]


def ready() -> None:
    """Called by a task of `side_by_side`: returns when all have called it."""
    _barrier.wait(_PATIENCE)


def _begin(barrier: Barrier) -> None:
    global _barrier
    _barrier = barrier
    collect_seldom()
