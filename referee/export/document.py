"""What a page knows of a saved match, as one JSON document.

1. A moment is a row of whole numbers, its *slots*: width and height of the board, each text that changes, and of each cell
   its mark and how it is joined to its neighbours. A mark or a text stands once in a table, and its slot has its index there.
   Slots begin as 0. A board can have another size at each moment; if it changes, all its cells are given.
2. `frames[k]` lists what moment k changes: slot, value, slot, value, and so on. The first k + 1 lists, applied in order, give
   moment k. A reader keeps a copy now and then to go back. So 20,000 moments of ants take less space than 200 whole boards.
3. `moves[k - 1]` has each answer of step k: seat, milliseconds, answer, request, and CPU milliseconds if they were measured.
   A fault has its kind and its detail in place of an answer. Requests change little from one step to the next: a request is its
   number of lines, then line, text for each line that differs from the previous request in the same place of its step. Answers
   and requests are side by side because they repeat each other, and compression finds only what is near.
4. All text of bots is harmless here: capped, and without control and bidirectional characters. In the sentence of an event,
   names are separate entries, so that their direction of writing does not change the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, Generic, TypeAlias, TypeVar

from referee.analysis import winner
from referee.contract.frame import Frame, Mark, Tone
from referee.contract.game import Answer, Fault
from referee.moments import speed
from referee.moments.colours import FLOOR, paint, paint_of, seat_colour
from referee.moments.evidence import Why, request_bytes
from referee.moments.formatting import places
from referee.moments.moment import Moment, moments
from referee.saved.record import VOID
from referee.saved.replay import Replay
from referee.terminal.board import Mode, cell_text, extent
from referee.terminal.text import headings, seat_rows
from referee.text.words import counted, harmless

Document: TypeAlias = dict[str, Any]
Logs: TypeAlias = Callable[[int, int], str | None]
"""What a seat wrote to stderr in a step: from step and seat, None if it is unknown."""

_Change: TypeAlias = list[int | str]
_Sentence: TypeAlias = tuple[str | tuple[int, str], ...]
"""An event in words, a list of texts and of names, (seat, name)."""

MOST: Final = 20_000
"""Characters of a request, answer, log or reason that a page has. Of longer ones it has both ends."""
NOTE: Final = "note"
"""The name of the last column, which has no heading."""
_SIDES: Final = {(0, -1): 1, (1, 0): 2, (0, 1): 4, (-1, 0): 8}
"""Up, right, down, left: the bits of a cell that is joined to its neighbours."""
_SAMPLES: Final = {Tone.HEAD: 8, Tone.BODY: 10, Tone.TAIL: 2}
"""How the legend joins the parts of a body that are nowhere in the match."""
_NAME: Final = re.compile("\x02([0-9]{1,3})\x03")

Value = TypeVar("Value", bound=Hashable)


class _Table(Generic[Value]):
    """Distinct values in the order of their first use, each with its index."""

    def __init__(self, *first: Value) -> None:
        self._indices: dict[Value, int] = {value: index for index, value in enumerate(first)}

    def __call__(self, value: Value) -> int:
        """The index of a value."""
        return self._indices.setdefault(value, len(self._indices))

    def values(self) -> list[Value]:
        """All values in order."""
        return list(self._indices)


def document(
    saved: Replay, *, logs: Logs | None = None, reasons: Why | None = None, explanation: str | None = None
) -> Document:
    """Everything that a page shows.

    Args:
        logs: what players wrote to stderr; None if there is no transcript.
        reasons: why programs decided as they did; None if there are none.
        explanation: why the match went as it did, in lines.

    Raises:
        SavedGameError: a step does not follow from the rules.
    """
    film, moves = _Film(), _Moves(saved, reasons)
    kinds, sentences, asks = _Table[str](), _Table[_Sentence](), _Table[str]()
    events: list[tuple[int, int, int]] = []
    for moment in moments(saved, [f"\x02{seat}\x03" for seat in range(len(saved.entrants))]):
        film.add(moment)
        moves.add(moment)
        names = [harmless(line.name) for line in moment.frame.seats]
        events += [(moment.at, kinds(harmless(it.kind)), sentences(_sentence(it.text, names))) for it in moment.events]
    ranking = [replace(line, name=names[line.seat]) for line in moment.result.ranking]
    steps = enumerate(saved.steps, start=1)
    return {
        "title": harmless(saved.title),
        "seats": len(names),
        "names": names,
        "steps": len(saved.steps),
        "winner": winner(ranking, VOID if saved.void else moment.result.reason) if ranking else "",
        "speed": speed.sensible(len(saved.steps)),
        "limits": {"first": saved.time.first, "answer": saved.time.answer, "total": saved.time.total},
        "byCpu": saved.time.kind == "cpu",
        "floor": FLOOR,
        "colours": [seat_colours(seat) for seat in range(len(names))],
        "columns": [*headings(moment.frame)[:-1], NOTE],
        **film.parts(),
        "rounds": [step.round for step in saved.steps],
        "asks": [asks(harmless(step.ask)) for step in saved.steps],
        "askNames": asks.values(),
        **moves.parts(),
        "kinds": kinds.values(),
        "told": sentences.values(),
        "events": events,
        "logs": None
        if logs is None
        else [[_text(logs(at, it.seat) or "") for it in step.answers] for at, step in steps],
        "explanation": None if explanation is None else _text(explanation),
    }


class _Film:
    """Moments as what changes from each to the next (theory, points 1 and 2).

    The slots are width, height, title, why the match is over, the columns and the rank of each seat, and then mark and sides
    of each cell, row by row.
    """

    def __init__(self) -> None:
        self._start: Frame | None = None
        self._joins: dict[Mark, int] = {}
        self._marks: _Table[Mark] = _Table(Mark("  ", Tone.EMPTY))
        self._texts: _Table[str] = _Table("")
        self._size = 0, 0
        self._most = 0
        self._cells: Sequence[Sequence[Mark | None]] = []
        self._sides: Mapping[int, int] = {}
        self._texts_before: Sequence[str] = []
        self._frames: list[list[int]] = []

    def add(self, moment: Moment) -> None:
        """Add the next moment."""
        frame, size = moment.frame, extent(moment.frame)
        self._start = self._start or frame
        sides = joined_sides(frame.bodies, size[0])
        texts = [*self._texts_of(moment)]
        changes: list[int] = []
        first = 2 + len(texts)
        if size != self._size:
            changes += (0, size[0], 1, size[1])
            self._most = max(self._most, size[0] * size[1])
            self._cells, self._sides = [[None] * size[0]] * size[1], dict.fromkeys(range(size[0] * size[1]), -1)
        for slot, text in enumerate(texts, start=2):
            if not self._texts_before or text != self._texts_before[slot - 2]:
                changes += (slot, self._texts(harmless(text)))
        for y, (row, before) in enumerate(zip(frame.cells, self._cells, strict=True)):
            if row != before:
                for x, (mark, old) in enumerate(zip(row, before, strict=True)):
                    if mark != old:
                        self._joins.setdefault(mark, sides.get(y * size[0] + x, 0))
                        changes += (first + 2 * (y * size[0] + x), self._marks(mark))
        if sides != self._sides:
            for cell in sorted(sides.keys() | self._sides.keys()):
                if (joins := sides.get(cell, 0)) != self._sides.get(cell, 0):
                    changes += (first + 2 * cell + 1, joins)
        self._size, self._cells, self._sides, self._texts_before = size, frame.cells, sides, texts
        self._frames.append(changes)

    def parts(self) -> Document:
        """The parts of the document that describe moments."""
        assert self._start is not None
        samples = _SAMPLES if self._start.bodies else {}
        legend = [
            (self._marks(mark), self._joins.get(mark, samples.get(mark.tone, 0)), harmless(meaning))
            for mark, meaning in self._start.legend
        ]
        return {
            "cells": self._most,
            "marks": [mark_fields(mark) for mark in self._marks.values()],
            "texts": self._texts.values(),
            "legend": legend,
            "frames": self._frames,
        }

    def _texts_of(self, moment: Moment) -> Iterator[str]:
        yield moment.frame.title
        yield moment.over or ""
        for row, place in zip(seat_rows(moment.frame), places(moment.ranks), strict=True):
            yield from row
            yield place


class _Moves:
    """The answers of each step, with what changes in its requests, and why programs decided so (theory, point 3)."""

    def __init__(self, saved: Replay, reasons: Why | None) -> None:
        self._saved, self._reasons = saved, reasons
        self._before: dict[int, list[str]] = {}  # the last request in each place of a step, in lines
        self._requests: list[_Change] = []
        self._moves: list[list[list[Any]]] = []
        self._decided: list[list[int]] = []
        self._whys: _Table[str] = _Table()

    def add(self, moment: Moment) -> None:
        """Add the answers of the moment's step, and the requests of the next one."""
        if moment.step is not None:
            self._moves.append([_move(*move) for move in zip(moment.step.answers, self._requests, strict=True)])
        if moment.at == len(self._saved.steps):
            return
        texts = [request_bytes(self._saved, it).decode(errors="replace").removesuffix("\n") for it in moment.requests]
        self._requests = [self._change(index, _text(text).split("\n")) for index, text in enumerate(texts)]
        if self._reasons is not None:
            # The step has not been played yet. If it has another number of answers, the next moment refuses it.
            pairs = zip(moment.requests, self._saved.steps[moment.at].answers, strict=False)
            whys = ["\n".join(self._reasons(request, answer.text)) for request, answer in pairs]
            self._decided.append([self._whys(_text(why)) for why in whys])

    def parts(self) -> Document:
        """The parts of the document that describe moves."""
        decided = None if self._reasons is None else self._decided
        return {"moves": self._moves, "decided": decided, "whys": self._whys.values()}

    def _change(self, index: int, lines: list[str]) -> _Change:
        """The number of a request's lines, and those that differ from the request before in this place of its step."""
        before, change = self._before.get(index, []), _Change([len(lines)])
        for row, line in enumerate(lines):
            if row >= len(before) or line != before[row]:
                change += (row, line)
        self._before[index] = lines
        return change


