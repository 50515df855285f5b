"""SnakeCore: pythons gather blocks, bite each other's tails off and deliver to reactors. Rules in README.md beside this.

GAME is made when it is asked for: who wants to know what games there are, or another one, does not pay for this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from referee.games.snakecore.plugin import GAME as GAME

MAIN: Final = True
"""It is what is played where nobody names a game."""


def __getattr__(name: str) -> object:
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.snakecore.plugin import GAME

    return GAME
