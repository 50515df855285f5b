"""The two bare loops that all is compared with: write a request, read an answer, blocking; no deadline, no rules, no record.

1. A message is sent when the answer to the one before is there, also where a game asks several players at the same moment.
2. Players are started in sessions of their own, as the referee starts them: the kernel shares a processor out by session
   where it groups processes so (`sched_autogroup`), and on a busy machine that is felt.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.setting import Setting
from benchmarks.work import Work, unpacked

ANSWER: Final = 4096
"""Bytes of an answer that are read at once: more than any has."""
C_LOOP: Final = "C loop"
PYTHON_LOOP: Final = "Python loop"


class WrongError(Exception):
    """A measurement that did something else than what it was to measure."""


def loops(setting: Setting, work: Work) -> dict[str, Callable[[], float]]:
    """The loops with a work's messages, to be measured in turn with what they are to stand beside; seconds.

    Without a C compiler there is no C loop.
    """
    python: dict[str, Callable[[], float]] = {PYTHON_LOOP: partial(python_loop, work)}
    return python if setting.compiler is None else {C_LOOP: partial(c_loop, setting, work), **python}


def python_loop(work: Work) -> float:
    """A work's messages through a Python loop: seconds."""
    return python_loop_in(work.folder, work.player, work.seats)


def python_loop_in(folder: Path, player: Sequence[str], seats: int) -> float:
    """The messages of a folder through a Python loop: seconds.

    Raises:
        WrongError: a player ended in another way than its script.
    """
    return python_loop_with(unpacked((folder / "messages").read_bytes()), folder, player, seats)


def python_loop_with(messages: Sequence[tuple[int, bytes]], folder: Path, player: Sequence[str], seats: int) -> float:
    """The same with messages that have been read.

    Raises:
        WrongError: a player ended in another way than its script.
    """
    with ExitStack() as stack:
        programs = [stack.enter_context(started(folder, player, seat)) for seat in range(seats)]
        ends = [pipes_of(program) for program in programs]
        for seat, data in messages[:seats]:
            os.write(ends[seat][0], data)
            os.read(ends[seat][1], ANSWER)
        write, read = os.write, os.read
        began = perf_counter()
        for seat, data in messages[seats:]:
            to, back = ends[seat]
            write(to, data)
            read(back, ANSWER)
        took = perf_counter() - began
        check(programs)
    return took


def c_loop(setting: Setting, work: Work) -> float:
    """A work's messages through a C loop: seconds.

    Raises:
        UnavailableError: there is no C compiler.
    """
    return c_loop_in(setting, work.folder, work.player, work.seats)


def c_loop_in(setting: Setting, folder: Path, player: Sequence[str], seats: int) -> float:
    """The messages of a folder through a C loop: seconds.

    Raises:
        UnavailableError: there is no C compiler. WrongError: a player ended in another way than its script.
    """
    scripts = [f"script.{seat}" for seat in range(seats)]
    command: list[str | Path] = [setting.built("loop"), "messages", *player, "--", *scripts]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise WrongError(f"the C loop ended with status {done.returncode}")
    return int(done.stdout) / 1e9


def started(folder: Path, player: Sequence[str], seat: int) -> subprocess.Popen[bytes]:
    """A player with its script, in a session of its own as the referee's players are."""
    return subprocess.Popen(
        [*player, f"script.{seat}"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )


def pipes_of(program: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Where to write requests, and where to read answers."""
    assert program.stdin is not None
    assert program.stdout is not None
    return program.stdin.fileno(), program.stdout.fileno()


def check(programs: Sequence[subprocess.Popen[bytes]]) -> None:
    """End the players, and see that they played their scripts to the end.

    Raises:
        WrongError: one did not.
    """
    for program in programs:
        assert program.stdin is not None
        program.stdin.close()
    for program in programs:
        if status := program.wait():
            raise WrongError(f"a player ended with status {status}: it was not asked what its script says")
