"""Work on many saved games, on all processors."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
AT_ONCE: Final = 8
"""Items that a process gets at a time."""


def on_all_processors(
    work: Callable[[Item], Result], items: Sequence[Item], *, at_once: int = AT_ONCE
) -> Iterator[Result]:
    """Call a function for each item in processes of their own. The results come in the order of the items.

    Args:
        work: a function of a module, which other processes can import.
    """
    processors = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(processors, initializer=_leave_signals_to_the_parent) as pool:
        try:
            yield from pool.map(work, items, chunksize=at_once)
        finally:
            pool.shutdown(cancel_futures=True)  # waits: without that, the exit of Python can fail


def _leave_signals_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
