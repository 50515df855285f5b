"""A match of one program from tests/programs against honest players, and the check that no test leaves anything behind."""

import os
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import trio
from seating import Deaf, Hears, contenders

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Fault, State, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.process_player import ProcessPlayer
from referee.players.table import seated
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.program import Program

BOTS: Final = Path(__file__).parents[1] / "programs"
SEATS, CULPRIT, ROUNDS = 3, 1, 3
PATIENT: Final = TimeControl(first=45.0, answer=45.0, total=None)
"""For players that must not time out, however busy the machine is."""
IMPATIENT: Final = TimeControl(first=45.0, answer=0.3, total=None)
"""For players that never answer an action."""


def _bot(name: str) -> Program:
    # Without site, user folders and environment it starts in 15 ms instead of 40. -I would hide the module `asked`.
    return Program(name, [sys.executable, "-S", "-s", "-E", "-B", str(BOTS / f"{name}.py")], BOTS)


@pytest.fixture
def bot() -> Callable[[str], Program]:
    """A function that makes the launch of a program of tests/programs."""
    return _bot


class Tally:
    """An observer that counts the answers and the faults of each player."""

    def __init__(self, players: Sequence[ProcessPlayer]) -> None:
        self.answers: Counter[int] = Counter()
        self.faults: dict[int, Fault] = {}
        self._players = players

    def step(self, step: Step) -> None:
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                assert answer.seat not in self.faults, "asked again after a fault"
                assert self._players[answer.seat]._process.ended, (
                    "a fault ends the process before anybody else is asked"
                )
                self.faults[answer.seat] = answer.action
            else:
                self.answers[answer.seat] += 1

    def end(self, outcome: Outcome, final: Position) -> None:
        """Does nothing: `play` returns the outcome."""


@dataclass(frozen=True)
class Played:
    """The result of a match."""

    outcome: Outcome
    tally: Tally
    culprit: ProcessPlayer

    @property
    def fault(self) -> Fault | None:
        """The fault of the culprit, if any."""
        return self.tally.faults.get(CULPRIT)

    @property
    def name(self) -> str:
        """The culprit's name in the ranking."""
        return next(ranked.name for ranked in self.outcome.ranking if ranked.seat == CULPRIT)

    def assert_others_did_not_suffer(self) -> None:
        """Checks that the match went on to its end and that the honest players answered every request."""
        assert (self.outcome.reason, self.outcome.rounds) == ("rounds", ROUNDS)
        assert set(self.tally.faults) <= {CULPRIT}
        assert [ranked.seat for ranked in self.outcome.ranking if ranked.disqualified] == list(self.tally.faults)
        honest = set(range(SEATS)) - {CULPRIT}
        assert {seat: self.tally.answers[seat] for seat in honest} == dict.fromkeys(honest, 1 + ROUNDS)


def launches(program: str) -> list[Program]:
    """The launches for a match: honest programs around the culprit."""
    return [_bot(program if seat == CULPRIT else "honest") for seat in range(SEATS)]


Table = tuple[State[Any, Any], Sequence[ProcessPlayer], Sequence[Clock], trio.Event]
Contest = Callable[..., Awaitable[Played]]


def setup(size: int, rounds: int = ROUNDS) -> Position:
    """An empty field, on which players can only wait."""
    pythons = [{"cells": [[2 * seat, 0]]} for seat in range(SEATS)]
    return {"size": size, "rounds": rounds, "field": ["." * size] * size, "pythons": pythons}


@pytest.fixture
def contest() -> Contest:
    """Plays `program` between two honest bots.

    `impatient` is for programs that never answer an action. Some programs log `ready` when they have done something that
    shows in no other way. `ready` says when to wait for that: `before` the first request, or `behind` the first action.
    """

    async def play(program: str, *, impatient: bool = False, size: int = 8, ready: str = "") -> Played:
        is_ready = trio.Event()

        def hear(data: bytes) -> None:
            if b"ready\n" in data:
                is_ready.set()

        async def pace(step: Step) -> None:
            if ready == "behind" and step.answers[0].seat == CULPRIT and step.ask == "getAction":
                await is_ready.wait()

        clocks = [Clock(IMPATIENT if impatient and seat == CULPRIT else PATIENT) for seat in range(SEATS)]
        taps = [Hears(hear) if seat == CULPRIT else None for seat in range(SEATS)]
        async with seated(BareSandbox(), GAME, contenders(launches(program), taps=taps)) as players:
            tally = Tally(players)
            if ready == "before":
                await is_ready.wait()
            state = GAME.start(setup(size), 7)
            outcome = await loop.play(state, players, clocks, observers=[tally], pace=pace if ready else None)
        return Played(outcome, tally, players[CULPRIT])

    return play


@pytest.fixture
def table() -> Callable[[str], AbstractAsyncContextManager[Table]]:
    """A match that a test interrupts: its state, players and clocks, and an event for the first request of an action."""

    @asynccontextmanager
    async def lay(program: str) -> AsyncIterator[Table]:
        asked = trio.Event()

        class Listens(Deaf):
            def sent(self, data: bytes) -> None:
                if data.startswith(b"getAction"):
                    asked.set()

        size = 300 if program == "never_reads" else 8
        taps = [Listens() if seat == CULPRIT else None for seat in range(SEATS)]
        async with seated(BareSandbox(), GAME, contenders(launches(program), taps=taps)) as players:
            yield GAME.start(setup(size, rounds=10**4), 7), players, [Clock(PATIENT) for _ in range(SEATS)], asked

    return lay


@pytest.fixture
def told_children() -> Callable[[ProcessPlayer], list[int]]:
    """The processes that a program said it would leave."""
    return lambda player: [int(pid) for pid in re.findall(rb"^child (\d+)$", player.log.both_ends(), re.MULTILINE)]


@pytest.fixture(autouse=True)
def nothing_left(no_garbage: None) -> Iterator[None]:
    """No test leaves a descriptor, a child or a zombie behind."""
    before = _descriptors(), _children()
    yield
    assert _descriptors() == before[0]
    assert _children() <= before[1]  # a sweep may reap zombies of other tests


def _children() -> set[int]:
    """All child processes, including zombies, found independently of the code under test."""
    pids = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            _state, parent, *_ = (folder / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:  # it has ended since
            continue
        if int(parent) == os.getpid():
            pids.add(int(folder.name))
    return pids


def _descriptors() -> dict[str, str]:
    folder = "/proc/self/fd"
    descriptors = {}
    for name in os.listdir(folder):
        try:
            descriptors[name] = os.readlink(f"{folder}/{name}")
        except FileNotFoundError:  # the one that lists the folder
            continue
    return descriptors
