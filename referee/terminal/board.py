"""A frame's board as lines of text, in one of three modes.

1. *Double*: two columns for each cell, with the text of its mark. Readable with and without colour, with nearly square cells.
2. *Half*: `▀`, with the upper cell as foreground and the lower as background: one column and half a line for each cell.
   It needs many colours, because it has no text.
3. *Letters*: one column and one line for each cell. If the board is still too large, a part of it around one cell.
4. The *edge* is a line around the field if its outermost cells are not all walls, since the floor is hard to tell from a
   dark terminal. It is a ring of cells, half a line high in half mode, and scrolls with them. Without room for the edge,
   dots show the floor in modes with text.

Neighbouring cells of the same style become one span, so that the terminal gets few changes of colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import Final

from rich.style import Style
from rich.text import Text

from referee.boards.grid import Cell
from referee.contract.frame import Frame, Mark, Tone
from referee.terminal.palette import EDGE_PIXEL, Look, cell_pixel, cell_style, edge_style, half_style, letter_style


class Mode(StrEnum):
    """How cells are drawn."""

    DOUBLE = "double"
    HALF = "half"
    LETTERS = "letters"


_FLOOR_DOT: Final = {Mode.DOUBLE: " .", Mode.LETTERS: "."}
"""Blank floor, if nothing else shows the extent of the field."""
_WIDTHS: Final = {Mode.DOUBLE: 2, Mode.HALF: 1, Mode.LETTERS: 1}
"""Columns of a cell."""
_EDGE_SIGNS: Final = {
    False: (("┌", "─", "┐"), ("│", "", "│"), ("└", "─", "┘")),
    True: (("+", "-", "+"), ("|", "", "|"), ("+", "-", "+")),
}
"""By ASCII only: left, middle and right of the lines above, beside and below the field."""
_SEATED: Final = (Tone.HEAD, Tone.BODY, Tone.TAIL)
"""Parts of a seat: in letters mode they show its number."""


def extent(frame: Frame) -> tuple[int, int]:
    """Width and height of the board in cells."""
    return max((len(row) for row in frame.cells), default=0), len(frame.cells)


def needs_edge(frame: Frame) -> bool:
    """Whether the field needs an edge: some of its outermost cells are not walls."""
    cells = frame.cells
    sides = (row[x] for row in cells for x in (0, -1) if row)
    return any(
        mark.tone is not Tone.WALL for mark in (*sides, *(mark for row in (*cells[:1], *cells[-1:]) for mark in row))
    )


def size_in(mode: Mode, frame: Frame, edge: bool = False) -> tuple[int, int]:
    """The columns and lines of the whole board, with or without an edge."""
    width, height = extent(frame)
    ring = 2 * edge
    lines = height + ring
    return _WIDTHS[mode] * width + ring, (lines + 1) // 2 if mode is Mode.HALF else lines


def modes(look: Look) -> tuple[Mode, ...]:
    """The modes that such a terminal can show, best first."""
    if look.colour and look.shades and not look.ascii_only:
        return Mode.DOUBLE, Mode.HALF, Mode.LETTERS
    return Mode.DOUBLE, Mode.LETTERS


def focus_of(frame: Frame, follow: int | None) -> Cell | None:
    """The cell to keep in view: the head of the followed seat, or of the first seat to move; None without one."""
    seat = follow if follow is not None else next(iter(frame.to_move), None)
    if seat is None:
        return None
    body = None
    for y, row in enumerate(frame.cells):
        for x, mark in enumerate(row):
            if mark.seat == seat:
                if mark.tone is Tone.HEAD:
                    return x, y
                body = body or (x, y)
    return body


def draw_board(
    frame: Frame, width: int, height: int, look: Look, mode: Mode, *, focus: Cell | None = None, edge: bool = False
) -> list[Text]:
    """The board in at most `width` columns × `height` lines; if it does not fit, the part with `focus` in its middle.

    With `edge`, there is a line around the field, as far as its cells are shown.
    """
    across, down = extent(frame)
    if not across or not down:
        return []
    width, height = max(0, width), max(0, height)
    columns, _ = size_in(mode, frame, edge)
    most = width // 2 if mode is Mode.DOUBLE and columns > width else width
    rows = height * 2 if mode is Mode.HALF else height
    # Coordinates -1 and `across`, -1 and `down` are the edge.
    ring = int(edge)
    x0, wide = _slide(across + 2 * ring, most, focus and focus[0] + ring)
    y0, high = _slide(down + 2 * ring, rows, focus and focus[1] + ring)
    xs, ys = range(x0 - ring, x0 - ring + wide), range(y0 - ring, y0 - ring + high)
    if mode is Mode.HALF:
        pixels = [_pixels(frame, xs, y) for y in ys]
        return [_half_line(upper, pixels[2 * k + 1] if 2 * k + 1 < high else ()) for k, upper in enumerate(pixels[::2])]
    dots = not look.colour or (not edge and needs_edge(frame))
    return [_text_line(frame, xs, y, mode, look, dots) for y in ys]


def sample(mark: Mark, mode: Mode, look: Look) -> Text:
    """A cell in this mode, two columns wide, for legends."""
    if mode is Mode.HALF:
        return Text.assemble(("  ", half_style(pixel := cell_pixel(mark), pixel)))
    text = cell_text(mark, mode, dots=not look.colour)
    style = letter_style(mark, look) if mode is Mode.LETTERS else cell_style(mark, look)
    return Text.assemble((text, style), " " * (2 - len(text)))


def cell_text(mark: Mark, mode: Mode, *, dots: bool) -> str:
    """A cell's characters: two in double mode, one in letters mode; blank floor has a dot with `dots`.

    In letters mode, parts of a seat are the last digit of its number, walls are `#`, and others are the first character of
    the mark that is not a digit.
    """
    if dots and mark.tone is Tone.EMPTY and not mark.text.strip():
        return _FLOOR_DOT[mode]
    if mode is not Mode.LETTERS:
        return mark.text
    if mark.seat is not None and mark.tone in _SEATED:
        return str((mark.seat + 1) % 10)
    signs = mark.text.strip()
    return "#" if mark.tone is Tone.WALL else signs.lstrip("0123456789")[:1] or signs[:1] or " "


def _slide(length: int, room: int, at: int | None) -> tuple[int, int]:
    """The start and the length of a window of `room` cells on `length` cells, with `at` near its middle."""
    if length <= room:
        return 0, length
    start = (length - room) // 2 if at is None else at - room // 2
    return min(max(0, start), length - room), room


def _text_line(frame: Frame, xs: range, y: int, mode: Mode, look: Look, dots: bool) -> Text:
    """The cells of row y and columns `xs`; rows and columns outside the field are the edge."""
    across, down = extent(frame)
    inner = range(max(0, xs.start), min(across, xs.stop))
    left, line, right = _EDGE_SIGNS[look.ascii_only][(y >= 0) + (y >= down)]
    style = edge_style(look.colour)
    runs = [(left, style)] if xs.start < 0 else []
    if 0 <= y < down:
        inked = letter_style if mode is Mode.LETTERS else cell_style
        row = frame.cells[y]
        runs += [(cell_text(mark, mode, dots=dots), inked(mark, look)) for mark in row[inner.start : inner.stop]]
    else:
        runs.append((line * len(inner) * _WIDTHS[mode], style))
    if xs.stop > across:
        runs.append((right, style))
    return _merge(runs)


def _pixels(frame: Frame, xs: range, y: int) -> list[str]:
    """The colours of row y in columns `xs`, each `#rrggbb`."""
    across, down = extent(frame)
    if not 0 <= y < down:
        return [EDGE_PIXEL] * len(xs)
    cells = frame.cells[y][max(0, xs.start) : xs.stop]
    return [EDGE_PIXEL] * (xs.start < 0) + [cell_pixel(mark) for mark in cells] + [EDGE_PIXEL] * (xs.stop > across)


def _half_line(upper: Sequence[str], lower: Sequence[str]) -> Text:
    """Two rows of cells as one line; `lower` may be empty, which leaves the terminal's background."""
    runs = []
    for x, top in enumerate(upper):
        if x >= len(lower):
            runs.append(("▀", half_style(top, None)))
        elif (bottom := lower[x]) == top:
            runs.append((" ", half_style(top, top)))
        else:
            runs.append(("▀", half_style(top, bottom)))
    return _merge(runs)


def _merge(runs: Sequence[tuple[str, Style]]) -> Text:
    text = Text()
    for style, same in groupby(runs, key=itemgetter(1)):
        text.append("".join(part for part, _ in same), style)
    return text
