"""What a coordinator says of workers that are lost. The clock is a fake."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest
import trio
from tournament.conftest import OPENING
from trio.testing import MockClock

from referee.tournament.cluster.client import Dask
from referee.tournament.cluster.crew import PATIENCE, ClusterCrew, _Workers
from referee.tournament.runner import Coordinator, Stopped


@dataclass(frozen=True)
class Scheduler:
    """Dask, with the workers of each look; none of them answers a call. Its end is that of the scheduler."""

    looks: Iterator[dict[str, int]]

    async def workers(self) -> dict[str, int]:
        if (workers := next(self.looks, None)) is None:
            raise Stopped("the end")
        return workers

    async def call(self, *_: object, worker: str) -> Any:
        await trio.sleep_forever()


async def told(where: str, *looks: dict[str, int]) -> list[str]:
    """What the user is told until the scheduler ends."""
    lines = list[str]()
    crew = ClusterCrew(OPENING, where, "id", 2, None, lines.append)
    with pytest.RaisesGroup(Stopped) as stopped:
        async with trio.open_nursery() as nursery:
            dask = cast(Dask, Scheduler(iter(looks)))
            await _Workers(crew, cast(Coordinator, None), dask, nursery).watch()
    return [*lines, str(stopped.value.exceptions[0])]


THERE = {"tcp://a": 1}
LOST = "a worker (tcp://a) is lost; its matches are played elsewhere"


async def test_when_the_last_worker_is_lost_the_command_says_how_to_start_one(autojump_clock: MockClock) -> None:
    line = "no worker can play: `dask worker tcp://s` starts one"
    assert await told("tcp://s", *[{}] * PATIENCE) == [line, "the end"]
    assert await told("tcp://s", THERE, *[{}] * (PATIENCE + 5)) == [LOST, line, "the end"]


async def test_when_the_last_worker_of_this_machine_is_lost_the_run_ends(autojump_clock: MockClock) -> None:
    end = "no worker on this machine can play; the lines above say why"
    assert await told("local:1", {}, THERE, {}) == [LOST, end]
