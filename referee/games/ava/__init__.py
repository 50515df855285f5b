"""ava: two to four tail-biting snakes, ranked by length. Rules in README.md beside this.

GAME is made when it is asked for: a program that runs as a process of its own (`python -m referee.games.ava`) starts
without what only the referee needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.ava.plugin import GAME as GAME


def __getattr__(name: str) -> object:
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.ava.plugin import GAME

    return GAME
