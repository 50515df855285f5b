"""`referee replay`: shows a saved game on the terminal, or one of its positions as plain text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Ascii, Color, Programs, SavedGame, Speed, Whole
from referee.errors import UsageError
from referee.text.words import codes_of


def replay(
    file: SavedGame = None,
    /,
    *,
    step: Annotated[
        Whole | None, Parameter(help="Open at this step, paused; into a pipe, print the position after it.")
    ] = None,
    speed: Speed = None,
    transcript: Annotated[
        Path | None,
        Parameter(help="The folder that `play --transcript` wrote: the viewer shows each answer's stderr."),
    ] = None,
    watch: Annotated[
        bool | None, Parameter(help="Show the match in the viewer; default: on a terminal whose TERM is not dumb.")
    ] = None,
    program: Programs = None,
    color: Color = "auto",
    ascii: Ascii = False,  # noqa: A002
) -> None:
    """Watch a saved game.

    It plays from the start; with `--step` it opens at that step, paused.

    Keys: space plays and pauses, left and right go one step, up and down one round, PgUp and PgDn ten steps, [ and ] 5 % of
    the match, Home and End to the ends, and :120 to step 120. + and - and 0-9 set the speed. n and N go to the next and
    previous event, of the kind that k chooses (after Esc: of any kind). Tab follows a seat, and m and M go to its next and
    previous move. Where there is room, the viewer shows the request, the answer, its time and the stderr of the last move; e
    gives them more room. After d, playing stops before each turn of the followed seat. ? shows help, q quits.
    Into a pipe, one position is printed as text with its legend: the last one, or the one after `--step`.
    """
    from referee.cli import running
    from referee.cli.saved import explainers_of, open_saved
    from referee.saved.transcripts.reading import Transcript
    from referee.terminal.console import open_terminal
    from referee.terminal.text import coloured_board, frame_at, frame_text

    saved = open_saved(file)
    frame, remark = frame_at(saved, step)
    terminal = open_terminal(color=color, ascii_only=ascii)
    if watch and not terminal.interactive:
        raise UsageError("--watch needs a terminal on stdin and stdout, and a TERM that is not dumb")
    logs = None if transcript is None else Transcript(transcript, saved.record.header).log
    watched = terminal.interactive if watch is None else watch
    explainers = explainers_of(saved, program or []) if watched or program else {}
    if watched:
        from referee.terminal.viewer import Viewer, show_replay

        viewer = Viewer(saved, terminal.look, speed=speed, at=step, logs=logs, explainers=explainers)
        running.run(lambda: show_replay(viewer, terminal))
        return
    # All that others wrote is clean in this text, and the board has its colours.
    text = frame_text(frame, remark=remark, ascii_only=ascii, board=coloured_board(frame, terminal))
    codes_of(sys.stdout).write(text)
