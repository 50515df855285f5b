"""Work in other processes, on all processors.

The processes end with the one that started them, also if it is killed. They wait for that in a thread. A signal of the kernel
(PR_SET_PDEATHSIG) would come with the end of the thread that started them, and never if the parent ended before it was asked for.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar
from threading import Thread
from typing import Any, Final, TypeVar

from referee.errors import RefereeError

Item = TypeVar("Item")
Result = TypeVar("Result")
_FORK: Final = multiprocessing.get_context("fork")
"""Python 3.14 would import the user's script again in each process, so it would run once more from its first line."""
_TASK: Final[ContextVar[tuple[Callable[[Any], Any], Sequence[Any]]]] = ContextVar("task")
"""The function and the items of `on_all_processors`. To send those of a long season through a pipe takes seconds."""
_MOST_AT_ONCE: Final = 8
_TURNS: Final = 8
"""How often a process gets items, if they suffice."""


def on_all_processors(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Call a function for each item, in forked processes that inherit the function and the items.

    The results come in the order of the items. They must be of types that `pickle` knows.

    Raises:
        RefereeError: one of the processes was killed.
    """
    processors = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(processors, _FORK, initializer=_begin, initargs=(work, items)) as pool:
        try:
            yield from pool.map(_work_on, range(len(items)), chunksize=at_once(len(items), processors))
        except BrokenProcessPool:
            what = "a process that worked beside this one was killed"
            raise RefereeError(f"{what}: if the machine is out of memory, end other programs; run again") from None
        finally:
            pool.shutdown(cancel_futures=True)  # waits: without that, the exit of Python can fail


def at_once(items: int, processors: int) -> int:
    """How many items a process gets at a time: few, so that all processes end at about the same time."""
    return max(1, min(_MOST_AT_ONCE, items // (processors * _TURNS)))


def kill_all() -> None:
    """Kill the processes of `on_all_processors`, which then raises its error in the thread that called it.

    Otherwise Python would wait for them at its exit.
    """
    for process in multiprocessing.active_children():
        process.kill()


def _begin(work: Callable[[Any], Any], items: Sequence[Any]) -> None:
    """Begin a process: leave Ctrl-C to the parent, and end when it ends."""
    gc.freeze()  # a collection would go through all that the parent has, and copy its pages
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _TASK.set((work, items))


def _work_on(index: int) -> Any:
    work, items = _TASK.get()
    return work(items[index])


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    # Each process that was forked later holds the pipe of this one open. They end too, the last one first.
    parent.join()
    os._exit(1)
