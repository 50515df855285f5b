"""A player's clock runs only while the player can run; time lost by its own tricks is charged.

Real programs run on a real machine. Other load on it changes how long a verdict takes, but not the verdict.
"""

import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from seating import contenders

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Answer, Fault, FaultKind, Request
from referee.games.snakecore.plugin import GAME
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox

pytestmark = pytest.mark.machine

PATIENT, LIMIT = 45.0, 0.5
ASKED = """
import sys
sys.path.insert(0, sys.argv[1])
from asked import play_until_action
play_until_action()
"""
SPINS = ASKED + "while True: pass\n"
PINNED = ASKED + "import os\nos.sched_setaffinity(0, {int(sys.argv[2])})\nos.nice(19)\nwhile True: pass\n"
WORKS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from asked import answer, requests
for request in requests():
    end = time.process_time() + 0.05
    while request == "getAction" and time.process_time() < end: pass
    answer(request)
"""
MANY_THREADS = (
    ASKED
    + """
import hashlib, threading
data = bytes(1 << 20)

def burn():
    while True:
        hashlib.sha256(data)  # runs beside all others of its kind

for _ in range(24):
    threading.Thread(target=burn).start()
"""
)
PONDERS = MANY_THREADS.removeprefix(ASKED)
# Each keeps the referee or itself from running, or seems to.
TRICKS = {
    "many threads": MANY_THREADS,
    "stops itself": ASKED + "import os\nos.kill(os.getpid(), 19)\n",
    "sleeps": ASKED + "import threading\nthreading.Event().wait()\n",
    "waits in the kernel": ASKED
    + """
import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    os.mkfifo(f"{folder}/fifo")
    # The parent waits until the child has opened the FIFO, which nobody writes.
    os.posix_spawn("/bin/true", ["true"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, f"{folder}/fifo", os.O_RDONLY, 0)])
""",
    "steps aside": ASKED + "import os\nwhile True: os.sched_yield()\n",
    "floods its log": ASKED + "import os\nwhile True: os.write(2, bytes(1 << 16))\n",
    "drips into its log": ASKED + "import os\nwhile True: os.write(2, b'.')\n",
    "drips its answer": ASKED + "import os, threading\n"
    "for _ in range(1000): os.write(1, b'.'); threading.Event().wait(0.005)\n",
}


@pytest.fixture
def program(tmp_path: Path, bot: Callable[[str], Any]) -> Callable[..., Any]:
    """A function that makes a program from its text and arguments."""

    def write(text: str, *arguments: str) -> Any:
        honest = bot("honest")
        script = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
        script.write_text(text)
        return replace(honest, argv=[*honest.argv[:-1], str(script), str(honest.cwd), *arguments])

    return write


@pytest.fixture
def busy_processor() -> Iterator[int]:
    """A processor that another process keeps busy all the time."""
    processor = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{processor}}}); print(flush=True)\nwhile True: pass"
    with subprocess.Popen(
        [sys.executable, "-c", spin], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
    ) as spinner:
        spinner.stdout.readline()
        yield processor
        spinner.kill()


@pytest.fixture
def one_processor() -> Iterator[None]:
    """The referee and all players share one processor, so only one of them runs at a time."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    yield
    os.sched_setaffinity(0, before)


USUAL = TimeControl(PATIENT, LIMIT, None)


@asynccontextmanager
async def asked(program: Any, limits: TimeControl, rivals: Sequence[Any] = ()) -> AsyncIterator[Callable[[], Any]]:
    """Asks a program, `pid`, for an action whenever the function is called; its rivals are not asked."""
    clock = Clock(limits)
    programs = [program, *rivals]
    pythons = [{"cells": [[2 * seat, 0]]} for seat in range(len(programs))]
    state = GAME.start({"size": 8, "rounds": 1, "field": ["........"] * 8, "pythons": pythons}, 7)
    async with seat_players(BareSandbox(), GAME, contenders(programs)) as players:

        async def ask() -> Answer[Any]:
            answer = await players[0].ask(Request(0, "getAction", state), clock)
            clock.charge(answer.elapsed, answer.cpu)
            return answer

        named = await players[0].ask(Request(0, "getName", state), clock)
        assert named.text == "bot"
        clock.charge(named.elapsed, named.cpu)
        ask.pid = players[0]._process.cell.pid  # type: ignore[attr-defined]
        yield ask


