"""The prompt of `:`, a line at the bottom of the page in which the user types a step."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from referee.terminal import keys as k
from referee.terminal.keys import Key
from referee.terminal.palette import BOLD, DIM, NOTHING

_MOST: Final = 20
"""The most characters that can be typed."""


class StepPrompt:
    """Asks for a step from 0 to `last`. It takes all keys while it is open.

    Attributes:
        typed: what has been typed; None while it is closed.
        notice: the line while it is closed: why the last input was no step, or what the viewer sets; or empty.
    """

    def __init__(self, last: int) -> None:
        self._last = last
        self.typed: str | None = None
        self.notice = ""

    def open(self) -> None:
        """Ask for a step."""
        self.typed, self.notice = "", ""

    def press(self, key: Key) -> int | None:
        """Handle a key of the open prompt. Returns the step that the user has chosen, if this key was the last one."""
        typed = self.typed or ""
        if key == k.ESCAPE or (key == k.BACKSPACE and not typed):
            self.typed = None
        elif key == k.BACKSPACE:
            self.typed = typed[:-1]
        elif key == k.ENTER:
            self.typed, typed = None, typed.strip()
            if typed.isdecimal() and int(typed) <= self._last:
                return int(typed)
            self.notice = f"there is no step {typed}: the steps are 0 to {self._last}" if typed else ""
        elif len(key) == 1 and len(typed) < _MOST:
            self.typed = typed + key
        return None

    def line(self) -> Text | None:
        """The line to show; None while there is nothing to say."""
        if self.typed is not None:
            hint = f"  a step from 0 to {self._last}; Enter goes there, Esc cancels"
            return Text.assemble((f":{self.typed}", BOLD), ("_", BOLD), (hint, DIM))
        return Text(self.notice, NOTHING) if self.notice else None
