"""Writes a transcript while the match runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final

from referee.contract.game import Step
from referee.errors import UsageError
from referee.files.claims import check_place, set_aside
from referee.saved.transcripts.index import FORMAT, INDEX, STREAMS, seat_file

LOG_CAP: Final = 64 << 20
"""The most bytes of a seat's log, so that no player fills the disk."""
_CUT: Final = b"\n[the rest of the log was left out]\n"


class SeatTranscript:
    """One seat's three files: a `Tap` for its player.

    Attributes:
        written: the bytes of each file so far, in the order of `STREAMS`.
    """

    def __init__(self, folder: Path, seat: int, stack: ExitStack) -> None:
        self._files = [stack.enter_context(_create(folder / seat_file(seat, stream))) for stream in STREAMS]
        self.written = [0, 0, 0]
        self._room = LOG_CAP

    def sent(self, data: bytes) -> None:
        """Write bytes that the player was sent."""
        self._write(0, data)

    def received(self, data: bytes) -> None:
        """Write bytes that were read from the player."""
        self._write(1, data)

    def logged(self, data: bytes) -> None:
        """Write bytes of the player's log."""
        if self._room <= 0:
            return
        self._write(2, data[: self._room])
        self._room -= len(data)
        if self._room <= 0:
            self._write(2, _CUT)

    def _write(self, stream: int, data: bytes) -> None:
        _write(self._files[stream], data)
        self.written[stream] += len(data)


class TranscriptWriter:
    """All files of a transcript. It observes the match, which tells it the steps.

    Attributes:
        seats: the transcript of each seat.
    """

    def __init__(self, folder: Path, *, game: str, rng_seed: int, created: str, seats: int, stack: ExitStack) -> None:
        """Create the files; `stack` closes them. The match is named as in the header of its saved game.

        Raises:
            UsageError: the folder cannot be made or written in.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.seats: Sequence[SeatTranscript] = [SeatTranscript(folder, seat, stack) for seat in range(seats)]
            self._index = stack.enter_context(_create(folder / INDEX))
        except OSError as failed:
            raise UsageError(f"the transcript cannot be written in {folder}: {failed.strerror}") from None
        self._line(
            {"type": "header", "format": FORMAT, "game": game, "rng_seed": rng_seed, "created": created, "seats": seats}
        )

    def step(self, step: Step) -> None:
        """Note where the files of the asked seats end after this step."""
        seats = [answer.seat for answer in step.answers]
        self._line({"step": step.number, "ends": [[seat, *self.seats[seat].written] for seat in seats]})

    def _line(self, value: dict[str, object]) -> None:
        _write(self._index, json.dumps(value, separators=(",", ":")).encode() + b"\n")


def _write(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    try:
        while rest:  # a nearly full disk takes a part of it
            rest = rest[file.write(rest) :]
    except OSError as failed:
        raise OSError(failed.errno, failed.strerror, file.name) from None


def _create(path: Path) -> BinaryIO:
    check_place(path)
    try:
        set_aside(path)
    except OSError as failed:
        raise UsageError(f"{path} is in the way and cannot be moved aside: {failed.strerror}") from None
    return open(path, "xb", buffering=0, opener=lambda name, flags: os.open(name, flags | os.O_CLOEXEC, 0o644))
