"""How fast a match that is watched goes: it waits here after every step.

1. At `speed` steps a second a step is due 1/speed after the one before was *shown*: after a slow answer nothing is made up
   for, so that a thinking bot is not followed by a burst.
2. Whatever changes the pace (a key) wakes the match at once; it then looks at the new pace and decides again.
3. Unlimited or unwatched, a step costs nothing here, and what is already due is not waited for: that a view gets to draw
   all the same is the match's own business (`match.play`).
"""

from __future__ import annotations

import trio

from referee.game import Step
from referee.view import speed as speeds


class Pace:
    """The pace of one match.

    Attributes:
        speed: steps a second, 0 as fast as possible. `paused`: whether the match stands still.
        watching: False once the view is closed; the match then runs freely to its end.
    """

    def __init__(self, speed: float = speeds.USUAL) -> None:
        self.speed = speeds.possible(speed)
        self.paused = False
        self.watching = True
        self._single = 0
        self._shown: float | None = None
        self._changed = trio.Event()

    async def after(self, _step: Step) -> None:
        """Wait until the next step may begin. No checkpoint where there is nothing to wait for."""
        while True:
            if not self.watching or (self.speed == speeds.UNLIMITED and not self.paused):
                self._shown = None
                return
            if self.paused:
                if self._single:
                    self._single -= 1
                    break
                due = float("inf")
            elif self._shown is None or trio.current_time() >= (due := self._shown + 1 / self.speed):
                break
            self._changed = trio.Event()
            with trio.move_on_at(due):
                await self._changed.wait()
        self._shown = trio.current_time()

    def pause(self, paused: bool) -> None:
        """Stand still, or go on."""
        self.paused = paused
        self._single = 0
        self._changed.set()

    def single(self) -> None:
        """One step: a match under way stands still first, one that stands still goes one step."""
        if self.paused:
            self._single += 1
        self.paused = True
        self._changed.set()

    def set_speed(self, speed: float) -> None:
        """From now on so many steps a second, 0 as fast as possible."""
        self.speed = speeds.possible(speed)
        self._changed.set()

    def leave(self) -> None:
        """The view is closed."""
        self.watching = False
        self._changed.set()
