"""Runs async work of a command. A signal cancels it, so that it cleans up."""

from __future__ import annotations

import gc
import signal
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import trio

from referee.errors import RefereeError, ungrouped

Result = TypeVar("Result")
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(RefereeError):
    """A signal ended the command; the exit code is the shell's for it: 130, 143 or 129."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted ({signal.Signals(number).name})")
        self.exit_code = 128 + number


def run(work: Callable[[], Awaitable[Result]]) -> Result:
    """Run `work` to its end. Objects made before are excluded from garbage collection, which makes it fast.

    Raises:
        Interrupted: a signal came; the work was cancelled and has cleaned up.
    """
    gc.freeze()
    with ungrouped():
        return trio.run(_under_signals, work)


async def _under_signals(work: Callable[[], Awaitable[Result]]) -> Result:
    received: list[int] = []
    results: list[Result] = []
    # Signals that the caller ignores (nohup, background jobs of scripts) are ignored here too, except SIGTERM.
    ignored = {number for number in SIGNALS if signal.getsignal(number) is signal.SIG_IGN}
    numbers = [number for number in SIGNALS if number == signal.SIGTERM or number not in ignored]
    with trio.open_signal_receiver(*numbers) as signals:
        async with trio.open_nursery() as nursery:

            async def listen() -> None:
                async for number in signals:
                    received.append(number)
                    nursery.cancel_scope.cancel()

            nursery.start_soon(listen)
            results.append(await work())
            nursery.cancel_scope.cancel()
    if received and not results:
        raise Interrupted(received[0])
    return results[0]
