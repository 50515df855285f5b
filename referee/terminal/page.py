"""A whole page: the places of the board and the panel for any size of the terminal.

1. The modes of the board are tried in the order double, half, letters, first with an edge if the field needs one. The first mode
   is chosen in which the whole board fits and the panel beside or below it has space for every seat.
2. If both places are possible, the panel goes beside the board if it is wide enough there, or else below it if it gets a
   line for each seat.
3. If no mode fits, a part of the board is shown in letters: beside the panel if the whole width fits, or else above it.
   Then the panel gets at most half of the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.text import Text

from referee.moments.scene import Scene
from referee.terminal.bindings import Keys
from referee.terminal.board import Mode, draw_board, focus_of, modes, needs_edge, size_in
from referee.terminal.palette import Look
from referee.terminal.panel import good_height, least_height, panel_lines

GAP: Final = 2
SIDE_LEAST: Final = 24
SIDE_GOOD: Final = 44
SIDE_MOST: Final = 110


class Place(NamedTuple):
    """The mode of the board, whether it has an edge, whether the panel is beside or below it, and both sizes.

    Sizes are in columns and lines.
    """

    mode: Mode
    edge: bool
    beside: bool
    board: tuple[int, int]
    panel: tuple[int, int]


def arrange(scene: Scene, width: int, height: int, look: Look) -> Place:
    """The best place for board and panel on a terminal of `width` × `height`."""
    edges = (True, False) if needs_edge(scene.frame) else (False,)
    least, good = least_height(scene), good_height(scene)
    for mode, edge in product(modes(look), edges):
        columns, lines = size_in(mode, scene.frame, edge)
        if columns > width or lines > height:
            continue
        side, rest = min(width - columns - GAP, SIDE_MOST), height - lines
        beside = Place(mode, edge, True, (columns, lines), (side, height))
        below = Place(mode, edge, False, (columns, lines), (width, rest))
        beside_fits = side >= SIDE_LEAST and height >= least
        if beside_fits and side >= SIDE_GOOD:
            return beside
        if rest >= max(least, good):
            return below
        if beside_fits:
            return beside
        if rest >= least:
            return below
    edge = edges[0]
    across, _ = size_in(Mode.LETTERS, scene.frame, edge)
    side = min(width - across - GAP, SIDE_MOST)
    if side >= SIDE_LEAST and height >= least:
        return Place(Mode.LETTERS, edge, True, (across, height), (side, height))
    panel = min(max(least, min(good, height // 2)), max(1, height - 3), height)
    return Place(Mode.LETTERS, edge, False, (width, height - panel), (width, panel))


def compose(scene: Scene, width: int, height: int, look: Look, keys: Keys) -> list[Text]:
    """The page as at most `height` lines of at most `width` columns."""
    if width < 1 or height < 1:
        return []
    layout = arrange(scene, width, height, look)
    focus = focus_of(scene.frame, scene.follow) if layout.mode is Mode.LETTERS else None
    board = draw_board(scene.frame, *layout.board, look, layout.mode, focus=focus, edge=layout.edge)
    panel = panel_lines(scene, *layout.panel, look, keys, layout.mode)
    if not layout.beside:
        return [*board, *panel][:height]
    lines = []
    for row in range(min(height, max(len(board), len(panel)))):
        line = board[row] if row < len(board) else Text()
        if row < len(panel) and panel[row].plain:
            line.append(" " * (layout.board[0] + GAP - line.cell_len))
            line.append_text(panel[row])
        lines.append(line)
    return lines


def with_last(lines: Sequence[Text], last: Text, width: int, height: int) -> list[Text]:
    """The page with another last line."""
    if width < 1 or height < 1:
        return []
    last.truncate(width, overflow="crop")
    filled = [*lines, *[Text()] * (height - len(lines))]
    return [*filled[: height - 1], last]


class Page:
    """Finished lines for rich, which does not wrap or justify them again."""

    def __init__(self, lines: Sequence[Text]) -> None:
        self._lines = lines

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> Iterator[Segment]:
        for line in self._lines:
            yield from Text().append_text(line).render(console)  # `render` alone leaves out the style of a whole line
            yield Segment.line()
