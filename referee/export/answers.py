"""The answers of a saved match as a CSV table (RFC 4180), a row for each answer in the order of the saved game.

1. Text from bots is harmless: a control character is U+FFFD, except line feeds. So it is in events, which stay JSON.
2. Names and answers that a spreadsheet would take for formulas get an apostrophe, which it reads as "this is text".
3. The events of a step stand in the row of the seat that they name, if it answered in that step, else in the first row.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any, Final

from referee.contract.game import Event, Step
from referee.moments.scene import draw_with_names
from referee.saved.replay import Replay
from referee.terminal.text import seat_rows
from referee.text.words import harmless, in_spreadsheet

COLUMNS: Final = ("step", "round", "seat", "name", "ask", "answer", "fault", "ms", "cpu_ms", "events", "points")


def table(saved: Replay) -> str:
    """The table, its lines ended by CR LF.

    Raises:
        SavedGameError: a step does not follow from the rules.
    """
    file = StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    names = [_cell(row[1]) for row in _seats(saved, len(saved.steps))]
    for at, (step, entry) in enumerate(zip(saved.steps, saved.record.steps, strict=True), start=1):
        points = [row[2] for row in _seats(saved, at)]
        for answer, events in zip(entry.answers, _events_by_answer(step), strict=True):
            writer.writerow(
                (
                    step.number, step.round, answer.seat, names[answer.seat], step.ask, _cell(answer.answer or ""),
                    answer.fault or "", _number(answer.ms), "" if answer.cpu is None else _number(answer.cpu),
                    json.dumps(_harmless(events), ensure_ascii=False), points[answer.seat],
                )
            )  # fmt: skip
    return file.getvalue()


def _seats(saved: Replay, at: int) -> Sequence[Sequence[str]]:
    """The lines of the seats after a step, as the plain text has them."""
    return seat_rows(draw_with_names(saved.state_at(at), saved.entrants))


def _events_by_answer(step: Step) -> list[list[Event]]:
    """For each answer of a step, the events in its row (point 3)."""
    rows: list[list[Event]] = [[] for _ in step.answers]
    seats = [answer.seat for answer in step.answers]
    for event in step.events:
        own = event.get("seat")
        rows[seats.index(own) if own in seats else 0].append(event)
    return rows


def _cell(text: str) -> str:
    """Untrusted lines that no spreadsheet takes for a formula."""
    first, *rest = text.split("\n")
    return "\n".join([in_spreadsheet(first), *map(harmless, rest)])


def _harmless(value: Any) -> Any:
    """A JSON value whose texts are harmless."""
    match value:
        case str():
            return "\n".join(map(harmless, value.split("\n")))
        case Mapping():
            return {key: _harmless(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_harmless(inner) for inner in value]
    return value


def _number(milliseconds: float) -> str:
    """A number as the saved game has it."""
    return repr(milliseconds).removesuffix(".0")
