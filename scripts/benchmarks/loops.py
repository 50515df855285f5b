"""The two bare loops for comparison: write a request, read an answer, blocking; no deadlines, no rules, no record.

1. A message is sent after the answer to the previous one, even if a game asks several players at once.
2. Players are started in their own sessions, as the referee does: kernels with `sched_autogroup` share processors between
   sessions, which matters on a busy machine.
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
"""Bytes to read at once: more than any answer has."""
C_LOOP: Final = "C loop"
PYTHON_LOOP: Final = "Python loop"


class WrongError(Exception):
    """A measured program did not do what it should."""


def loops(setting: Setting, work: Work) -> dict[str, Callable[[], float]]:
    """The loops with a work's messages; each returns seconds. Measure them in turn with what they are compared with.

    Without a C compiler, there is no C loop.
    """
    python: dict[str, Callable[[], float]] = {PYTHON_LOOP: partial(python_loop, work)}
    return python if setting.compiler is None else {C_LOOP: partial(c_loop, setting, work), **python}


def python_loop(work: Work) -> float:
    """A work's messages through a Python loop: seconds."""
    return python_loop_in(work.folder, work.player, work.seats)


def python_loop_in(folder: Path, player: Sequence[str], seats: int) -> float:
    """The messages of a folder through a Python loop: seconds.

    Raises:
        WrongError: a player did not play its script to the end.
    """
    return python_loop_with(unpacked((folder / "messages").read_bytes()), folder, player, seats)


def python_loop_with(messages: Sequence[tuple[int, bytes]], folder: Path, player: Sequence[str], seats: int) -> float:
    """The same for messages that have already been read.

    Raises:
        WrongError: a player did not play its script to the end.
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
        UnavailableError: there is no C compiler. WrongError: a player did not play its script to the end.
    """
    scripts = [f"script.{seat}" for seat in range(seats)]
    command: list[str | Path] = [setting.built("loop"), "messages", *player, "--", *scripts]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise WrongError(f"the C loop ended with status {done.returncode}")
    return int(done.stdout) / 1e9


def started(folder: Path, player: Sequence[str], seat: int) -> subprocess.Popen[bytes]:
    """A player with its script, in its own session like the referee's players."""
    return subprocess.Popen(
        [*player, f"script.{seat}"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )


def pipes_of(program: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The descriptors to write requests to and to read answers from."""
    assert program.stdin is not None
    assert program.stdout is not None
    return program.stdin.fileno(), program.stdout.fileno()


def check(programs: Sequence[subprocess.Popen[bytes]]) -> None:
    """End the players, and check that they played their scripts to the end.

    Raises:
        WrongError: one did not.
    """
    for program in programs:
        assert program.stdin is not None
        program.stdin.close()
    for program in programs:
        if status := program.wait():
            raise WrongError(f"a player ended with status {status}: its requests were not those of its script")
