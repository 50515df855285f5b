"""The pace of a watched match, which waits here after each step.

1. At `speed` steps per second, a step is due 1/speed after the previous one was *shown*. So a slow answer is not followed by
   a burst of steps.
2. A key that changes the pace wakes the match immediately.
3. At full speed or without a view, there is no wait, and not even a checkpoint: `loop.play` lets the view draw.
"""

from __future__ import annotations

import trio

from referee.contract.game import Step
from referee.moments import speed as speeds


class Pace:
    """The pace of one match.

    Attributes:
        speed: steps per second, 0 for full speed. paused: whether the match waits for the user.
        watching: False after the view was closed; then the match runs to its end without waiting.
    """

    def __init__(self, speed: float = speeds.USUAL) -> None:
        self.speed = speed
        self.paused = False
        self.watching = True
        self._single = 0
        self._drawn_at: float | None = None
        self._changed = trio.Event()

    async def after(self, _step: Step) -> None:
        """Wait until the next step may begin. Without a wait, there is no checkpoint."""
        while True:
            if not self.watching or (self.speed == speeds.UNLIMITED and not self.paused):
                self._drawn_at = None
                return
            if self.paused:
                if self._single:
                    self._single -= 1
                    break
                due = float("inf")
            elif self._drawn_at is None or trio.current_time() >= (due := self._drawn_at + 1 / self.speed):
                break
            self._changed = trio.Event()
            with trio.move_on_at(due):
                await self._changed.wait()
        self._drawn_at = trio.current_time()

    def pause(self, paused: bool) -> None:
        """Pause the match, or let it go on."""
        self.paused = paused
        self._single = 0
        self._changed.set()

    def single(self) -> None:
        """Pause the match, or play one step if it is paused."""
        if self.paused:
            self._single += 1
        self.paused = True
        self._changed.set()

    def set_speed(self, speed: float) -> None:
        """Set the speed in steps per second, 0 for full speed."""
        self.speed = speed
        self._changed.set()

    def leave(self) -> None:
        """The view is closed."""
        self.watching = False
        self._changed.set()
