"""Runs measurements in fresh processes, which send back their results."""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar

from benchmarks.setting import WrongError, collect_seldom

Result = TypeVar("Result")
_FRESH: Final = get_context("spawn")


def side_by_side(tasks: Sequence[Callable[[Callable[[], None]], Result]]) -> list[Result]:
    """Run each task in its own process and return the results in order.

    Args:
        tasks: each gets a function that it calls when it is ready, and which returns when all are.

    Raises:
        WrongError: a task failed; its message is on stderr.
    """
    ready = _FRESH.Barrier(len(tasks))
    pipes = [_FRESH.Pipe(duplex=False) for _ in tasks]
    workers: list[BaseProcess] = [
        _FRESH.Process(target=_work, args=(task, ready, sender), daemon=False)
        for task, (_, sender) in zip(tasks, pipes, strict=True)
    ]
    try:
        for worker, (_, sender) in zip(workers, pipes, strict=True):
            worker.start()
            sender.close()  # the worker has its own end, so the pipe ends with the worker
        results: list[Result] = []
        for receiver, _ in pipes:
            try:
                results.append(receiver.recv())
            except EOFError:
                raise WrongError("a measuring process failed: its message is above") from None
        return results
    finally:
        ready.abort()
        for worker in workers:
            if worker.pid is not None:
                worker.join()


def alone(task: Callable[[], Result]) -> Result:
    """Run one task in a fresh process."""
    return side_by_side([partial(_by_itself, task)])[0]


def _by_itself(task: Callable[[], Result], ready: Callable[[], None]) -> Result:
    ready()
    return task()


def _work(task: Callable[[Callable[[], None]], Any], ready: Any, sender: Connection) -> None:
    with suppress(ValueError):  # many matches at once take many descriptors
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    collect_seldom()
    sender.send(task(ready.wait))
    sender.close()
