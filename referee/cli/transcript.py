"""The exact bytes of a match, in a file for each seat and stream: `seatK.in`, `seatK.out`, `seatK.err`, K from 0.

`in` has the requests, `out` the answers, and `err` the player's log, at most `LOG_CAP` bytes, so that no player fills the disk.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final

from referee.errors import UsageError
from referee.files import check_place, set_aside

LOG_CAP: Final = 64 << 20
_CUT: Final = b"\n[the rest of the log was left out]\n"


class SeatTranscript:
    """One seat's three files; a `Tap` for its dialogue and a listener for its log."""

    def __init__(self, folder: Path, seat: int, stack: ExitStack) -> None:
        self._in, self._out, self._err = (
            stack.enter_context(_create(folder / f"seat{seat}.{stream}")) for stream in ("in", "out", "err")
        )
        self._room = LOG_CAP

    def sent(self, data: bytes) -> None:
        """Write bytes that the player was sent."""
        _write(self._in, data)

    def received(self, data: bytes) -> None:
        """Write bytes that were read from the player."""
        _write(self._out, data)

    def logged(self, data: bytes) -> None:
        """Write bytes of the player's log."""
        if self._room <= 0:
            return
        _write(self._err, data[: self._room])
        self._room -= len(data)
        if self._room <= 0:
            _write(self._err, _CUT)


def open_transcripts(folder: Path, seats: int, stack: ExitStack) -> list[SeatTranscript]:
    """The files of all seats, closed with the stack.

    Raises:
        UsageError: the folder cannot be made or written in.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [SeatTranscript(folder, seat, stack) for seat in range(seats)]
    except OSError as failed:
        raise UsageError(f"the transcript cannot be written in {folder}: {failed.strerror}") from None


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
