"""A person at a terminal, as a test has one: keys that come at given moments, and a screen that keeps what it is shown."""

from collections.abc import Sequence

import trio
from rich.text import Text

from referee.view.keys import Key


class Script:
    """Keys at given moments (seconds of trio's clock), then none; None ends the keys."""

    def __init__(self, *keys: tuple[float, Key | None]) -> None:
        self._keys = list(keys)

    async def key(self) -> Key | None:
        if not self._keys:
            await trio.sleep_forever()
        await trio.sleep_until(self._keys[0][0])
        return self._keys.pop(0)[1]


class Pages:
    """A screen that keeps every page as its lines, and when it came."""

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
