"""A frame's board as lines of text in one of three ways.

1. *Double*: two columns a cell, the mark's own text. Readable with and without colour, and cells are about square.
2. *Half*: `▀`, the upper cell as its ink and the lower as its ground: a cell is one column and half a line. Needs many
   colours, for it has nothing else.
3. *Letters*: one column and one line a cell. Where even that is too large, a part that has one cell in its middle.
4. The *edge* is a line around the field where the outermost cells are not all wall: a ground colour alone is hardly told
   from a dark terminal's. It counts as a ring of cells, half a line thick in half mode, and slides out of a part's view
   like they do. Where there is no room for it, dots say how far the floor reaches, in those modes that have text.

Neighbouring cells of the same style become one span: a terminal gets a colour change where something changes, no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from rich.style import Style
from rich.text import Span, Text

from referee.frame import Frame, Mark, Tone
from referee.grid import Cell
from referee.view.palette import EDGE_PIXEL, Look, cell_pixel, cell_style, edge_style, half_style, letter_style


class Mode(StrEnum):
    """How a cell becomes characters."""

    DOUBLE = "double"
    HALF = "half"
    LETTERS = "letters"


_FLOOR_DOT: Final = {Mode.DOUBLE: " .", Mode.LETTERS: "."}
"""Blank floor where nothing else shows how far the field reaches."""
_EDGE_SIGNS: Final = {
    False: (("┌", "─", "┐"), ("│", "", "│"), ("└", "─", "┘")),
    True: (("+", "-", "+"), ("|", "", "|"), ("+", "-", "+")),
}
"""By ASCII alone: left, between and right of the rows above, in and below the field."""
_SEATED: Final = (Tone.HEAD, Tone.BODY, Tone.TAIL)
"""Parts of a seat's own: as letters they say whose they are."""


def extent(frame: Frame) -> tuple[int, int]:
    """Width and height of the board in cells."""
    return max((len(row) for row in frame.cells), default=0), len(frame.cells)


def needs_edge(frame: Frame) -> bool:
    """Whether the outermost cells do not show by themselves where the field ends: some of them are no wall."""
    cells = frame.cells
    sides = (row[x] for row in cells for x in (0, -1) if row)
    return any(
        mark.tone is not Tone.WALL for mark in (*sides, *(mark for row in (*cells[:1], *cells[-1:]) for mark in row))
    )


def size_in(mode: Mode, frame: Frame, edge: bool = False) -> tuple[int, int]:
    """Columns and lines that the whole board takes, with or without an edge."""
    width, height = extent(frame)
    ring = 2 * edge
    match mode:
        case Mode.DOUBLE:
            return 2 * width + ring, height + ring
        case Mode.HALF:
            return width + ring, (height + ring + 1) // 2
    return width + ring, height + ring


def modes(look: Look) -> tuple[Mode, ...]:
    """The ways to draw on such a terminal, best first."""
    if look.colour and look.shades and not look.ascii_only:
        return Mode.DOUBLE, Mode.HALF, Mode.LETTERS
    return Mode.DOUBLE, Mode.LETTERS


def focus_of(frame: Frame, follow: int | None) -> Cell | None:
    """The cell to keep in view: the head of the seat that is followed, else of the first one to move; None without any."""
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
    """The board in at most `width` columns × `height` lines; what does not fit is left out, `focus` kept in the middle.

    With `edge` there is a line around the field, as far as its cells are shown.
    """
    across, down = extent(frame)
    if not across or not down:
        return []
    columns, _ = size_in(mode, frame, edge)
    most = max(0, width) // 2 if mode is Mode.DOUBLE and columns > width else max(0, width)
    rows = max(0, height) * 2 if mode is Mode.HALF else max(0, height)
    # Places count from the ring: -1 and `across`, -1 and `down` are the edge itself.
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
    """One cell as it looks in this mode, two columns wide, for legends."""
    if mode is Mode.HALF:
        return Text.assemble(("  ", half_style(pixel := cell_pixel(mark), pixel)), no_wrap=True, end="")
    text = cell_text(mark, mode, dots=not look.colour)
    style = letter_style(mark, look) if mode is Mode.LETTERS else cell_style(mark, look)
    return Text.assemble((text, style), " " * (2 - len(text)), no_wrap=True, end="")


def cell_text(mark: Mark, mode: Mode, *, dots: bool) -> str:
    """A cell's characters: two in double mode, one as a letter; blank floor has a dot with `dots`.

    Letters: what belongs to a seat is its number's last digit, as everywhere beside the board; walls are `#`, and all else
    the first sign of the mark that is no digit.
    """
    if dots and mark.tone is Tone.EMPTY and not mark.text.strip():
        return _FLOOR_DOT[mode]
    if mode is Mode.DOUBLE:
        return mark.text
    if mark.seat is not None and mark.tone in _SEATED:
        return str((mark.seat + 1) % 10)
    signs = mark.text.strip()
    return "#" if mark.tone is Tone.WALL else signs.lstrip("0123456789")[:1] or signs[:1] or " "


def _slide(length: int, room: int, at: int | None) -> tuple[int, int]:
    """Where a window of `room` cells begins on `length` cells, `at` in its middle as far as the edges allow, and its extent."""
    if length <= room:
        return 0, length
    start = (length - room) // 2 if at is None else at - room // 2
    return min(max(0, start), length - room), room


def _text_line(frame: Frame, xs: range, y: int, mode: Mode, look: Look, dots: bool) -> Text:
    """The cells of row y and columns `xs`; a row or column beyond the field is the edge."""
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
        runs.append((line * len(inner) * (2 if mode is Mode.DOUBLE else 1), style))
    if xs.stop > across:
        runs.append((right, style))
    return _merged(runs)


def _pixels(frame: Frame, xs: range, y: int) -> list[str]:
    """The colours of row y in columns `xs`, each `#rrggbb`."""
    across, down = extent(frame)
    if not 0 <= y < down:
        return [EDGE_PIXEL] * len(xs)
    cells = frame.cells[y][max(0, xs.start) : xs.stop]
    return [EDGE_PIXEL] * (xs.start < 0) + [cell_pixel(mark) for mark in cells] + [EDGE_PIXEL] * (xs.stop > across)


def _half_line(upper: Sequence[str], lower: Sequence[str]) -> Text:
    """Two rows of cells as one line; the last line of an odd number of rows has the terminal's own ground below."""
    runs = []
    for x, top in enumerate(upper):
        if x >= len(lower):
            runs.append(("▀", half_style(top, None)))
        elif (bottom := lower[x]) == top:
            runs.append((" ", half_style(top, top)))
        else:
            runs.append(("▀", half_style(top, bottom)))
    return _merged(runs)


def _merged(runs: Sequence[tuple[str, Style]]) -> Text:
    plain: list[str] = []
    spans: list[Span] = []
    start = end = 0
    current: Style | None = None
    for text, style in runs:
        if style is not current and style != current:
            if current is not None:
                spans.append(Span(start, end, current))
            current, start = style, end
        plain.append(text)
        end += len(text)
    if current is not None:
        spans.append(Span(start, end, current))
    return Text("".join(plain), spans=spans, no_wrap=True, end="")
