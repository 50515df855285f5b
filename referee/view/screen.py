"""A page on the terminal's alternate screen, and the loop that shows a view there.

1. Everything that is changed on the terminal (alternate screen, cursor, key mode) is a `with` block, so that it is as it
   was again after a return, an error or a cancellation.
2. A page is drawn when what it shows has changed, and at most once in `INTERVAL`; a terminal that is slow to take it gets
   fewer pages, so that no more than a part in `RESTRAINT` of the time is spent on drawing. No thread draws.
3. One task does it all: it waits for the next key until it is time to look again. So an error in it is no group.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

import trio
from rich.console import Console
from rich.live import Live
from rich.text import Text

from referee.view.keys import Key, Keyboard, KeySource, cbreak
from referee.view.page import Page

INTERVAL: Final = 0.05
"""Seconds between two pages at least: 20 a second."""
RESTRAINT: Final = 8


class View(Protocol):
    """What the loop shows: it takes keys and time, and gives pages."""

    @property
    def done(self) -> bool:
        """Whether the view has ended."""

    def press(self, key: Key) -> None:
        """A key was pressed."""

    def end_of_keys(self) -> None:
        """No key will come any more."""

    def tick(self, now: float) -> None:
        """It is `now`, in seconds of trio's clock."""

    def version(self) -> object:
        """A value that differs from the last one when the page would; compared by equality, cheap to make."""

    def page(self, width: int, height: int) -> list[Text]:
        """The page as lines of at most `width` columns."""


class Screen(Protocol):
    """Where pages go."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines at this moment."""

    def show(self, lines: Sequence[Text]) -> None:
        """Replace what is shown."""


class LiveScreen:
    """The alternate screen of a console."""

    def __init__(self, live: Live) -> None:
        self._live = live

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of the terminal, asked anew each time: people resize windows."""
        return self._live.console.size

    def show(self, lines: Sequence[Text]) -> None:
        """Draw the lines now."""
        self._live.update(Page(lines), refresh=True)


@contextmanager
def full_screen(console: Console, fd: int | None = None) -> Iterator[tuple[LiveScreen, Keyboard]]:
    """The whole terminal for a view and its keys from `fd` (stdin when None), given back when the block ends.

    Raises: termios.error when `fd` is no terminal; ask `console.interactive` first.
    """
    fd = sys.stdin.fileno() if fd is None else fd
    live = Live(console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    with cbreak(fd), live:
        yield LiveScreen(live), Keyboard(fd)


async def run_view(view: View, screen: Screen, keys: KeySource) -> None:
    """Show the view until it is done. Cancelled at any time, it leaves the view as it is."""
    shown: object = None
    next_draw = trio.current_time()
    listening = True
    while True:
        now = trio.current_time()
        view.tick(now)
        wanted = (view.version(), screen.size)
        if wanted != shown and now >= next_draw:
            screen.show(view.page(*screen.size))
            shown = wanted
            next_draw = now + max(INTERVAL, RESTRAINT * (trio.current_time() - now))
        if view.done:
            return
        with trio.move_on_at(max(next_draw, now + INTERVAL) if wanted == shown else next_draw):
            if not listening:
                await trio.sleep_forever()
            key = await keys.key()
            if key is None:
                listening = False
                view.end_of_keys()
            else:
                view.press(key)
