"""A frame as text for pipes and files: plain, or with a coloured board."""

from __future__ import annotations

from collections.abc import Sequence

from referee.contract.frame import Frame
from referee.moments.columns import align
from referee.moments.formatting import clean, clean_name, number
from referee.moments.moment import moment
from referee.moments.scene import seats_to_mark
from referee.moments.timeline import Timeline
from referee.saved.replay import Replay
from referee.terminal.board import Mode, cell_text, draw_board, size_in
from referee.terminal.console import Terminal


def frame_text(frame: Frame, *, remark: str = "", ascii_only: bool = False, board: Sequence[str] | None = None) -> str:
    """A frame as lines of text: the title, the board, a line for each seat, and the legend.

    Args:
        remark: follows the title.
        board: the lines of the board; None for plain text.
    """
    lines = [title_line(frame, remark, ascii_only)]
    lines += board_lines(frame) if board is None else board
    cells = [[clean(cell, ascii_only) for cell in row] for row in (headings(frame), *seat_rows(frame, ascii_only))]
    lines += align(cells, left=(1, len(cells[0]) - 1))
    lines.append("")
    lines += [f"  {mark.text}  {clean(meaning, ascii_only)}" for mark, meaning in frame.legend]
    return "\n".join(lines) + "\n"


def frame_at(saved: Replay, step: int | None) -> tuple[Frame, str]:
    """The frame after a step of a saved match, by default the last one, and the remark on it.

    Raises:
        SavedGameError: a step does not follow from the rules. UsageError: there is no such step.
    """
    last = len(saved.steps)
    shown = moment(Timeline(saved), last if step is None else step)
    return shown.frame, remark_on(shown.at, last, shown.over)


def remark_on(step: int, last: int, over: str | None) -> str:
    """Where a saved match is: the step of the last one, and why it is over."""
    return f"step {step}/{last}" + (f", over: {over}" if over is not None else "")


def title_line(frame: Frame, remark: str, ascii_only: bool = False) -> str:
    """The first line: the title of the frame, and a remark."""
    return "  ".join(clean(text, ascii_only) for text in (frame.title, remark) if text)


def board_lines(frame: Frame) -> list[str]:
    """The board, a line for each row, without blanks at the ends."""
    return ["".join(cell_text(mark, Mode.DOUBLE, dots=True) for mark in row).rstrip() for row in frame.cells]


def headings(frame: Frame) -> list[str]:
    """The headings of `seat_rows`; that of the last column, a note, is empty."""
    return ["seat", "name", "points", *frame.figures, ""]


def seat_rows(frame: Frame, ascii_only: bool = False) -> list[list[str]]:
    """The cells of each seat's line."""
    to_move = seats_to_mark(frame)
    rows = []
    for line in frame.seats:
        turn = "to move" if line.seat in to_move else ""
        note = turn if line.disqualified is None else f"disqualified: {line.disqualified}"
        rows.append([str(line.seat + 1), clean_name(line.name, ascii_only), number(line.score), *line.figures, note])
    return rows


def coloured_board(frame: Frame, terminal: Terminal) -> list[str] | None:
    """The lines of the board with colours; None if the stream gets none."""
    if not terminal.look.colour:
        return None
    width, height = size_in(Mode.DOUBLE, frame)
    lines = draw_board(frame, width, height, terminal.look, Mode.DOUBLE)
    with terminal.out.capture() as captured:
        for line in lines:
            terminal.out.print(line, soft_wrap=True, end="\n")
    return captured.get().splitlines()
