"""A person at a terminal, a screen that records its pages, and walks that are watched."""

from collections.abc import Sequence
from types import SimpleNamespace

import trio
from rich.text import Text

from referee.errors import UsageError
from referee.moments.scene import Director
from referee.terminal.keys import Key
from referee.terminal.pace import Pace
from referee.terminal.viewer import Viewer


def press(viewer: Viewer, *keys: Key) -> int:
    for key in keys:
        viewer.press(key)
    return viewer.at


def directed(toy: SimpleNamespace, steps: int) -> Director:
    """A walk of two seats that is watched."""
    return Director(toy.GAME, toy.Walk(2, steps), toy.clocks(2))


async def play(toy: SimpleNamespace, director: Director, pace: Pace) -> None:
    """Play it to its end."""
    while director.state.requests():
        director.step(step := toy.play(director.state, director.last_step + 1))
        await pace.after(step)


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


def no_past(_follow: int | None) -> Viewer:
    """The past of a match that was not saved."""
    raise UsageError("a.jsonl: No such file or directory")
