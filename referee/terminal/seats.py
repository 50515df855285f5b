"""The seats' table beside the board: one line for each seat.

1. Columns are as wide as their widest cell: a number is never cut. If they do not fit, whole columns are left out, the
   least important first: bar, last answer, the game's figures from the right, rank, time left. Marker, name and score
   always stay.
2. The name gets the remaining columns, `NAME_GOOD` if possible, and is cut to them. It is untrusted and is escaped first.
3. Columns that are left over show the points over a saved match as small bars, a *sparkline*. It replaces the bar of the time if
   there is no other room. All seats have one scale: from 0, or the least score if that is below 0, to the highest score of all.
   Bars up to the current step are in the seat's colour, later ones are dim.
4. The scores are taken at `SAMPLES` steps. Taking one may play hundreds of steps, so a view takes one at a time (`Points`).
5. A disqualified seat shows its verdict instead of its time, and has a cross before its marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from referee.contract.frame import SeatLine
from referee.errors import SavedGameError
from referee.moments.columns import cut, fit
from referee.moments.formatting import bar, clean, clean_name, lapse, number, places
from referee.moments.scene import Scene, seats_to_mark
from referee.moments.timeline import SeatTime, Timeline
from referee.terminal.palette import BOLD, DIM, NOTHING, Look, seat_ink, seat_style

LEAD: Final = 5
"""Columns before the name: a pointer, the marker ` 1 ` and a blank."""
NAME_LEAST: Final = 6
NAME_GOOD: Final = 8
"""Columns that the name should have: for them, other columns are left out."""
NAME_MOST: Final = 24
BAR: Final = 8
_BAR_WORTH: Final = -20
LOW: Final = 0.15
"""Below this part of the bank, the time left is highlighted."""
SAMPLES: Final = 24
SPARKLINE_LEAST: Final = 8
_BARS: Final = "▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = "_.:-=+*#"


class Points:
    """The scores of a match: `scores[seat]` has one for each sample that was taken; none is left if it is `complete`."""

    def __init__(self, timeline: Timeline) -> None:
        self._saved = timeline.saved
        self.scores: list[list[float]] = [[] for _ in range(timeline.seats)]
        self.complete = not self._saved.steps

    def take(self) -> None:
        """Take the next sample, unless all have been taken, or a step does not follow from the rules."""
        if self.complete:
            return
        number = len(self.scores[0]) + 1
        try:
            state = self._saved.state_at(round(number * len(self._saved.steps) / SAMPLES))
        except SavedGameError:
            self.complete = True
            return
        # The ranking lacks the seats of the house.
        for line, scores in zip(state.draw().seats, self.scores, strict=True):
            scores.append(line.score)
        self.complete = number == SAMPLES


@dataclass(frozen=True, slots=True)
class _Column:
    """A column to the right of the name. The one of the least `worth` is left out first; a verdict replaces one that `yields`."""

    heading: str
    cells: Sequence[Text]
    worth: int
    yields: bool = False

    def width(self, headed: bool) -> int:
        return max([cell.cell_len for cell in self.cells] + [cell_len(self.heading) if headed else 0])


def table_lines(scene: Scene, width: int, look: Look, *, headed: bool) -> list[Text]:
    """One line for each seat, after a line of headings if `headed`; with few columns, lines may be wider than `width`."""
    names = [clean_name(line.name, look.ascii_only) for line in scene.frame.seats]
    columns, name_width = _layout(scene, names, width, look, headed)
    lines = []
    if headed:
        head = Text(" " * LEAD + fit("player", name_width, look.ascii_only), DIM)
        for column in columns:
            head.append("  " + fit(column.heading, column.width(headed), look.ascii_only, right=True))
        lines.append(head)
    for row, (line, name) in enumerate(zip(scene.frame.seats, names, strict=True)):
        text = _lead(scene, line, look)
        text.append(fit(name, name_width, look.ascii_only), _name_style(scene, line))
        for column in columns:
            if line.disqualified is None or not column.yields:
                text.append(" " * (2 + column.width(headed) - column.cells[row].cell_len))
                text.append_text(column.cells[row])
        if line.disqualified is not None:
            verdict = clean(line.disqualified, look.ascii_only)
            text.append("  " + cut(verdict, width - text.cell_len - 2, look.ascii_only), BOLD)
        lines.append(text)
    return lines


def _layout(scene: Scene, names: Sequence[str], width: int, look: Look, headed: bool) -> tuple[list[_Column], int]:
    """The columns that fit, and the width of the name (points 1 to 3)."""
    longest = max((cell_len(name) for name in names), default=0)
    name_width = min(max(longest, NAME_LEAST), NAME_MOST)

    def left_over(columns: Sequence[_Column], name: int) -> int:
        return width - LEAD - name - sum(column.width(headed) + 2 for column in columns)

    columns = _columns(scene, look, headed)
    while len(columns) > 1 and left_over(columns, max(NAME_LEAST, min(longest, NAME_GOOD))) < 0:
        columns.remove(min(columns, key=lambda column: column.worth))
    if len(scene.points) == len(names):
        without_bar = [column for column in columns if column.worth != _BAR_WORTH]
        for candidates in (columns, without_bar):
            if (room := left_over(candidates, name_width) - 2) >= SPARKLINE_LEAST:
                columns = [*candidates, _points(scene, min(room, SAMPLES), look)]
                break
    return columns, max(0, name_width + min(0, left_over(columns, name_width)))


def marker(seat: int, look: Look) -> Text:
    """A seat's number on its colour, three columns."""
    return Text.assemble((f"{seat + 1:^3}", seat_style(seat, look)))


