"""Opens saved games for commands that show them, damaged ones too."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from referee.cli import history
from referee.cli.narrator import Replaying, narrate
from referee.errors import SavedGameError
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.words import counted


def open_saved(file: Path | None, played: Callable[[int, int], None] | None = None) -> Replay:
    """Open a saved game; None is the newest in the history. If it is cut off or breaks the rules, say so on stderr.

    Args:
        played: see `Replay.played`. Without it, a terminal shows how far the check is.

    Raises:
        SavedGameError: it cannot be read, or its setup breaks the rules. UsageError: there is no match in the history.
    """
    path = history.latest() if file is None else file
    record = load(path)
    replay = Replay(record)
    replay.played = played
    if record.cut_off is not None:
        narrate(f"referee: {path}: {record.cut_off}; it has {counted(len(replay.steps), 'whole step')}")
        return replay
    try:
        with closing(Replaying(quiet=played is not None)) as progress:
            replay.played = played or progress
            replay.verify()
    except SavedGameError as wrong:
        step = wrong.line - record.line_of(0)
        if 0 < step <= len(replay.steps):
            # The error is reported when that step is needed.
            narrate(
                f"referee: {path}: from step {step} on this saved game does not follow from the rules; see referee verify"
            )
        else:
            narrate(f"referee: this saved game does not follow from the rules: {wrong}")
    replay.played = played
    return replay
