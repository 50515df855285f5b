"""The bare loop for comparison: write a request, read an answer, blocking; no deadlines, no rules, no record.

1. A message is sent after the answer to the previous one, even if a game asks several players at once.
2. Players are started in their own sessions, as the referee does: kernels with `sched_autogroup` share processors between
   sessions, which matters on a busy machine.
3. The same loop in C took nine tenths of the time or more, so this one shows the lower limit well enough.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from time import perf_counter
from typing import Final

from benchmarks.setting import WrongError
from benchmarks.work import Work

ANSWER: Final = 4096
"""Bytes to read at once: more than any answer has."""


def bare_loop(work: Work) -> float:
    """Start the players, send the messages of a work, and end the players. Returns the seconds that the messages took.

    Raises:
        WrongError: a player did not play its script to the end.
    """
    with ExitStack() as stack:
        programs = [stack.enter_context(started(work, seat)) for seat in range(work.seats)]
        pipes = [pipes_of(program) for program in programs]
        for to, back in pipes:
            os.write(to, b"getName\n")
            os.read(back, ANSWER)
        write, read = os.write, os.read
        began = perf_counter()
        for seat, _, request, _ in work.messages:
            to, back = pipes[seat]
            write(to, request)
            read(back, ANSWER)
        seconds = perf_counter() - began
        check(programs)
    return seconds


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
