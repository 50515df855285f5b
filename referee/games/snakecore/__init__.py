"""SnakeCore: pythons gather blocks, bite each other's tails off and deliver to reactors. Rules in README.md beside this.

GAME is made on first use, so that listing the games, or playing another one, does not load this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.snakecore.plugin import GAME as GAME

MAIN: Final = True
"""Commands without `--game` use this game."""

__getattr__ = when_asked(__name__)
