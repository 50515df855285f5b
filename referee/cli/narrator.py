"""`-v` and `-vv`: what happens in a match, on stderr, as it happens. What comes from bots is shown harmless."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from referee.game import Entrant, Fault, Game, Position, State, Step
from referee.names import harmless, quote
from referee.ranking import Outcome


def narrate(text: str) -> None:
    """Tell something on stderr. Narration is a kindness: where nobody can take it the work goes on."""
    with suppress(OSError):
        print(harmless(text), file=sys.stderr)


def silent(_told: object) -> None:
    """In place of `narrate` where nobody wants to know."""


SECONDS: Final = 1.0
"""Seconds between two updates of the line of progress."""


@asynccontextmanager
async def progress(steps: Callable[[], int], total: int) -> AsyncIterator[None]:
    """Show on stderr, if it is a terminal, how many steps of a match have been played. Errors arrive as an ExceptionGroup."""

    def show(text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    import trio  # here: most commands that narrate run nothing async

    async def update() -> None:
        while True:
            await trio.sleep(SECONDS)
            show(f"step {steps()} of {total}" if total else f"step {steps()}")

    if not sys.stderr.isatty():
        yield
        return
    async with trio.open_nursery() as nursery:
        nursery.start_soon(update)
        try:
            yield
        finally:
            nursery.cancel_scope.cancel()
            show("")


class Narrator:
    """Observes a match and tells its events; `wire` also shows what every player answered, and how fast."""

    def __init__(
        self, game: Game[Any, Any], state: State[Any, Any], entrants: Sequence[Entrant], *, wire: bool
    ) -> None:
        self._game = game
        self._state = state
        self._entrants = entrants
        self._wire = wire
        self._names: list[str] = []

    def step(self, step: Step) -> None:
        """Tell one step."""
        if self._wire:
            for answer in step.answers:
                said = answer.action.detail if isinstance(answer.action, Fault) else quote((answer.text or "").encode())
                narrate(f"{step.number} {step.ask} seat {answer.seat + 1}: {said} ({answer.elapsed * 1000:.2f} ms)")
        from referee.view.scene import called, telling  # here: not every match is told of

        if step.round == 0 or not self._names:  # later nobody is named any more, and a frame is not drawn for nothing
            frame = called(self._state.draw(), self._entrants)
            self._names = [line.name for line in frame.seats]  # of all seats: not every one is ranked

        for told in telling(self._game, step, self._names):
            narrate(f"round {step.round}: {told.text}")

    def end(self, outcome: Outcome, final: Position) -> None:
        """The closing table tells the rest."""


class WireTap:
    """Shows the exact bytes that go to and come from one player."""

    def __init__(self, seat: int) -> None:
        self._seat = seat + 1

    def sent(self, data: bytes) -> None:
        """What the player was sent, line by line, nothing left out."""
        for line in data.splitlines():
            narrate(f"seat {self._seat} < {quote(line, len(line))}")

    def received(self, data: bytes) -> None:
        """What the player wrote."""
        for line in data.splitlines(keepends=True):
            narrate(f"seat {self._seat} > {quote(line, len(line))}")