def _columns(scene: Scene, look: Look, headed: bool) -> list[_Column]:
    """The columns in their order; the game's figures only with their headings."""
    seats, times = scene.frame.seats, scene.times
    columns = []
    if len(scene.ranks) == len(seats) > 1:
        columns.append(_Column("rank", [Text(f"#{place}" if place else "-") for place in places(scene.ranks)], 4))
    columns.append(_Column("points", [Text(number(line.score), BOLD) for line in seats], 9))
    if headed:
        for index, heading in enumerate(scene.frame.figures):
            cells = [Text(clean(line.figures[index], look.ascii_only)) for line in seats]
            columns.append(_Column(clean(heading, look.ascii_only), cells, 3 - index))
    if len(times) == len(seats):
        if any(time.left is not None for time in times):
            bars = [_bank_bar(seat, time, look) for seat, time in enumerate(times)]
            columns.append(_Column("", bars, _BAR_WORTH, True))
            columns.append(_Column("left", [_time_left(time) for time in times], 8, True))
        else:
            columns.append(_Column("used", [Text(lapse(time.used)) for time in times], 8, True))
        last = [Text("-" if time.last is None else lapse(time.last)) for time in times]
        columns.append(_Column("last", last, -10, True))
    return columns


def _points(scene: Scene, width: int, look: Look) -> _Column:
    cells = [sparkline(scene.points, seat, width, scene.part, look) for seat in range(len(scene.points))]
    heading = "points over time"
    return _Column(heading if width >= len(heading) else "trend", cells, -30, True)


def _lead(scene: Scene, line: SeatLine, look: Look) -> Text:
    due = scene.over is None and line.seat in seats_to_mark(scene.frame)
    if line.disqualified is not None:
        pointer = "x" if look.ascii_only else "×"
    elif line.seat == scene.follow:
        pointer = "*" if look.ascii_only else "◆"
    else:
        pointer = (">" if look.ascii_only else "▸") if due else " "
    return Text.assemble((pointer, BOLD), marker(line.seat, look), " ")


def _name_style(scene: Scene, line: SeatLine) -> Style:
    if line.disqualified is not None:
        return DIM
    return BOLD if line.seat == scene.follow or line.seat in seats_to_mark(scene.frame) else NOTHING


def _bank_bar(seat: int, time: SeatTime, look: Look) -> Text:
    if time.left is None or not time.total:
        return Text("")
    full, empty = bar(time.left / time.total, BAR, look.ascii_only)
    return Text.assemble((full, seat_ink(seat, look)), (empty, DIM))


def _time_left(time: SeatTime) -> Text:
    if time.left is None:
        return Text("-")
    low = time.total is not None and time.left < LOW * time.total
    return Text(lapse(time.left), Style(bold=True, reverse=True) if low else NOTHING)


def sparkline(scores: Sequence[Sequence[float]], seat: int, width: int, part: float, look: Look) -> Text:
    """A seat's sparkline in `width` columns, of which those beyond `part` (0 to 1) of the match are dim."""
    low = min([0.0, *(score for row in scores for score in row)])
    high = max([low + 1.0, *(score for row in scores for score in row)])
    bars = _ASCII_BARS if look.ascii_only else _BARS
    signs = []
    for column in range(width):
        sample = round((column + 1) * SAMPLES / width) - 1
        if sample < len(scores[seat]):
            height = (scores[seat][sample] - low) / (high - low)
            signs.append(bars[min(len(bars) - 1, int(height * len(bars)))])
    now = round(part * width)
    played, later = "".join(signs[:now]), "".join(signs[now:])
    return Text.assemble((played, seat_ink(seat, look)), (later, DIM), " " * (width - len(signs)))
