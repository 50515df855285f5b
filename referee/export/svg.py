"""A frame as an SVG picture: the board on the left, the seats with their names and the legend on the right.

It has no script, no link, no style sheet and no `id`, so that it can stand in any page, also more than once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from referee.contract.frame import Frame, SeatLine
from referee.export.shapes import (
    FAINT,
    GROUND,
    LINES,
    TEXT,
    Box,
    Disc,
    Label,
    Look,
    Polygon,
    Shape,
    looks,
    sample,
    shapes,
)
from referee.moments.colours import FLOOR, ink_on, seat_colour
from referee.moments.columns import cut
from referee.moments.formatting import clean, clean_name, number
from referee.moments.scene import seats_to_mark
from referee.terminal.board import extent
from referee.terminal.text import board_lines, title_line
from referee.text.markup import Html, el, lines

SIDE: Final = 504
"""The longer side of the board, unless its cells would be larger than `LARGEST`."""
LARGEST: Final = 48
MARGIN: Final = 16
PANEL: Final = 300
"""The width of the seats."""
HEAD: Final = 62
ROW: Final = 44
NOTE: Final = 22
"""The heights of the title, of a seat and of a line of the legend."""
LONGEST: Final = 60
"""Columns of figures that are shown."""
SMALLEST: Final = 10
"""The smallest font size of a name. A name that does not fit at this size is cut."""
FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_WIDE: Final = 0.58
_WIDE_BOLD: Final = 0.66
"""The mean widths of a character and of a bold one, as fractions of the font size."""


def picture(frame: Frame, remark: str = "") -> str:
    """The picture as a document. `remark` follows the title, as in the plain text."""
    return f"{drawing(frame, remark)}\n"


def drawing(frame: Frame, remark: str = "") -> Html:
    """The picture as a part of a page; see `picture`."""
    across, down = extent(frame)
    unit = min(LARGEST, SIDE // max(across, down, 1)) or 1
    board = unit * across, unit * down
    seats = HEAD + ROW * len(frame.seats)
    width = 3 * MARGIN + board[0] + PANEL
    height = 2 * MARGIN + max(board[1], seats + NOTE * (len(frame.legend) + 1))
    left = 2 * MARGIN + board[0]
    parts = [
        el("title", title_line(frame, remark)),
        el("desc", lines(board_lines(frame))),
        el("rect", width=width, height=height, rx=12, fill=GROUND),
        el("g", *_board(frame, unit, *board), transform=f"translate({MARGIN} {MARGIN})"),
        el("g", *_seats(frame, remark), transform=f"translate({left} {MARGIN})"),
        el("g", *_legend(frame), transform=f"translate({left} {MARGIN + seats + NOTE})"),
    ]
    return svg(width, height, *parts)


def svg(width: int, height: int, *parts: Html) -> Html:
    """A picture of this size."""
    return el(
        "svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width, height=height,
        role="img", font_family=FONT,
    )  # fmt: skip


def _board(frame: Frame, unit: int, width: int, height: int) -> Iterator[Html]:
    yield el("rect", width=width, height=height, fill=FLOOR)
    across = "".join(f"M0 {y}H{width}" for y in range(0, height + 1, unit))
    down = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, unit))
    yield el("path", d=across + down, stroke=LINES, fill="none")
    for y, row in enumerate(looks(frame)):
        for x, look in enumerate(row):
            yield from cell_picture(look, unit, x * unit, y * unit)


def _seats(frame: Frame, remark: str) -> Iterator[Html]:
    yield label(0, 20, 20, clean(frame.title), TEXT, weight=600)
    yield label(0, 41, 13, clean(remark), FAINT)
    to_move = seats_to_mark(frame)
    for index, line in enumerate(frame.seats):
        yield el(
            "g", *_seat(line, frame, due=line.seat in to_move), transform=f"translate(0 {HEAD + index * ROW})",
            opacity=None if line.disqualified is None else 0.75,
        )  # fmt: skip


def _seat(line: SeatLine, frame: Frame, *, due: bool) -> Iterator[Html]:
    colour = seat_colour(line.seat)
    name, points = clean_name(line.name), number(line.score)
    figures = [f"{title} {value}" for title, value in zip(frame.figures, line.figures, strict=False) if value != "-"]
    if line.disqualified is not None:
        figures = [f"disqualified: {line.disqualified}"]
    below = " · ".join(clean(text) for text in figures)
    room = PANEL - 58 - _WIDE * 20 * len(points)
    shown = cut(name, int(room / (_WIDE_BOLD * SMALLEST)))
    if shown != name:
        yield el("title", name)
    yield el("rect", width=PANEL, height=ROW - 6, rx=8, fill=FLOOR, stroke=colour if due else None)
    if due:
        yield el("polygon", points="-10,13 -3,19 -10,25", fill=colour)
    yield el("circle", cx=20, cy=19, r=12, fill=colour)
    yield label(20, 24, 14 if line.seat < 9 else 12, str(line.seat + 1), ink_on(colour), anchor="middle", weight=700)
    yield label(42, 17 if below else 24, _font_size(shown, 15, room / _WIDE_BOLD), shown, TEXT, weight=600)
    below = cut(below, LONGEST)
    yield label(42, 32, _font_size(below, 12, room / _WIDE), below, FAINT)
    yield label(PANEL - 12, 26, 20, points, TEXT, anchor="end", weight=700)


def _legend(frame: Frame) -> Iterator[Html]:
    for row, (mark, meaning) in enumerate(frame.legend):
        y = row * NOTE
        yield from cell_picture(sample(mark, joined=bool(frame.bodies)), 20, 10, y - 14)
        yield label(42, y, 12, clean(meaning), FAINT)


def cell_picture(look: Look, unit: int, left: int, top: int) -> Iterator[Html]:
    """The shapes of a cell with this top left corner; `unit` is the side of a cell."""
    for shape in shapes(look):
        yield _shape(shape, unit, left, top)


def _shape(shape: Shape, unit: int, left: int, top: int) -> Html:
    match shape:
        case Disc(x, y, r, fill, rim):
            circle = {
                "cx": _decimal(left + x * unit),
                "cy": _decimal(top + y * unit),
                "r": _decimal((r - rim / 2) * unit),
            }
            if rim:
                return el("circle", **circle, fill="none", stroke=fill, stroke_width=_decimal(rim * unit))
            return el("circle", **circle, fill=fill)
        case Polygon(points, fill):
            corners = " ".join(f"{_decimal(left + x * unit)},{_decimal(top + y * unit)}" for x, y in points)
            return el("polygon", points=corners, fill=fill)
        case Label(x, y, size, text, fill):
            middle = top + (y + 0.36 * size) * unit  # half the height of a digit below the middle
            return label(left + x * unit, middle, size * unit, text, fill, anchor="middle", weight=700)
    return el("path", d=_outline(shape, unit, left, top), fill=shape.fill)


def _outline(box: Box, unit: int, left: int, top: int) -> str:
    """The path around a rectangle, clockwise from its top left corner."""
    x0, x1 = left + box.left * unit, left + box.right * unit
    y0, y1 = top + box.top * unit, top + box.bottom * unit
    corners = (((x0, y0), (0, -1)), ((x1, y0), (1, 0)), ((x1, y1), (0, 1)), ((x0, y1), (-1, 0)))
    commands: list[str] = []
    for ((x, y), (dx, dy)), rounded in zip(corners, box.round, strict=True):
        r = box.radius * unit if rounded else 0.0
        # The way to the corner leads in direction (dx, dy), the way from it at a right angle to that.
        commands.append(f"{'L' if commands else 'M'}{_decimal(x - r * dx)} {_decimal(y - r * dy)}")
        if r:
            commands.append(f"Q{_decimal(x)} {_decimal(y)} {_decimal(x - r * dy)} {_decimal(y + r * dx)}")
    return "".join(commands) + "Z"


def label(
    x: float, y: float, size: float, text: str, fill: str, *, anchor: str | None = None, weight: int | None = None
) -> Html:
    """A line of text. Its base line begins at (x, y) or, with the anchor `middle` or `end`, has its middle or its end there."""
    return el(
        "text", text, x=_decimal(x), y=_decimal(y), font_size=_decimal(size), fill=fill, text_anchor=anchor,
        font_weight=weight,
    )  # fmt: skip


def _font_size(text: str, most: int, room: float) -> float:
    """The largest size, at most `most`, at which a text has room. `room` is how many characters of size 1 have room."""
    return min(most, room / max(1, cell_len(text)))


def _decimal(value: float) -> str:
    """A number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
