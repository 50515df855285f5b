"""The page of the `?` key: all keys and the legend of the board. If it is longer than the terminal, it scrolls."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.text import Text

from referee.moments.columns import fit
from referee.moments.scene import Scene
from referee.terminal import keys as k
from referee.terminal.bindings import Keys, label
from referee.terminal.keys import Key
from referee.terminal.page import arrange
from referee.terminal.palette import BOLD, DIM, Look
from referee.terminal.panel import crop, legend_lines

_FAR: Final = 1_000_000
"""More lines than a help page has."""
_STEPS: Final = {k.DOWN: 1, k.UP: -1, k.PAGE_DOWN: 10, k.PAGE_UP: -10, k.HOME: -_FAR, k.END: _FAR}
"""How far keys scroll."""


class Help:
    """Whether the page is open, and its first line that is shown."""

    def __init__(self) -> None:
        self.open = False
        self._top = 0

    def press(self, key: Key) -> bool:
        """Handle a key of the open page; returns whether it is one."""
        if not self.open:
            return False
        if key in (k.ESCAPE, "q"):  # q leaves the page, and not the match
            self.close()
        elif key in _STEPS:
            self._top = max(0, self._top + _STEPS[key])
        else:
            return False
        return True

    def toggle(self) -> None:
        """Open the page at its beginning, or close it."""
        self.open = not self.open
        self._top = 0

    def close(self) -> None:
        """Close the page."""
        self.open = False

    def version(self) -> object:
        """Everything here that the page depends on."""
        return self.open, self._top

    def page(self, scene: Scene, width: int, height: int, look: Look, keys: Keys) -> list[Text]:
        """The page as at most `height` lines of at most `width` columns."""
        if width < 1 or height < 1:
            return []
        lines = help_lines(scene, width, height, look, keys)
        room = height - 1
        if len(lines) <= height or not room:
            return lines[:height]
        self._top = min(self._top, len(lines) - room)
        hint = Text.assemble((label("↑ ↓", look), BOLD), (" scroll  ", DIM), ("?", BOLD), (" back", DIM))
        hint.truncate(width, overflow="crop")
        return [*lines[self._top : self._top + room], hint]


def help_lines(scene: Scene, width: int, height: int, look: Look, keys: Keys) -> list[Text]:
    """All keys, and the legend as it looks on the board at this size of the terminal."""
    names = [label(row.name, look) for row in keys]
    column = max(map(cell_len, names), default=0)
    lines = [Text("Keys", BOLD), Text()]
    for name, row in zip(names, keys, strict=True):
        line = Text("  ")
        line.append(fit(name, column, look.ascii_only), BOLD)
        line.append("  " + row.meaning)
        lines.append(line)
    if legend := legend_lines(scene, width, look, arrange(scene, width, height, look).mode):
        lines += [Text(), Text("On the board", BOLD), Text(), *legend]
    return crop(lines, width)
