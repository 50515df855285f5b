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

from benchmarks.setting import PROGRAMS, Setting, WrongError
from benchmarks.work import Work, unpacked

ANSWER: Final = 4096
"""Bytes to read at once: more than any answer has."""
C_LOOP: Final = "C loop"
PYTHON_LOOP: Final = "Python loop"


def loops(setting: Setting, work: Work) -> dict[str, Callable[[], float]]:
    """The loops with a work's messages; each returns seconds. Measure them in turn with what they are compared with."""
    messages = unpacked((work.folder / "messages").read_bytes())
    return {C_LOOP: partial(c_loop, setting, work), PYTHON_LOOP: partial(python_loop, work, messages)}


def python_loop(work: Work, messages: Sequence[tuple[int, bytes]]) -> float:
    """A work's messages through a Python loop: seconds.

    Raises:
        WrongError: a player did not play its script to the end.
    """
    with ExitStack() as stack:
        programs = [stack.enter_context(started(work, seat)) for seat in range(work.seats)]
        pipes = [pipes_of(program) for program in programs]
        for seat, data in messages[: work.seats]:
            os.write(pipes[seat][0], data)
            os.read(pipes[seat][1], ANSWER)
        write, read = os.write, os.read
        began = perf_counter()
        for seat, data in messages[work.seats :]:
            to, back = pipes[seat]
            write(to, data)
            read(back, ANSWER)
        seconds = perf_counter() - began
        check(programs)
    return seconds


def c_loop(setting: Setting, work: Work) -> float:
    """A work's messages through a C loop: seconds.

    Raises:
        WrongError: a player did not play its script to the end.
    """
    scripts = [f"script.{seat}" for seat in range(work.seats)]
    command: list[str | Path] = [setting.compiled(PROGRAMS / "loop.c"), "messages", work.player, "--", *scripts]
    loop_run = subprocess.run(command, cwd=work.folder, stdout=subprocess.PIPE, check=False)
    if loop_run.returncode:
        raise WrongError(f"the C loop ended with status {loop_run.returncode}")
    return int(loop_run.stdout) / 1e9


def started(work: Work, seat: int) -> subprocess.Popen[bytes]:
    """A player with its script, in its own session like the referee's players."""
    return subprocess.Popen(
        [work.player, f"script.{seat}"],
        cwd=work.folder,
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
