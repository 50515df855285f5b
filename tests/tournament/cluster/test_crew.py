"""What a coordinator says of workers that hang and of workers that are lost. The clock is a fake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest
import trio
from tournament.conftest import OPENING
from trio.testing import MockClock

from referee.tournament.cluster.client import Dask, Presence
from referee.tournament.cluster.crew import PATIENCE, SILENT, ClusterCrew, _Workers
from referee.tournament.runner import Coordinator, Stopped


@dataclass(frozen=True)
class Scheduler:
    """Dask, with the workers of each look; none of them answers a call. Its end is that of the scheduler."""

    looks: Iterator[dict[str, Presence]]

    async def workers(self) -> dict[str, Presence]:
        if (workers := next(self.looks, None)) is None:
            raise Stopped("the end")
        return workers

    async def call(self, *_: object, worker: str) -> Any:
        await trio.sleep_forever()


async def told(where: str, *looks: dict[str, Presence]) -> list[str]:
    """What the user is told until the scheduler ends."""
    lines = list[str]()
    crew = ClusterCrew(OPENING, where, "id", 2, None, lines.append)
    with pytest.RaisesGroup(Stopped) as stopped:
        async with trio.open_nursery() as nursery:
            dask = cast(Dask, Scheduler(iter(looks)))
            await _Workers(crew, cast(Coordinator, None), dask, nursery).watch()
    return [*lines, str(stopped.value.exceptions[0])]


def there(seen: float) -> dict[str, Presence]:
    return {"tcp://a": Presence(1, seen)}


HANGS = [there(7.0)] * (SILENT + 1)
LOST = "a worker (tcp://a) is lost; its matches are played elsewhere"


async def test_a_worker_that_hangs_is_named_once(autojump_clock: MockClock) -> None:
    line = "a worker (tcp://a) does not answer: its matches are played elsewhere when Dask gives it up"
    assert await told("tcp://s", *HANGS, *HANGS[15:]) == [line, "the end"]


async def test_a_worker_that_was_slow_is_not_named(autojump_clock: MockClock) -> None:
    assert await told("tcp://s", *HANGS[1:], there(8.0), *HANGS[10:]) == ["the end"]


async def test_when_the_last_worker_is_lost_the_command_says_how_to_start_one(autojump_clock: MockClock) -> None:
    line = "no worker can play: `dask worker tcp://s` starts one"
    assert await told("tcp://s", *[{}] * PATIENCE) == [line, "the end"]
    assert await told("tcp://s", there(1.0), *[{}] * (PATIENCE + 5)) == [LOST, line, "the end"]


async def test_when_the_last_worker_of_this_machine_is_lost_the_run_ends(autojump_clock: MockClock) -> None:
    assert await told("local:1", {}, there(1.0), {}) == [
        LOST, "no worker on this machine can play; the lines above say why"
    ]  # fmt: skip
