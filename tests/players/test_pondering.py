"""Without pondering, a program is stopped while it is not asked, and nothing else about it changes."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from contests import setup
from players.witnessing import Own
from seating import Hears, contenders

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Fault, FaultKind, Request
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.pondering import Pondering
from referee.players.process_player import ProcessPlayer
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareLaunch, BareSandbox
from referee.sandbox.meter import cpu_clock

PATIENT = TimeControl(first=45.0, answer=45.0, total=None)
NAME = Request(0, "getName", None)
PONDERS = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from asked import play

def ponder():
    while True:
        pass

threading.Thread(target=ponder, daemon=True).start()
play()
"""


@pytest.fixture
def ponders(tmp_path: Path, bot: Callable[[str], Any]) -> Any:
    """A program with a second thread that never rests."""
    honest = bot("honest")
    (tmp_path / "ponders.py").write_text(PONDERS)
    return replace(honest, argv=[*honest.argv[:-1], str(tmp_path / "ponders.py"), str(honest.cwd)], name="ponders")


async def started(bot: Any, nursery: trio.Nursery, *, pondering: bool, tap: Any = None) -> ProcessPlayer:
    player = ProcessPlayer(BareLaunch(bot), GAME, 0, pondering=Pondering(allowed=pondering), own=Own(), tap=tap)
    await player.settle(nursery)
    return player


def used_by(player: ProcessPlayer) -> float:
    """CPU seconds until now."""
    pid = player._process.cell.pid
    return cpu_clock(pid)()


def wait_until_stopped(player: ProcessPlayer) -> None:
    """Waits for the stop, because a signal takes some microseconds to arrive."""
    os.waitid(os.P_PID, player._process.cell.pid, os.WSTOPPED | os.WNOWAIT)


async def until_it_used(player: ProcessPlayer, more: float) -> None:
    goal = used_by(player) + more
    while used_by(player) < goal:
        await trio.lowlevel.checkpoint()


async def test_between_requests_only_a_program_that_may_ponder_uses_cpu_time(ponders):
    async with trio.open_nursery() as nursery:
        still = await started(ponders, nursery, pondering=False)
        thinks = await started(ponders, nursery, pondering=True)
        for _ in range(3):
            for player in (still, thinks):
                assert (await player.ask(NAME, Clock(PATIENT))).text == "bot"
            wait_until_stopped(still)
            before = used_by(still)
            await until_it_used(thinks, 0.1)
            assert used_by(still) == before
            assert not still._process.is_over(), "a stopped program has not ended"
        for player in (still, thinks):
            await player.end(grace=0)


async def test_cpu_time_between_two_requests_is_in_no_answer(ponders):
    async with trio.open_nursery() as nursery:
        thinks = await started(ponders, nursery, pondering=True)
        await thinks.ask(NAME, Clock(PATIENT))
        await until_it_used(thinks, 1.0)
        before = used_by(thinks)
        assert 0 < (await thinks.ask(NAME, Clock(PATIENT))).cpu <= used_by(thinks) - before
        await thinks.end(grace=0)


async def test_a_program_runs_until_its_first_request_so_it_can_start_up(ponders):
    async with trio.open_nursery() as nursery:
        still = await started(ponders, nursery, pondering=False)
        await until_it_used(still, 0.1)
        await still.end(grace=0)


async def test_without_pondering_a_program_does_not_run_meanwhile(bot):
    stopped: list[bool] = []
    async with trio.open_nursery() as nursery:
        still = await started(bot("honest"), nursery, pondering=False)
        clock = Clock(PATIENT)
        await still.ask(NAME, clock)
        wait_until_stopped(still)
        pid = still._process.cell.pid

        def meanwhile() -> None:
            stopped.append(os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT | os.WNOHANG) is not None)

        assert still.at_once(NAME, clock, meanwhile) or await still.ask(NAME, clock)
        await still.end(grace=0)
    assert stopped == [True]


async def test_a_stopped_program_is_resumed_for_its_last_words(bot):
    heard = bytearray()
    async with trio.open_nursery() as nursery:
        still = await started(bot("says_goodbye"), nursery, pondering=False, tap=Hears(heard.extend))
        await still.ask(NAME, Clock(PATIENT))
        wait_until_stopped(still)
        await still.end(grace=30.0)
    assert heard == b"goodbye\n"


