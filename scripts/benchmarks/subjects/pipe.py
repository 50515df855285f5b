"""The bare pipe: the lower limit of any referee."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.figures import compared, spread
from benchmarks.loops import C_LOOP, PYTHON_LOOP, c_loop_in, python_loop_in
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting, pinned
from benchmarks.subject import Subject
from benchmarks.work import own_messages

SIZES = (8, 1_200, 40_000)
"""Bytes of a request for a name, of a usual SnakeCore request, and of one with a 200x200 board."""


def measure(setting: Setting) -> Findings:
    """Both loops at each size, on one core and free. Without a C compiler: the Python loop with a Python player."""
    rows: list[list[Cell]] = []
    count = setting.pick(2_000, 100)
    for place, cpus in setting.places.items():
        for size in SIZES:
            folder, player = own_messages(setting, size, count)
            measures: dict[str, Callable[[], float]] = {PYTHON_LOOP: partial(python_loop_in, folder, player, 1)}
            if setting.compiler is not None:
                measures[C_LOOP] = partial(c_loop_in, setting, folder, player, 1)
            with pinned(cpus):
                taken = setting.rounds(15, measures)
            micros = {name: [second / count * 1e6 for second in seconds] for name, seconds in taken.items()}
            python, c = micros[PYTHON_LOOP], micros.get(C_LOOP)
            rows.append([place, size, None if c is None else spread(c), spread(python), compared(python, c)])
    head = ("place", "bytes per request", "C loop, µs", "Python loop, µs", "Python ÷ C")
    return Findings([Table(head, rows)])


SUBJECT = Subject(
    "pipe",
    "The bare pipe",
    "A C program and a Python program write a request and read the answer, blocking, with a player that answers "
    "immediately. There are no deadlines, no rules and no record, so this is the cost of the pipe and of the player's "
    "process.",
    measure,
)
