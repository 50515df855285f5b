"""A part of an arena: a process under the supervisor (`web/processes.py`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import trio

from referee.arena.settings import ArenaFiles
from referee.errors import RefereeError, disk_is_full
from referee.text.words import harmless
from referee.web.processes import Message, run

Result = TypeVar("Result")
POLL: Final = 0.2
"""Seconds between two checks for other work."""
Work: TypeAlias = Callable[[ArenaFiles, Message], Awaitable[None]]


def main(work: Work, *, background: bool) -> None:
    """Work until stdin closes. `sys.argv` has the arena's folder; the request has the options."""
    os.umask(0o022)
    if background:
        os.nice(10)  # it must not slow down matches and readers
    try:
        run(partial(work, ArenaFiles(Path(sys.argv[1]))))
    except RefereeError as failed:
        say(str(failed))
        sys.exit(failed.exit_code)
    except OSError as failed:
        if not disk_is_full(failed):
            raise
        say(f"{failed.filename or 'a file'} cannot be written ({failed.strerror}): free space there")
        sys.exit(1)


async def unless(stop: Callable[[], bool], work: Awaitable[Result]) -> list[Result]:
    """The result of async work, or nothing if it was cancelled because `stop()` became true."""
    results = list[Result]()
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            while not stop():  # noqa: ASYNC110 - other processes make it true
                await trio.sleep(POLL)
            nursery.cancel_scope.cancel()

        nursery.start_soon(watch)
        results.append(await work)
        nursery.cancel_scope.cancel()
    return results


def say(line: str) -> None:
    """Write a line to the log of the arena, which is stderr."""
    print(f"{Path(sys.argv[0]).stem}: {harmless(line)}", file=sys.stderr, flush=True)
