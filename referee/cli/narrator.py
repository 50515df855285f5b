"""What commands print on stderr while they work: messages and progress. All text is escaped."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic
from typing import Final

from referee.text.words import codes_of, harmless


def narrate(text: str) -> None:
    """Print a line on stderr, escaped. If stderr cannot be written to, the work goes on."""
    with suppress(OSError):
        print(harmless(text), file=sys.stderr)


def narrate_renamed(moved: Iterable[tuple[Path, Path]]) -> None:
    """Say which files were in the way and have been renamed, as (old name, new name)."""
    for path, aside in moved:
        narrate(f"{path} existed already: it was renamed to {aside}")


def silent(_line: object) -> None:
    """Replaces `narrate` with --quiet."""


SECONDS: Final = 1.0
"""Seconds between two updates of the progress line."""


def status(text: str) -> None:
    """Replace the progress line on stderr, which is no wider than the terminal; an empty text removes it."""
    with suppress(OSError):
        codes_of(sys.stderr).write(f"\r\x1b[K{harmless(text)[: get_terminal_size().columns - 1]}")
        sys.stderr.flush()


@asynccontextmanager
async def progress(line: Callable[[], str], visible: Callable[[], bool] = lambda: True) -> AsyncIterator[None]:
    """Show a line on stderr, if it is a terminal, and a new one each second.

    Nothing is written unless `visible()`, because a view may have the terminal. Errors arrive as an ExceptionGroup.
    """
    import trio  # here, because most commands that narrate are not async

    async def update() -> None:
        while True:
            await trio.sleep(SECONDS)
            if visible():
                status(line())

    if not sys.stderr.isatty():
        yield
        return
    async with trio.open_nursery() as nursery:
        nursery.start_soon(update)
        try:
            yield
        finally:
            nursery.cancel_scope.cancel()
            if visible():
                status("")


class Replaying:
    """The line on stderr that says which step of a saved game is played again; only on a terminal, from the first second on."""

    def __init__(self, doing: str = "checking", *, quiet: bool, clock: Callable[[], float] = monotonic) -> None:
        self.doing = doing
        self._visible, self._clock = not quiet and sys.stderr.isatty(), clock
        self._due = clock() + SECONDS

    def __call__(self, step: int, last: int) -> None:
        """Note a step, as `Replay.played`."""
        if self._visible and (now := self._clock()) >= self._due:
            self._due = now + SECONDS
            status(f"{self.doing}: step {step} of {last}")

    def close(self) -> None:
        """Remove the line."""
        if self._visible:
            status("")
