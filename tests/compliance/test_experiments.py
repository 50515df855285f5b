"""Experiments by themselves: evidence in, a diagnosis out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee import bots as bot_room
from referee.clock import TimeControl
from referee.compliance.encounter import Arena, Evidence, Ready
from referee.compliance.experiments import Laboratory
from referee.game import Fault, FaultKind
from referee.games.snakecore import GAME
from referee.players.fairness import HostStalled, Stall
from referee.sandbox.cells.bare import BareSandbox

from .conftest import HERE

TIME = TimeControl(first=4.0, answer=1.0, total=30.0)


async def laboratory(program: str) -> Laboratory:
    """For a program that nothing isolates."""
    bot, sandbox = bot_room.find(str(HERE / program)), BareSandbox()
    return Laboratory(Arena(GAME, bot, Ready(sandbox, bot, await sandbox.prepare(bot)), TIME), None, None)


def evidence(kind: FaultKind, **changes: Any) -> Evidence:
    """A fault at the first board of a head alone."""
    (trial,) = (trial for trial in GAME.trials() if trial.title == "a head alone")
    state = GAME.start(trial.setup, 1)
    requests = [GAME.encode(state.requests()[0])]
    for _ in range(state.seats):
        state.advance(["bot"])
    requests.append(GAME.encode(state.requests()[0]))
    found = Evidence(
        Fault(kind, "no answer within 1 s"), "getAction", requests, b"", b"bot\n", 1.0, None, 1.0,
        put=True, total=False, log=[],
    )  # fmt: skip
    return replace(found, **changes)


async def test_who_answers_when_it_is_asked_again_was_late_by_chance():
    found = await (await laboratory("clean.py")).diagnose(evidence(FaultKind.TIMEOUT))
    assert found is not None
    assert found.fault == "irregular"


async def test_who_was_given_up_and_answers_has_no_fault():
    assert await (await laboratory("clean.py")).diagnose(evidence(FaultKind.TIMEOUT, gave_up=True)) is None


STALLED = HostStalled(0, Stall("player", 0.5, 1.0))


async def test_a_machine_that_was_too_busy_is_no_fault_of_a_bot_that_answers():
    with pytest.raises(HostStalled) as raised:
        await (await laboratory("clean.py")).diagnose(evidence(FaultKind.TIMEOUT, stalled=STALLED))
    assert raised.value is STALLED


async def test_a_machine_that_was_too_busy_is_no_excuse_for_who_computes_for_longer_than_its_limit():
    found = await (await laboratory("endless_loop.py")).diagnose(evidence(FaultKind.TIMEOUT, stalled=STALLED))
    assert found is not None
    assert found.fault == "endless-loop"


async def test_who_was_ended_for_its_memory_reads_how_much_it_was():
    fault = Fault(FaultKind.SANDBOX, "used 1500 MiB of memory, 1024 are allowed")
    found = await (await laboratory("clean.py")).diagnose(evidence(FaultKind.SANDBOX, fault=fault))
    assert found is not None
    assert (found.fault, found.says) == ("memory", "it used 1500 MiB of memory, 1024 are allowed")
    assert "--memory" in found.change
