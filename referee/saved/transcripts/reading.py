"""Reads the log of a step from a transcript."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.errors import UsageError
from referee.files.reading import open_file, read
from referee.saved.entries import Header
from referee.saved.transcripts.index import INDEX, Index, Misfit, seat_file
from referee.text.words import shorten

MOST_INDEX: Final = 64 << 20
"""Bytes of an index; a match of 40,000 steps has 2 MB."""
MOST_LOG: Final = 64 << 10
"""Bytes of one step's log that are shown. Of a longer one, both ends are kept."""


class Transcript:
    """A transcript on disk. Its files are opened for each log, so that nothing has to be closed."""

    def __init__(self, folder: Path, header: Header) -> None:
        """Open the transcript of the match with this header.

        Raises:
            UsageError: the folder has none, or has one of another match.
        """
        self._folder = folder
        path = folder / INDEX
        if folder.is_dir() and not path.exists():
            raise UsageError(f"{folder} has no {INDEX}: name a folder that play --transcript has written")
        try:
            self._index = Index(read(path, MOST_INDEX))
        except Misfit as wrong:
            raise UsageError(f"{path} is not the index of a transcript: {wrong}") from None
        own, match = self._index.header, (header.game, header.rng_seed, header.created, len(header.players))
        if (own.game, own.rng_seed, own.created, own.seats) != match:
            raise UsageError(
                f"{folder} is the transcript of another match ({shorten(own.game, 40)}, seed {shorten(str(own.rng_seed), 40)}, "
                f"of {shorten(own.created, 40)}), not of this one ({header.game}, seed {header.rng_seed}, of "
                f"{shorten(header.created, 40)})"
            )

    def log(self, step: int, seat: int) -> str:
        """What the seat's player wrote to stderr between its previous answer and that of this step.

        Returns:
            Untrusted text. It is empty if the seat was not asked in this step, or if the index ends before it.

        Raises:
            UsageError: the file cannot be read.
        """
        start, end = self._index.log_range(step, seat)
        if start == end:
            return ""
        path = self._folder / seat_file(seat, "err")
        half = MOST_LOG // 2
        spans = [(start, end)] if end - start <= MOST_LOG else [(start, start + half), (end - half, end)]
        try:
            with open_file(path) as file:
                parts = []
                for first, last in spans:
                    file.seek(first)
                    parts.append(file.read(last - first).decode(errors="replace"))
        except OSError as failed:
            raise UsageError(f"{path}: {failed.strerror or failed}") from None
        return f"\n[{end - start - 2 * half} bytes left out]\n".join(parts)
