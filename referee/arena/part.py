"""A part of an arena: a process under the supervisor. It gets one line of JSON, and ends when its stdin closes.

So nothing of an arena is left when the supervisor is killed. Signals of a terminal are for the supervisor alone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

from referee.arena.settings import ArenaFiles
from referee.errors import RefereeError, Result, the_error, ungrouped
from referee.text.documents import json_of
from referee.text.words import harmless

BACKGROUND: Final = 10
"""The nice value of parts that must not slow down matches and readers."""
LOOK: Final = 0.2
"""Seconds between two looks for other work."""
Work: TypeAlias = Callable[[ArenaFiles, dict[str, Any]], Awaitable[None]]


def main(work: Work, *, background: bool) -> None:
    """Work until stdin closes. `sys.argv` has the arena's folder."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o022)
    if background:
        os.nice(BACKGROUND)
    try:
        if (options := read_options()) is not None:
            ungrouped(lambda: trio.run(_until_closed, work, ArenaFiles(Path(sys.argv[1])), options))
    except RefereeError as failed:
        say(str(failed))
        sys.exit(failed.exit_code)


def read_options() -> dict[str, Any] | None:
    """The line of JSON that the supervisor sends first; None if it has ended."""
    line = sys.stdin.readline()
    return json_of(line) if line.endswith("\n") else None


async def plainly(work: Awaitable[Result]) -> Result:
    """The result of async work. Its error is raised without the groups that nurseries put around it."""
    try:
        return await work
    except BaseExceptionGroup as group:
        if (failed := the_error(group)) is None:
            raise
        raise failed from failed.__cause__


async def unless(stop: Callable[[], bool], work: Awaitable[Result]) -> Result | None:
    """The result of async work; None if it was cancelled, because something became true meanwhile."""
    results = list[Result]()
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            while not stop():  # noqa: ASYNC110 - other processes make it true
                await trio.sleep(LOOK)
            nursery.cancel_scope.cancel()

        nursery.start_soon(watch)
        results.append(await work)
        nursery.cancel_scope.cancel()
    return results[0] if results else None


def say(line: str) -> None:
    """Write a line to the log of the arena, which is stderr."""
    part = Path(sys.argv[0]).stem
    print(f"{part}: {harmless(line)}", file=sys.stderr, flush=True)


async def _until_closed(work: Work, files: ArenaFiles, options: dict[str, Any]) -> None:
    stdin = trio.lowlevel.FdStream(os.dup(0))
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            while await stdin.receive_some():
                pass
            nursery.cancel_scope.cancel()

        nursery.start_soon(listen)
        await work(files, options)
        nursery.cancel_scope.cancel()
