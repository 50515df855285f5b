"""Start-up: commands from their start to their end, and `play` from its start to the first request."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic_ns
from typing import Final

from benchmarks.figures import spread
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import PROGRAMS, Setting, WrongError
from benchmarks.work import SEATS, entry
from referee.saved.record import load

COMMAND: Final = [sys.executable, "-m", "referee"]


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended: its start, and its wall time and CPU time in seconds, including its child processes."""

    began: float
    wall: float
    cpu: float


def environment(home: Path) -> dict[str, str]:
    """The user's environment, with .pyc files and a data folder of this run."""
    ours = {name: value for name, value in os.environ.items() if name not in {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}}
    return {**ours, "XDG_DATA_HOME": str(home)}


def ran(command: Sequence[str], env: Mapping[str, str]) -> Ran:
    """Run a command to its end.

    Raises:
        WrongError: it failed.
    """
    began = monotonic_ns()
    process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, env=env)
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = (monotonic_ns() - began) / 1e9
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise WrongError(f"{shlex.join(command)} failed: {errors[-300:].decode(errors='replace')}")
    return Ran(began / 1e9, wall, usage.ru_utime + usage.ru_stime)


def measure(setting: Setting) -> Findings:
    """Commands in turn, and matches that report the time of their first request."""
    home = setting.room("home")
    env = environment(home)
    commands = {
        "`python -c pass`": [sys.executable, "-c", "pass"],
        "`referee --version`": [*COMMAND, "--version"],
        "`referee --help`": [*COMMAND, "--help"],
        "`referee play --help`": [*COMMAND, "play", "--help"],
    }
    runs: dict[str, list[Ran]] = {name: [] for name in commands}
    measures: dict[str, Callable[[], float]] = {
        name: partial(_command, command, env, runs[name]) for name, command in commands.items()
    }
    firsts: dict[str, list[tuple[float, float]]] = {}
    notes = []
    player = clock_player(setting)
    for level in ("none", "full"):
        name = f"`referee play --isolation {level}`"
        runs[name], firsts[name] = [], []
        match = partial(_match, player, level, home, env, runs[name], firsts[name])
        try:
            match()
        except WrongError as failed:
            notes.append(str(failed))
            continue
        measures[name] = match
    for name, command in commands.items():
        _command(command, env, runs[name])  # like the matches above: now everything has been compiled and read once
    setting.rounds(20, measures, warm=False)
    rows: list[list[Cell]] = []
    for name in measures:
        some = runs[name][1:]
        row: list[Cell] = [name, spread([run.wall * 1e3 for run in some]), spread([run.cpu * 1e3 for run in some])]
        rows.append([*row, *_requests(firsts.get(name, [])[1:])])
    head = ("command", "wall, ms", "CPU, ms", "to the first request, ms", "until all were asked, ms")
    return Findings([Table(head, rows)], notes)


def _requests(firsts: Sequence[tuple[float, float]]) -> list[Cell]:
    if not firsts:
        return [None, None]
    return [spread([seconds * 1e3 for seconds in some]) for some in zip(*firsts, strict=True)]


def _command(command: Sequence[str], env: Mapping[str, str], runs: list[Ran]) -> float:
    runs.append(ran(command, env))
    return runs[-1].wall


def _match(
    player: Sequence[str],
    level: str,
    home: Path,
    env: Mapping[str, str],
    runs: list[Ran],
    firsts: list[tuple[float, float]],
) -> float:
    """A match of players that answer with the time as their name and then exit, which ends the match."""
    saved = home / f"{level}.{len(runs)}.jsonl"
    bots = [f"{name}=cmd:{shlex.join(player)}" for name in "abcd"[:SEATS]]
    command = [*COMMAND, "play", *bots, "--seed=7", f"--isolation={level}", "--quiet", "--no-watch", f"-o={saved}"]
    run = ran(command, env)
    runs.append(run)
    names = [answer.answer for step in load(saved).steps if step.ask == "getName" for answer in step.answers]
    times = [int(name) / 1e9 - run.began for name in names if name is not None and name.isdigit()]
    if len(times) != SEATS:
        raise WrongError(f"{len(times)} of {SEATS} players told the time: {json.dumps(names)[:200]}")
    firsts.append((min(times), max(times)))
    return run.wall


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
