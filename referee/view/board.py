"""A frame's board as lines of text in one of three ways.

1. *Double*: two columns a cell, the mark's own text. Readable with and without colour, and cells are about square.
2. *Half*: `▀`, the upper cell as its ink and the lower as its ground: a cell is one column and half a line. Needs many
   colours, for it has nothing else.
3. *Letters*: one column and one line a cell. Where even that is too large, a part that has one cell in its middle.

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
from referee.view.palette import Look, cell_pixel, cell_style, half_style


class Mode(StrEnum):
    """How a cell becomes characters."""

    DOUBLE = "double"
    HALF = "half"
    LETTERS = "letters"


_FLOOR_DOT: Final = {Mode.DOUBLE: " .", Mode.LETTERS: "."}
"""Blank floor where no ground colour shows how far the field reaches."""


def extent(frame: Frame) -> tuple[int, int]:
    """Width and height of the board in cells."""
    return max((len(row) for row in frame.cells), default=0), len(frame.cells)


def size_in(mode: Mode, frame: Frame) -> tuple[int, int]:
    """Columns and lines that the whole board takes."""
    width, height = extent(frame)
    match mode:
        case Mode.DOUBLE:
            return 2 * width, height
        case Mode.HALF:
            return width, (height + 1) // 2
    return width, height


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
    frame: Frame, width: int, height: int, look: Look, mode: Mode, *, focus: Cell | None = None
) -> list[Text]:
    """The board in at most `width` columns × `height` lines; what does not fit is left out, `focus` kept in the middle."""
    across, down = extent(frame)
    columns = max(0, width) // 2 if mode is Mode.DOUBLE else max(0, width)
    rows = max(0, height) * 2 if mode is Mode.HALF else max(0, height)
    x0, across = _slide(across, columns, focus and focus[0])
    y0, down = _slide(down, rows, focus and focus[1])
    cells = [row[x0 : x0 + across] for row in frame.cells[y0 : y0 + down]]
    if mode is Mode.HALF:
        blank: list[Mark] = []
        return [
            _half_line(upper, cells[y + 1] if (y := 2 * line) + 1 < len(cells) else blank)
            for line, upper in enumerate(cells[::2])
        ]
    return [_text_line(row, mode, look) for row in cells]


def sample(mark: Mark, mode: Mode, look: Look) -> Text:
    """One cell as it looks in this mode, two columns wide, for legends."""
    if mode is Mode.HALF:
        return Text.assemble(("  ", half_style(pixel := cell_pixel(mark), pixel)), no_wrap=True, end="")
    text = cell_text(mark, mode, look)
    return Text.assemble((text, cell_style(mark, look)), " " * (2 - len(text)), no_wrap=True, end="")


def cell_text(mark: Mark, mode: Mode, look: Look) -> str:
    """A cell's characters: two in double mode, one as a letter.

    Letters: heads `A`, `B` … by seat, other cells of a seat its number, walls `#`, else the first sign of the mark.
    """
    plain_floor = mark.tone is Tone.EMPTY and not mark.text.strip()
    if plain_floor and not look.colour:
        return _FLOOR_DOT[mode]
    if mode is Mode.DOUBLE:
        return mark.text
    if mark.seat is not None:
        return chr(ord("A") + mark.seat % 26) if mark.tone is Tone.HEAD else str((mark.seat + 1) % 10)
    return "#" if mark.tone is Tone.WALL else mark.text.strip()[:1] or " "


def _slide(length: int, room: int, at: int | None) -> tuple[int, int]:
    """Where a window of `room` cells begins on `length` cells, `at` in its middle as far as the edges allow, and its extent."""
    if length <= room:
        return 0, length
    start = (length - room) // 2 if at is None else at - room // 2
    return min(max(0, start), length - room), room


def _text_line(row: Sequence[Mark], mode: Mode, look: Look) -> Text:
    return _merged([(cell_text(mark, mode, look), cell_style(mark, look)) for mark in row])


def _half_line(upper: Sequence[Mark], lower: Sequence[Mark]) -> Text:
    """Two rows of cells as one line; the last line of an odd number of rows has the terminal's own ground below."""
    runs = []
    for x, mark in enumerate(upper):
        top = cell_pixel(mark)
        if x >= len(lower):
            runs.append(("▀", half_style(top, None)))
        elif (bottom := cell_pixel(lower[x])) == top:
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
