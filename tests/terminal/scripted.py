"""Test doubles for a person at a terminal: keys at given times, and a screen that records its pages."""

from collections.abc import Sequence

import trio
from rich.text import Text

from referee.terminal.keys import Key
from referee.terminal.viewer import Viewer


def press(viewer: Viewer, *keys: Key) -> int:
    for key in keys:
        viewer.press(key)
    return viewer.at


class Script:
    """Keys at given times (seconds of trio's clock); None is the end of input."""

    def __init__(self, *keys: tuple[float, Key | None]) -> None:
        self._keys = list(keys)

    async def key(self) -> Key | None:
        if not self._keys:
            await trio.sleep_forever()
        await trio.sleep_until(self._keys[0][0])
        return self._keys.pop(0)[1]


class Pages:
    """A screen that records each page, as lines, and its time."""

    size = (80, 24)

    def __init__(self) -> None:
        self.pages: list[list[str]] = []
        self.at: list[float] = []

    @property
    def last(self) -> list[str]:
        return self.pages[-1] if self.pages else []

    def show(self, lines: Sequence[Text]) -> None:
        self.pages.append([line.plain for line in lines])
        self.at.append(trio.current_time())
