"""The rules by themselves, then with encoded requests and decoded answers: no processes, no clocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from benchmarks.figures import spread
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting
from benchmarks.subject import Subject
from benchmarks.work import Work, played, standard
from referee import games


def ruled(work: Work, actions: Sequence[Sequence[Any]]) -> float:
    """Play the match by the rules alone: seconds."""
    state = work.start()
    began = perf_counter()
    for step in actions:
        state.requests()
        state.advance(step)
    return perf_counter() - began


def worded(work: Work, actions: Sequence[Sequence[Any]]) -> float:
    """The same with each request encoded: seconds."""
    state, encode = work.start(), work.game.encode
    began = perf_counter()
    for step in actions:
        for request in state.requests():
            encode(request)
        state.advance(step)
    return perf_counter() - began


def talked(work: Work, answers: Sequence[Sequence[Sequence[bytes]]]) -> float:
    """The same with each answer decoded as well: seconds."""
    state, encode, decode = work.start(), work.game.encode, work.game.decode
    began = perf_counter()
    for step in answers:
        due = state.requests()
        for request in due:
            encode(request)
        state.advance([decode(request.ask, lines) for request, lines in zip(due, step, strict=True)])
    return perf_counter() - began


def measure(setting: Setting) -> Findings:
    """Each game in turn."""
    works = [standard(setting, game, setting.pick(2_000, 60)) for game in games.every()]
    measures: dict[str, Callable[[], float]] = {}
    steps: dict[str, tuple[int, int]] = {}
    for work in works:
        name, form = work.game_name, work.game.format
        actions = [turn.actions for turn in played(work.game, work.start(), work.seats)]
        answers = [[form(action).encode().split(b"\n") for action in step] for step in actions]
        steps[name] = len(actions), sum(map(len, actions))
        measures[f"{name} ruled"] = partial(ruled, work, actions)
        measures[f"{name} worded"] = partial(worded, work, actions)
        measures[f"{name} talked"] = partial(talked, work, answers)
    taken = setting.rounds(15, measures)
    rows: list[list[Cell]] = []
    for work in works:
        count, requests = steps[work.game_name]
        alone, *more = (taken[f"{work.game_name} {what}"] for what in ("ruled", "worded", "talked"))
        row: list[Cell] = [work.game.title, count, requests / count, spread([second / count * 1e6 for second in alone])]
        row += [spread([second / requests * 1e6 for second in seconds]) for seconds in (alone, *more)]
        rows.append(row)
    head = (
        "game", "steps", "requests per step", "rules alone, µs per step", "µs per request", "with requests encoded",
        "with answers decoded",
    )  # fmt: skip
    return Findings([Table(head, rows)])


SUBJECT = Subject(
    "rules",
    "The rules alone",
    "A match is played by its rules with prepared answers; then also with each request encoded, and with each answer "
    "decoded.",
    measure,
)