async def verdict(program: Any, limits: TimeControl = USUAL) -> Answer[Any]:
    """The result of an action that is never answered."""
    async with asked(program, limits) as ask:
        answer = await ask()
    assert isinstance(answer.action, Fault)
    return answer


def assert_late(answer: Answer[Any], limit: float = LIMIT) -> None:
    assert answer.action.kind is FaultKind.TIMEOUT
    assert answer.action.detail.startswith(f"no answer within {limit:g} s")
    assert answer.elapsed >= limit


async def test_a_program_that_hardly_gets_a_processor_is_late_when_it_has_had_its_time(program, busy_processor):
    answer = await verdict(program(PINNED, str(busy_processor)), TimeControl(PATIENT, 0.05, None))
    assert_late(answer, 0.05)
    assert answer.cpu < answer.elapsed + answer.late


async def test_a_program_that_computes_and_does_not_answer_is_late(program):
    assert_late(await verdict(program(SPINS)))


@pytest.mark.parametrize("trick", TRICKS)
async def test_no_program_makes_its_own_timeout_void(program, trick, one_processor):
    assert_late(await verdict(program(TRICKS[trick])))


async def test_the_message_says_that_a_program_waited_in_the_kernel(program):
    answer = await verdict(program(TRICKS["waits in the kernel"]))
    assert_late(answer)
    assert " s it did not run but waited in the kernel, as for a disk" in answer.action.detail


async def test_a_program_that_uses_up_its_cpu_time_is_out_even_on_a_busy_processor(program, busy_processor):
    """A stall affects wall time but not CPU time, so the match is not void."""
    answer = await verdict(program(PINNED, str(busy_processor)), TimeControl(PATIENT, PATIENT, 0.2, "cpu"))
    assert answer.action == Fault(FaultKind.TIMEOUT, "the 0.2 s of CPU time for all answers together are used up")
    assert answer.cpu > 0.1


class StandsStill(trio.abc.Instrument):
    """Makes the machine seem to stand still once during `ask`: the player does not run, and the sleep of the event loop ends
    too late.
    """

    def __init__(self) -> None:
        self.pid: int | None = None

    def before_io_wait(self, timeout: float) -> None:
        if timeout > 0 and self.pid is not None:
            pid, self.pid = self.pid, None
            os.kill(pid, signal.SIGSTOP)
            select.select([], [], [], 2 * LIMIT)  # the time that is not to be charged
            os.kill(pid, signal.SIGCONT)


async def test_no_player_is_late_because_the_machine_stood_still(program):
    async with asked(program(WORKS), USUAL) as ask:
        machine = StandsStill()
        trio.lowlevel.add_instrument(machine)
        machine.pid = ask.pid
        answer = await ask()
        trio.lowlevel.remove_instrument(machine)
    assert answer.text == "N", answer.action
    assert answer.elapsed <= LIMIT
    assert answer.late >= LIMIT


async def test_rivals_that_take_the_processors_are_stopped_while_it_is_not_their_turn(program, one_processor):
    """Otherwise they would get nearly all of the one processor. Each answer takes the player a tenth of its limit."""
    ponders = program(PONDERS)
    works = program(WORKS)
    async with asked(works, TimeControl(PATIENT, LIMIT, None), [ponders, ponders]) as ask:
        for _ in range(2):
            answer = await ask()
            assert answer.text == "N", answer.action
            assert 0.05 <= answer.elapsed < LIMIT
