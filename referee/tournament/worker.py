"""A worker: a process that plays matches as its coordinator asks, until its standard input ends.

1. Lines of JSON go both ways. The first line that it gets is an `Opening`, each later one a `Job`. It answers each job with
   one line: `{"row": …}`, `{"failed": "…"}` if the match failed for a cause outside the bots, or `{"stop": "…"}` if nothing can
   be played here (no isolation, no room on the disk, no processes left, no folder of the tournament or no interpreter any more).
2. When its input ends, because the coordinator has closed it or was killed, a match that is being played is broken off: its
   players end, and then the worker ends.
3. It is in a session of its own, so Ctrl-C reaches the coordinator only.
4. The garbage collector runs between matches, so that it seldom delays one. What is there after the first match stays: it is left
   out from then on, and a collection takes 0.05 ms. Without them, a worker grows by 20 KiB a match, up to 125 MiB.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import AsyncIterator
from errno import EIO, EROFS
from pathlib import Path
from typing import Any, Final

import trio

from referee.errors import FULL, GameError, IsolationError, SetupError, UsageError, out_of
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox
from referee.sandbox.probing.verdicts import demand
from referee.text.words import shorten
from referee.tournament.copies import has_copy
from referee.tournament.jobs import Job, JobRunner, Opening, moved_message
from referee.tournament.model import ENTRANTS

COLLECT_AFTER: Final = 100_000
"""Objects after which the garbage collector runs during a match; most matches make fewer."""
CELLS: Final = 3
"""Attempts to isolate the players of a match."""
_BROKEN: Final = frozenset({EIO, EROFS})


def main() -> None:
    """The process."""
    gc.set_threshold(COLLECT_AFTER)
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # no print can garble the answers
    trio.run(work, requests, answers)


async def work(requests: int, answers: int) -> None:
    """Play what is asked on one descriptor, and answer on the other."""
    async with trio.open_nursery() as nursery:
        lines, received = trio.open_memory_channel[bytes](10)

        async def listen() -> None:
            async with lines:
                async for line in _lines(requests):
                    await lines.send(line)
            nursery.cancel_scope.cancel()  # theory, point 2

        nursery.start_soon(listen)
        opening = Opening.model_validate_json(await received.receive())
        try:
            with open_sandbox(Level(opening.isolation), opening.limits, opening.game) as sandbox:
                await demand(sandbox)
                runner, frozen = JobRunner(opening, sandbox), False
                async for line in received:
                    _answer(answers, await _play(runner, Job.model_validate_json(line), opening))
                    gc.collect()
                    if not frozen:  # `gc.get_freeze_count` would go through all objects: 4 ms
                        gc.freeze()
                        frozen = True
        except UsageError as wrong:
            _answer(answers, {"stop": str(wrong)})


async def _play(runner: JobRunner, job: Job, opening: Opening) -> dict[str, Any]:
    """The answer to a job. A cell that cannot be set up is tried again, because the machine may have been busy."""
    answer: dict[str, Any] = {}
    for _ in range(CELLS):
        try:
            row = await runner.play(job)
        except Exception as failed:
            first = failed
            while isinstance(first, ExceptionGroup):
                first = first.exceptions[0]
            if not isinstance(first, IsolationError):
                return _failure_answer(first, opening, job)
            answer = {"stop": str(first)}
        else:
            # Without its folder, an innocent bot is at fault.
            gone = _missing_message(opening, job) if row["faults"] else None
            return {"row": row} if gone is None else {"stop": gone}
    return answer


def _failure_answer(why: Exception, opening: Opening, job: Job) -> dict[str, str]:
    """The answer to a job that failed. A cause that would stop every match stops the run."""
    if (lacking := out_of(why)) is not None:
        return {"stop": lacking}
    if (gone := _missing_message(opening, job)) is not None:
        return {"stop": gone}
    if isinstance(why, UsageError) and not isinstance(why, SetupError):  # a setup may be wrong for this seed only
        return {"stop": str(why)}
    if isinstance(why, OSError):
        file = str(why.filename or "a saved game")
        if why.errno in FULL:
            return {"stop": f"{file} cannot be written ({why.strerror}): free space there"}
        if file.startswith((opening.folder, opening.games)) or why.errno in _BROKEN:
            return {"stop": f"{file} cannot be used ({why.strerror})"}
    return {"failed": str(why) if isinstance(why, GameError) else f"{type(why).__name__}: {why}"}


def _missing_message(opening: Opening, job: Job) -> str | None:
    """The message if the tournament's folder, the interpreter or a bot's copy is no longer there; None if all are."""
    folder = Path(opening.folder)
    if not folder.is_dir():
        return moved_message(folder)
    if opening.python is not None and not os.path.exists(opening.python):
        return (
            f"{opening.python}, which runs the bots in Python, is gone: make the virtual environment again, then go on"
        )
    for seat in job.seats:
        if not has_copy(folder, seat.content):
            return f"the copy of {shorten(seat.name)} in {folder / ENTRANTS} is gone: run again, which makes it anew"
    return None


async def _lines(descriptor: int) -> AsyncIterator[bytes]:
    stream = trio.lowlevel.FdStream(descriptor)
    rest = b""
    async for chunk in stream:
        *complete, rest = (rest + chunk).split(b"\n")
        for line in complete:
            yield line


def _answer(descriptor: int, answer: dict[str, Any]) -> None:
    data = memoryview(json.dumps(answer).encode() + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]


if __name__ == "__main__":
    main()
