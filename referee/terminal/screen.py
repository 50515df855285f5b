"""Pages on the terminal's alternate screen, and the loop that shows a view there.

1. Every change of the terminal (alternate screen, cursor, key mode) is a `with` block, so that the terminal is restored after
   a return, an error or a cancellation.
2. A page is drawn when its contents have changed, and at most once in `INTERVAL`. A slow terminal gets fewer pages, so that
   drawing takes at most one part in `RESTRAINT` of the time.
3. One task does everything: it waits for a key until it is time to draw. So errors are not in a group.
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

from referee.terminal.keys import Key, Keyboard, KeySource, cbreak
from referee.terminal.page import Page

INTERVAL: Final = 0.05
"""The fewest seconds between two pages: 20 pages per second."""
RESTRAINT: Final = 8


class View(Protocol):
    """What the loop shows: it gets keys and the time, and makes pages."""

    @property
    def done(self) -> bool:
        """Whether the view has ended."""

    def press(self, key: Key) -> None:
        """Handle a key."""

    def end_of_keys(self) -> None:
        """There will be no more keys."""

    def tick(self, now: float) -> None:
        """Note that it is `now`, in seconds of trio's clock."""

    def version(self) -> object:
        """A value that changes whenever the page does; cheap to make."""

    def page(self, width: int, height: int) -> list[Text]:
        """The page as lines of at most `width` columns."""


class Screen(Protocol):
    """Shows pages."""

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and lines."""

    def show(self, lines: Sequence[Text]) -> None:
        """Show a page."""


class LiveScreen:
    """The alternate screen of a console."""

    def __init__(self, live: Live) -> None:
        self._live = live

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and lines of the terminal, which may be resized."""
        return self._live.console.size

    def show(self, lines: Sequence[Text]) -> None:
        """Draw a page immediately."""
        self._live.update(Page(lines), refresh=True)


@contextmanager
def full_screen(console: Console, fd: int | None = None) -> Iterator[tuple[LiveScreen, Keyboard]]:
    """The whole terminal for a view, with keys from `fd` (None for stdin); restored at the end of the block.

    Raises: termios.error: `fd` is not a terminal; ask `console.interactive` first.
    """
    fd = sys.stdin.fileno() if fd is None else fd
    live = Live(console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    with cbreak(fd), live:
        yield LiveScreen(live), Keyboard(fd)


async def run_view(view: View, screen: Screen, keys: KeySource) -> None:
    """Show the view until it is done."""
    on_screen: object = None
    next_draw = trio.current_time()
    listening = True
    while True:
        now = trio.current_time()
        view.tick(now)
        current = (view.version(), screen.size)
        if current != on_screen and now >= next_draw:
            screen.show(view.page(*screen.size))
            on_screen = current
            next_draw = now + max(INTERVAL, RESTRAINT * (trio.current_time() - now))
        if view.done:
            return
        with trio.move_on_at(max(next_draw, now + INTERVAL) if current == on_screen else next_draw):
            if not listening:
                await trio.sleep_forever()
            key = await keys.key()
            if key is None:
                listening = False
                view.end_of_keys()
            else:
                view.press(key)