@pytest.mark.parametrize("how", ["ended", "cancelled"])
async def test_a_stopped_program_can_be_ended(bot, how):
    async with trio.open_nursery() as nursery:
        still = await started(bot("ignores_sigterm"), nursery, pondering=False)
        await still.ask(NAME, Clock(PATIENT))
        wait_until_stopped(still)
        if how == "cancelled":
            nursery.cancel_scope.cancel()
        await still.end(grace=0)


async def test_a_program_that_ends_between_requests_is_found_at_its_next_request(bot):
    """SIGKILL also reaches a stopped program."""
    async with trio.open_nursery() as nursery:
        still = await started(bot("honest"), nursery, pondering=False)
        await still.ask(NAME, Clock(PATIENT))
        wait_until_stopped(still)
        os.kill(still._process.cell.pid, 9)
        answer = await still.ask(NAME, Clock(PATIENT))
    assert answer.action == Fault(FaultKind.EXIT, "ended by signal 9 (SIGKILL)")


async def test_output_before_the_first_request_is_a_fault(bot):
    ready = trio.Event()
    tap = Hears(lambda data: ready.set() if b"ready" in data else None)
    async with trio.open_nursery() as nursery:
        still = await started(bot("speaks_first"), nursery, pondering=False, tap=tap)
        await ready.wait()
        answer = await still.ask(NAME, Clock(PATIENT))
    assert answer.action == Fault(FaultKind.INVALID, 'output without a request: "bot\\n"')


async def test_a_match_without_pondering_is_played_to_its_end(bot):
    async with seat_players(BareSandbox(), GAME, contenders([bot("honest")] * 3), pondering=False) as players:
        clocks = [Clock(PATIENT) for _ in range(3)]
        outcome = await loop.play(GAME.start(setup(8, rounds=20), 7), players, clocks)
    assert (outcome.reason, outcome.rounds) == ("rounds", 20)
    assert [clock.answers for clock in clocks] == [21] * 3


# -- when a player is starved ----------------------------------------------------------------------------------------


class Noted:
    """A program that records its stops and resumes."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def pause(self) -> None:
        self.done.append("stop")

    def resume(self) -> None:
        self.done.append("go on")


def table(seats: int, *, allowed: bool = True) -> tuple[Pondering, list[Any]]:
    pondering, programs = Pondering(allowed=allowed), [Noted() for _ in range(seats)]
    for program in programs:
        pondering.join(program)  # type: ignore[arg-type]
    return pondering, programs


def test_players_that_are_not_due_are_stopped_until_the_answer_is_there():
    pondering, (starved, *others) = table(3)
    with pondering.due(starved):
        assert pondering.stop()
        assert pondering.stop(), "a second stop does nothing"
        assert [program.done for program in others] == [["stop"]] * 2
    assert [program.done for program in others] == [["stop", "go on"]] * 2
    assert starved.done == []


def test_of_several_due_players_each_is_stopped_when_it_has_answered():
    pondering, (starved, due, done) = table(3)
    with pondering.due(starved):
        with pondering.due(due):
            assert pondering.stop()
            assert (due.done, done.done) == ([], ["stop"])
        assert due.done == ["stop"]
    assert (starved.done, due.done, done.done) == ([], ["stop", "go on"], ["stop", "go on"])


def test_nothing_is_stopped_for_a_lone_player_or_without_pondering():
    pondering, (alone,) = table(1)
    with pondering.due(alone):
        assert not pondering.stop()
    pondering, programs = table(2, allowed=False)
    with pondering.due(programs[0]):
        assert not pondering.stop()
    assert [program.done for program in programs] == [[], []]


def test_a_player_that_has_left_is_neither_stopped_nor_resumed():
    pondering, (starved, left, ends) = table(3)
    pondering.leave(left)
    with pondering.due(starved):
        pondering.stop()
        pondering.leave(ends)
    assert (left.done, ends.done) == ([], ["stop"])
