"""Work in other processes, on all processors.

The processes end with the one that started them, also if it is killed. They wait for that in a thread. A signal of the kernel
(PR_SET_PDEATHSIG) would come with the end of the thread that started them, and never if the parent ended before it was asked for.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Final, TypeVar

from referee.errors import RefereeError

Item = TypeVar("Item")
Result = TypeVar("Result")
_FORK: Final = multiprocessing.get_context("fork")
"""Python 3.14 would import the user's script again in each process, so it would run once more from its first line."""


def on_all_processors(work: Callable[[Item], Result], items: Sequence[Item], *, at_once: int = 8) -> Iterator[Result]:
    """Call a function for each item in processes of their own. The results come in the order of the items.

    Args:
        work: a function of a module, which other processes can import.
        at_once: the items that a process gets at a time.

    Raises:
        RefereeError: one of the processes was killed.
    """
    processors = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(processors, _FORK, initializer=_follow_parent) as pool:
        try:
            yield from pool.map(work, items, chunksize=at_once)
        except BrokenProcessPool:
            what = "a process that worked beside this one was killed"
            raise RefereeError(f"{what}: if the machine is out of memory, end other programs; run again") from None
        finally:
            pool.shutdown(cancel_futures=True)  # waits: without that, the exit of Python can fail


def kill_all() -> None:
    """Kill the processes of `on_all_processors`, which then raises its error in the thread that called it.

    Otherwise Python would wait for them at its exit.
    """
    for process in multiprocessing.active_children():
        process.kill()


def _follow_parent() -> None:
    """Leave Ctrl-C to the parent, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    # Each process that was forked later holds the pipe of this one open. They end too, the last one first.
    parent.join()
    os._exit(1)
