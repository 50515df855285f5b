"""A match of one program from tests/programs against honest players, and the check that no test leaves anything behind."""

import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import contests
import leftovers
import pytest
import trio
from contests import CULPRIT, IMPATIENT, PATIENT, SEATS, Played, setup
from seating import Deaf, contenders

from referee.contract.clock import Clock
from referee.contract.game import State
from referee.games.snakecore.plugin import GAME
from referee.players.process_player import ProcessPlayer
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.program import Program

BOTS: Final = Path(__file__).parents[1] / "programs"


def _bot(name: str) -> Program:
    # Without site, user folders and environment it starts in 15 ms instead of 40. -I would hide the module `asked`.
    return Program(name, [sys.executable, "-S", "-s", "-E", "-B", str(BOTS / f"{name}.py")], BOTS)


@pytest.fixture
def bot() -> Callable[[str], Program]:
    """A function that makes the launch of a program of tests/programs."""
    return _bot


Table = tuple[State[Any, Any], Sequence[ProcessPlayer], Sequence[Clock], trio.Event]
Contest = Callable[..., Awaitable[Played]]


@pytest.fixture
def contest() -> Contest:
    """Plays `program` between two honest bots; `impatient` is for programs that never answer an action."""

    async def play(program: str, *, impatient: bool = False, **how: Any) -> Played:
        time = IMPATIENT if impatient else PATIENT
        return await contests.contest(BareSandbox(), _bot(program), _bot("honest"), time=time, **how)

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
        programs = [_bot(program if seat == CULPRIT else "honest") for seat in range(SEATS)]
        async with seat_players(BareSandbox(), GAME, contenders(programs, taps=taps)) as players:
            yield GAME.start(setup(size, rounds=10**4), 7), players, [Clock(PATIENT) for _ in range(SEATS)], asked

    return lay


@pytest.fixture
def told_children() -> Callable[[ProcessPlayer], list[int]]:
    """The processes that a program said it would leave."""
    return lambda player: [int(pid) for pid in re.findall(rb"^child (\d+)$", player.log.both_ends(), re.MULTILINE)]


@pytest.fixture(autouse=True)
def nothing_left(no_garbage: None) -> Iterator[None]:
    """No test leaves a descriptor, a child or a zombie behind."""
    with leftovers.nothing_left():
        yield
