"""What commands print on stderr while they work: messages, progress, and events with `-v` and `-vv`. All text is escaped."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from referee.contract.game import Entrant, Fault, Game, State, Step
from referee.text.words import codes_of, harmless, quote

if TYPE_CHECKING:
    from referee.players.stream import Tap


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
    from rich.cells import chop_cells  # here, because most commands show no progress

    line, *_ = chop_cells(harmless(text), max(2, get_terminal_size().columns - 1)) or [""]
    with suppress(OSError):
        codes_of(sys.stderr).write(f"\r\x1b[K{line}")
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

    def __init__(self, doing: str = "checking", *, quiet: bool) -> None:
        self.doing = doing
        self._visible = not quiet and sys.stderr.isatty()
        self._due = monotonic() + SECONDS

    def __call__(self, step: int, last: int) -> None:
        """Note a step, as `Replay.played`."""
        if self._visible and (now := monotonic()) >= self._due:
            self._due = now + SECONDS
            status(f"{self.doing}: step {step} of {last}")

    def close(self) -> None:
        """Remove the line."""
        if self._visible:
            status("")


class Narrator:
    """Observes a match and prints its events; with `wire`, each answer and its time too."""

    def __init__(
        self, game: Game[Any, Any], state: State[Any, Any], entrants: Sequence[Entrant], *, wire: bool
    ) -> None:
        self._game = game
        self._state = state
        self._entrants = entrants
        self._wire = wire
        self._names: list[str] = []

    def step(self, step: Step) -> None:
        """Print one step."""
        if self._wire:
            for answer in step.answers:
                text = answer.action.detail if isinstance(answer.action, Fault) else quote((answer.text or "").encode())
                narrate(f"{step.number} {step.ask} seat {answer.seat + 1}: {text} ({answer.elapsed * 1000:.2f} ms)")
        # Here, because most matches are not narrated.
        from referee.moments.scene import draw_with_names
        from referee.moments.sentences import sentences

        if step.round == 0 or not self._names:  # names do not change after round 0
            frame = draw_with_names(self._state, self._entrants)
            self._names = [line.name for line in frame.seats]

        for sentence in sentences(self._game, step, self._names):
            narrate(f"round {step.round}: {sentence.text}")


class WireTap:
    """Prints the exact bytes that a player gets and writes. Another tap may get them too."""

    def __init__(self, seat: int, other: Tap | None) -> None:
        self._seat = seat + 1
        self._other = other

    def sent(self, data: bytes) -> None:
        """Print what was sent to the player, line by line."""
        for line in data.splitlines():
            narrate(f"seat {self._seat} < {quote(line, len(line))}")
        if self._other is not None:
            self._other.sent(data)

    def received(self, data: bytes) -> None:
        """Print what the player wrote."""
        for line in data.splitlines(keepends=True):
            narrate(f"seat {self._seat} > {quote(line, len(line))}")
        if self._other is not None:
            self._other.received(data)

    def logged(self, data: bytes) -> None:
        """Print nothing: the last lines of a log follow at the end."""
        if self._other is not None:
            self._other.logged(data)