def _sentence(text: str, names: Sequence[str]) -> _Sentence:
    """An event in words, in which each seat is called by its number between two control characters."""
    parts: list[str | tuple[int, str]] = []
    for index, part in enumerate(_NAME.split(text)):
        if index % 2 and int(part) < len(names):
            parts.append((int(part), names[int(part)]))
        elif part:
            parts.append(harmless(part))
    return tuple(parts)


def snapshot(frame: Frame) -> Document:
    """One moment by itself, as the board of a page draws it: `cells` has the mark and the joined sides of each cell."""
    marks: _Table[Mark] = _Table(Mark("  ", Tone.EMPTY))
    width, height = extent(frame)
    sides = joined_sides(frame.bodies, width)
    cells: list[int] = []
    for at, mark in enumerate(mark for row in frame.cells for mark in row):
        cells += (marks(mark), sides.get(at, 0))
    return {
        "width": width,
        "height": height,
        "cells": cells,
        "marks": [mark_fields(mark) for mark in marks.values()],
        "colours": [seat_colours(line.seat) for line in frame.seats],
        "floor": FLOOR,
    }


def joined_sides(bodies: Iterable[Sequence[tuple[int, int]]], width: int) -> dict[int, int]:
    """Which sides of which cells are joined, as bits: 1 up, 2 right, 4 down, 8 left. Cells are counted row by row."""
    sides: dict[int, int] = {}
    for body in bodies:
        for (x, y), (x1, y1) in pairwise(body):
            if (there := _SIDES.get((x1 - x, y1 - y))) is not None:
                back = _SIDES[x - x1, y - y1]
                for cell, side in ((y * width + x, there), (y1 * width + x1, back)):
                    sides[cell] = sides.get(cell, 0) | side
    return sides


