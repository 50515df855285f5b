"""A whole page: where the board and the panel go, for any size of the terminal.

1. Board ways are tried best first (double, half, letters), each with an edge, if the field needs one, and then without.
   One is taken when the whole board fits and the panel beside or below it has room for every seat.
2. Where both places would do, beside wins if the panel gets a good width there, else below if it gets a line a seat.
3. Where nothing fits, letters in a window: beside the panel when the board's whole width leaves room for it, else above
   it, and then the panel takes at most half of the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.text import Text

from referee.view.board import Mode, draw_board, focus_of, modes, needs_edge, size_in
from referee.view.palette import Look
from referee.view.panel import Keys, good_height, help_page, least_height, panel_lines
from referee.view.scene import Scene

GAP: Final = 2
SIDE_LEAST: Final = 24
SIDE_GOOD: Final = 44
SIDE_MOST: Final = 90


class Place(NamedTuple):
    """Where things go, in columns and lines: the board's mode and room, the panel's room, beside (or below) the board.

    `edge` says whether there is a line around the field.
    """

    mode: Mode
    edge: bool
    beside: bool
    board: tuple[int, int]
    panel: tuple[int, int]


def arrange(scene: Scene, width: int, height: int, look: Look) -> Place:
    """The best place for board and panel on a terminal of `width` × `height`."""
    edges = (True, False) if needs_edge(scene.frame) else (False,)
    for mode, edge in product(modes(look), edges):
        columns, lines = size_in(mode, scene.frame, edge)
        if columns > width or lines > height:
            continue
        side = min(width - columns - GAP, SIDE_MOST)
        beside = Place(mode, edge, True, (columns, lines), (side, height))
        below = Place(mode, edge, False, (columns, lines), (width, height - lines))
        beside_fits = side >= SIDE_LEAST and height >= least_height(scene, side)
        below_fits = height - lines >= least_height(scene, width)
        if beside_fits and side >= SIDE_GOOD:
            return beside
        if below_fits and height - lines >= good_height(scene):
            return below
        if beside_fits:
            return beside
        if below_fits:
            return below
    edge = edges[0]
    across, _ = size_in(Mode.LETTERS, scene.frame, edge)
    side = min(width - across - GAP, SIDE_MOST)
    if side >= SIDE_LEAST and height >= least_height(scene, side):
        return Place(Mode.LETTERS, edge, True, (across, height), (side, height))
    panel = min(max(least_height(scene, width), min(good_height(scene), height // 2)), max(1, height - 3), height)
    return Place(Mode.LETTERS, edge, False, (width, height - panel), (width, panel))


def compose(scene: Scene, width: int, height: int, look: Look, keys: Keys, *, helping: bool = False) -> list[Text]:
    """The page as at most `height` lines of at most `width` columns; `helping` shows the keys instead of the match."""
    if width < 1 or height < 1:
        return []
    place = arrange(scene, width, height, look)
    if helping:
        return help_page(scene, width, height, look, keys, place.mode)
    focus = focus_of(scene.frame, scene.follow) if place.mode is Mode.LETTERS else None
    board = draw_board(scene.frame, *place.board, look, place.mode, focus=focus, edge=place.edge)
    panel = panel_lines(scene, *place.panel, look, keys, place.mode)
    if not place.beside:
        return [*board, *panel][:height]
    lines = []
    for row in range(min(height, max(len(board), len(panel)))):
        line = board[row] if row < len(board) else Text(no_wrap=True, end="")
        if row < len(panel) and panel[row].plain:
            line.append(" " * (place.board[0] + GAP - line.cell_len))
            line.append_text(panel[row])
        lines.append(line)
    return lines


class Page:
    """Lines that are already as wide as they should be, for rich: nothing is wrapped, measured or justified again."""

    def __init__(self, lines: Sequence[Text]) -> None:
        self._lines = lines

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> Iterator[Segment]:
        for line in self._lines:
            yield from line.render(console)
            yield Segment.line()
