"""SnakeCore: pythons gather blocks, bite blocks off each other and deliver to reactors. The rules are in README.md.

GAME is created on first use, so a match of another game does not load this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.snakecore.plugin import GAME as GAME

MAIN: Final = True
"""Commands without `--game` use this game."""

__getattr__ = when_asked(__name__)
