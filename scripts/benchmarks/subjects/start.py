"""Start-up: commands from their start to their end, and `play` from its start to the first request."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import monotonic
from typing import Final, NamedTuple

from benchmarks.figures import spread
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import PROGRAMS, Setting, WrongError, levels
from benchmarks.work import SEATS, entry
from referee.saved.record import load

COMMAND: Final = [sys.executable, "-m", "referee"]


class Run(NamedTuple):
    """A command that has ended; times in seconds.

    Attributes:
        wall: its wall time. cpu: its CPU time, including its child processes.
        first, last: from its start until one player, and all players, were asked; of a match only.
    """

    wall: float
    cpu: float
    first: float | None = None
    last: float | None = None


def ran(command: Sequence[str], env: Mapping[str, str]) -> Run:
    """Run a command to its end.

    Raises:
        WrongError: it failed.
    """
    before, began = getrusage(RUSAGE_CHILDREN), monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env, check=False)
    wall, after = monotonic() - began, getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise WrongError(f"{shlex.join(command)} failed: {done.stderr[-300:]}")
    return Run(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def measure(setting: Setting) -> Findings:
    """Commands in turn, and matches that report the time of their first request."""
    home = setting.room("home")
    ours = {name: value for name, value in os.environ.items() if name not in {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}}
    env = {**ours, "XDG_DATA_HOME": str(home)}
    measures: dict[str, Callable[[], Run]] = {
        "`python -c pass`": partial(ran, [sys.executable, "-c", "pass"], env),
        "`referee --version`": partial(ran, [*COMMAND, "--version"], env),
        "`referee --help`": partial(ran, [*COMMAND, "--help"], env),
        "`referee play --help`": partial(ran, [*COMMAND, "play", "--help"], env),
    }
    notes: list[str] = []
    player = clock_player(setting)
    for level in levels(notes):
        match = partial(match_of, player, level.value, home, env)
        measures[f"`referee play --isolation {level.value}`"] = match
    rows: list[list[Cell]] = []
    for name, runs in setting.rounds(20, measures).items():
        columns = [[value * 1e3 for value in column if value is not None] for column in zip(*runs, strict=True)]
        rows.append([name, *(spread(column) if column else None for column in columns)])
    head = ("command", "wall, ms", "CPU, ms", "to the first request, ms", "until all were asked, ms")
    return Findings([Table(head, rows)], notes)


def match_of(player: Sequence[str], level: str, home: Path, env: Mapping[str, str]) -> Run:
    """A match of players that answer with the time as their name and then exit, which ends the match."""
    saved = home / f"{level}.jsonl"
    saved.unlink(missing_ok=True)
    bots = [f"{name}=cmd:{shlex.join(player)}" for name in "abcd"[:SEATS]]
    began = monotonic()
    run = ran(
        [*COMMAND, "play", *bots, "--seed=7", f"--isolation={level}", "--quiet", "--no-watch", f"-o={saved}"], env
    )
    names = [answer.answer for step in load(saved).steps if step.ask == "getName" for answer in step.answers]
    times = [int(name) / 1e9 - began for name in names if name is not None and name.isdigit()]
    if len(times) != SEATS:
        raise WrongError(f"{len(times)} of {SEATS} players told the time: {json.dumps(names)[:200]}")
    return run._replace(first=min(times), last=max(times))


def clock_player(setting: Setting) -> list[str]:
    """A player that answers with the time as its name."""
    script = setting.room("clock") / "script.clock"
    script.write_bytes(entry(len(b"getName\n"), None))
    return [str(setting.compiled(PROGRAMS / "scripted.c")), str(script)]


SUBJECT = Subject(
    "start",
    "Start-up",
    "Commands from start to end, with .pyc files. For a match, also the time from the start of the command until one "
    "player, and until all four players, have read their first request.",
    measure,
)
