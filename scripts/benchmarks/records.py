"""Saved games to read and to replay: the match of a work, written by the recorder without any players."""

from __future__ import annotations

import gzip
from pathlib import Path

from benchmarks.plays import Timed, header
from benchmarks.work import Work, played
from referee.game import Answer, Step

ELAPSED = 0.000_012_3
"""The recorded time of each answer, in seconds."""


def saved(work: Work, folder: Path) -> Path:
    """A work's match as a compressed saved game."""
    game = work.game
    state = work.start()
    recorder = Timed(folder / f"{work.folder.name}.jsonl.gz", header(work, game.time))
    last = None
    for number, turn in enumerate(played(game, state, work.seats), start=1):
        if last is not None:
            recorder.step(last)  # its events are known by now
        answers = [
            Answer(request.seat, action, game.format(action), ELAPSED * (1 + number % 7))
            for request, action in zip(turn.requests, turn.actions, strict=True)
        ]
        last = Step(number, turn.round, turn.requests[0].ask, answers, turn.events)
    if last is not None:
        recorder.step(last)
    recorder.end(state.current_result(), state.position())
    return recorder.path


def plain_size(path: Path) -> int:
    """The uncompressed size of a saved game in bytes."""
    with gzip.open(path) as file:
        return sum(len(line) for line in file)


def unpacked_beside(path: Path) -> Path:
    """The same game uncompressed, in a file beside it."""
    plain = path.with_suffix("")
    with gzip.open(path) as file:
        plain.write_bytes(file.read())
    return plain
