"""A machine that does not run a player is to blame for its timeout; a player that brings that about is not excused.

Real programs on a real machine, which may be busy with something else: then `void` is right for any of them. So a match that
was spoiled is played again, as whoever runs matches would; but only if others really had the processors meanwhile.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from starting import started

from referee.clock import Clock, TimeControl
from referee.game import Answer, Fault, FaultKind, Request
from referee.games.snakecore import GAME
from referee.players.fairness import HostStalled

TRIES = 3
PATIENT, LIMIT = 45.0, 1.0
ASKED = """
import sys
sys.path.insert(0, sys.argv[1])
from asked import play_until_action
play_until_action()
"""
SPINS = ASKED + "while True: pass\n"
PINNED = ASKED + "import os\nos.sched_setaffinity(0, {int(sys.argv[2])})\nos.nice(19)\nwhile True: pass\n"
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
# Each keeps the referee or itself from running, or looks as if.
TRICKS = {
    "many threads": MANY_THREADS,
    "stops itself": ASKED + "import os\nos.kill(os.getpid(), 19)\n",
    "sleeps": ASKED + "import threading\nthreading.Event().wait()\n",
    "steps aside": ASKED + "import os\nwhile True: os.sched_yield()\n",
    "floods its log": ASKED + "import os\nwhile True: os.write(2, bytes(1 << 16))\n",
    "drips into its log": ASKED + "import os\nwhile True: os.write(2, b'.')\n",
    "drips its answer": ASKED + "import os, threading\n"
    "for _ in range(1000): os.write(1, b'.'); threading.Event().wait(0.005)\n",
}


@pytest.fixture
def program(tmp_path: Path, bot: Callable[[str], Any]) -> Callable[..., Any]:
    """A program by its text, which gets these arguments."""

    def write(text: str, *arguments: str) -> Any:
        honest = bot("honest")
        script = tmp_path / "program.py"
        script.write_text(text)
        return replace(honest, argv=[*honest.argv[:-1], str(script), str(honest.cwd), *arguments])

    return write


@pytest.fixture
def busy_processor() -> Iterator[int]:
    """One that somebody keeps busy all the time."""
    processor = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{processor}}}); print(flush=True)\nwhile True: pass"
    with subprocess.Popen(
        [sys.executable, "-c", spin], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
    ) as spinner:
        assert spinner.stdout is not None
        spinner.stdout.readline()
        yield processor
        spinner.kill()


@pytest.fixture
def one_processor() -> Iterator[None]:
    """Referee and players all run on the same one, where each can only run in another's place."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    yield
    os.sched_setaffinity(0, before)


USUAL = TimeControl(PATIENT, LIMIT, None)


async def verdict(program: Any, limits: TimeControl = USUAL) -> Answer[Any] | HostStalled:
    """What comes of an action that is never answered."""
    clock = Clock(limits)
    state = GAME.start({"size": 4, "rounds": 1, "field": ["...."] * 4, "pythons": [{"cells": [[0, 0]]}] * 1}, 7)
    async with trio.open_nursery() as nursery:
        player = await started(program, 0, nursery)
        try:
            named = await player.ask(Request(0, "getName", state), clock)
            assert named.text == "bot"
            clock.charge(named.elapsed, named.cpu)
            answer = await player.ask(Request(0, "getAction", state), clock)
        except HostStalled as stalled:
            return stalled
        finally:
            await player.end(grace=0)
    assert isinstance(answer.action, Fault)
    return answer


def used_by_others() -> float:
    """CPU seconds of everybody but this process and what it started and has ended, since some moment."""
    _cpu, user, nice, system, _idle, _iowait, irq, softirq, steal, *_ = Path("/proc/stat").read_text().split()
    all_of_them = sum(map(int, (user, nice, system, irq, softirq, steal))) / os.sysconf("SC_CLK_TCK")
    own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return all_of_them - sum(used.ru_utime + used.ru_stime for used in own)


async def assert_late(program: Any) -> None:
    """Its timeout is booked, or it was spoiled by others each time: they ran, while it did not."""
    for _ in range(TRIES):
        before = used_by_others()
        judged = await verdict(program)
        if isinstance(judged, Answer):
            assert judged.action.kind is FaultKind.TIMEOUT
            assert judged.action.detail.startswith("no answer within 1 s")
            return
        assert used_by_others() - before > judged.stall.seconds / 4, f"nobody else ran, and yet: {judged}"


async def test_who_is_not_run_because_somebody_else_has_its_processor_is_not_to_blame(program, busy_processor):
    judged = await verdict(program(PINNED, str(busy_processor)))
    assert isinstance(judged, HostStalled), judged
    assert judged.stall.seconds > 0.1 * LIMIT


async def test_who_has_a_processor_and_does_not_answer_is_late(program):
    await assert_late(program(SPINS))


@pytest.mark.parametrize("trick", TRICKS)
async def test_no_program_makes_its_own_timeout_void(program, trick, one_processor):
    await assert_late(program(TRICKS[trick]))


async def test_who_burns_up_its_cpu_time_is_out_wherever_it_is_run(program, busy_processor):
    """A stall changes what the wall clock says, not what the CPU clock does: even here the match is not void."""
    judged = await verdict(program(PINNED, str(busy_processor)), TimeControl(PATIENT, PATIENT, 0.2, "cpu"))
    assert isinstance(judged, Answer)
    assert judged.action == Fault(FaultKind.TIMEOUT, "the 0.2 s of CPU time for all answers together are used up")
    assert judged.cpu is not None
    assert judged.cpu > 0.1
