"""The commands that explanations and pages quote. They work when they are pasted into a shell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.text.words import shell_line

UNKNOWN: Final = "BOT"
"""Stands for a bot in a command: a saved game does not say where its bots are."""


def command(*words: str) -> str:
    """A command of the referee, quoted for a shell."""
    return shell_line("referee", *words)


@dataclass(frozen=True, slots=True)
class Commands:
    """Makes the commands for one saved game.

    Attributes:
        file: the saved game as a user would name it; None for the last match of the history.
        bots: for each seat, the word that names its bot, or None if that is unknown.
        write: quotes a command, given the words after the program.
    """

    file: str | None = None
    bots: Sequence[str | None] = ()
    write: Callable[..., str] = command

    def replay(self, step: int) -> str:
        """Shows the board after a step."""
        return self.write("replay", *self._file(), "--step", str(step))

    def ask(self, seat: int, step: int) -> str:
        """Shows the request of a step and asks the bot again. `seat` counts from 0."""
        bot = self.bots[seat] if seat < len(self.bots) else None
        return self.write("ask", bot or UNKNOWN, *self._file(), "--seat", str(seat + 1), "--step", str(step))

    def _file(self) -> list[str]:
        return [] if self.file is None else [self.file]