def _move(answer: Answer[Any], request_change: _Change) -> list[Any]:
    if isinstance(answer.action, Fault):
        answer_text: Any = [str(answer.action.kind), _text(answer.action.detail)]
    else:
        answer_text = _text(str(answer.text))
    move = [answer.seat, round(answer.elapsed * 1000, 3), answer_text, request_change]
    return move if answer.cpu is None else [*move, round(answer.cpu * 1000, 3)]


def seat_colours(seat: int) -> list[str]:
    """A seat's colour, that of its body, and that of text on them."""
    head, body = paint(Tone.HEAD, seat), paint(Tone.BODY, seat)
    return [seat_colour(seat), body.ground, head.ink]


def mark_fields(mark: Mark) -> list[Any]:
    """Its text in plain text and by itself, tone, ink, ground, seat, whether it is strong, and its amount if it has one."""
    ink, ground = paint_of(mark)
    plain_text = cell_text(mark, Mode.DOUBLE, dots=True)
    fields = [plain_text, mark.text, str(mark.tone), ink, ground, mark.seat, int(mark.strong)]
    return fields if mark.amount is None else [*fields, mark.amount]


def _text(text: str) -> str:
    """Untrusted lines: harmless, and without their middle if they are too long."""
    if (left := len(text) - MOST) > 0:
        text = f"{text[: MOST // 2]}\n… ({counted(left, 'character')} left out) …\n{text[-MOST // 2 :]}"
    return "\n".join(map(harmless, text.split("\n")))
