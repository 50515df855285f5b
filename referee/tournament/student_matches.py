"""Reads in saved games what pages for students show, on all processors.

1. Of a fault: what the bot was asked, and the board at that moment.
2. Of a bot without a fault: what it lost points to in its worst match, and the board where that shows.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from referee.analysis import explain
from referee.analysis.shortfall import shortfall
from referee.errors import SavedGameError, UsageError
from referee.export.svg import drawing
from referee.moments.evidence import request_bytes, request_to
from referee.moments.scene import drawn
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.tournament.processes import on_all_processors
from referee.tournament.report.content import Excerpt, Place, Report

Excerpts: TypeAlias = MutableMapping[Place, Excerpt]
"""What was read in saved games."""


class Look(NamedTuple):
    """Where to look: a saved game, and a place in it."""

    saved: Path
    place: Place


def read_matches(report: Report, folder: Path, excerpts: Excerpts) -> None:
    """Read what the pages for students show and is not known yet.

    Args:
        folder: the tournament's. excerpts: what is read is added. A match whose saved game is damaged has nothing.
    """
    due = [look for look in looks(report, folder) if look.place not in excerpts]
    if due:
        for look, excerpt in zip(due, on_all_processors(_read, due, at_once=1), strict=True):
            excerpts[look.place] = excerpt


def looks(report: Report, folder: Path) -> Iterator[Look]:
    """Where pages for students need a look."""
    for number, failures in report.failures.items():
        for group in failures:
            if (saved := group.first["saved"]) is not None:
                yield Look(folder / saved, group.place)
        if not failures and (worst := report.worst(number)) is not None:
            match, seat = worst
            yield Look(folder / match["saved"], Place(match["id"], seat["seat"], None))


def _read(look: Look) -> Excerpt:
    with suppress(SavedGameError, UsageError):
        replay = Replay(load(look.saved))
        _, seat, step = look.place
        return _lost(replay, seat) if step is None else _request_excerpt(replay, seat, step)
    return Excerpt()


def _request_excerpt(replay: Replay, seat: int, step: int) -> Excerpt:
    """The request of a step to a seat, as the player got it, and the board."""
    state: Any = replay.state_at(step - 1)
    board = drawing(drawn(state, replay.entrants), f"before step {step}")
    request = request_to(state, seat)
    if request is None:
        return Excerpt(board=board)
    return Excerpt(request_bytes(replay, request).decode(errors="backslashreplace"), board)


def _lost(replay: Replay, seat: int) -> Excerpt:
    """What a seat lost points to, and the board where that shows."""
    loss = shortfall(explain(replay), seat)
    if loss is None:
        return Excerpt()
    if loss.step is None:
        return Excerpt(lost=loss.lines)
    frame = drawn(replay.state_at(loss.step), replay.entrants)
    return Excerpt(board=drawing(frame, f"after step {loss.step}"), lost=loss.lines)
