"""What a worker answers when a match fails for a cause outside the bots."""

from __future__ import annotations

import errno
from typing import Any

import pytest
import trio

from referee.errors import IsolationError
from referee.tournament.playing import Job, Playing
from referee.tournament.worker import CELLS, _played

JOB = Job(series=1, seating=0, map="duel", rng_seed=1, seats=[])


class Fails(Playing):
    """Fails with these errors, and plays when there are none left."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    async def play(self, job: Job) -> dict[str, Any]:
        """Fail, or play."""
        await trio.lowlevel.checkpoint()
        if self.errors:
            raise ExceptionGroup("two players", [self.errors.pop(0)])
        return {"reason": "rounds"}


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (ValueError("our own bug"), {"failed": "ValueError: our own bug"}),
        (OSError(errno.EIO, "broken", "/x"), {"stop": "/x cannot be written (broken): free space there"}),
        (OSError(errno.EMFILE, "Too many open files"), {"stop"}),
    ],
)
async def test_a_match_fails_or_nothing_can_be_played_here(error: Exception, answer: Any) -> None:
    told = await _played(Fails(error), JOB)
    assert (told if isinstance(answer, dict) else told.keys()) == answer


async def test_a_cell_that_cannot_be_set_up_is_tried_again() -> None:
    slow = [IsolationError("the machine is slow")] * (CELLS - 1)
    assert await _played(Fails(*slow), JOB) == {"row": {"reason": "rounds"}}


async def test_a_machine_that_cannot_isolate_stops_the_run_instead_of_making_all_matches_void() -> None:
    playing = Fails(*[IsolationError("the interpreter cannot be shown to players")] * CELLS)
    assert await _played(playing, JOB) == {"stop": "the interpreter cannot be shown to players"}
    assert playing.errors == []
