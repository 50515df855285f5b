"""The Easter egg hunt: players who see two cells far collect eggs, all at the same moment. Rules in README.md beside this.

GAME is made when it is asked for: who wants to know what games there are, or another one, does not pay for this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.egghunt.plugin import GAME as GAME


def __getattr__(name: str) -> object:
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.egghunt.plugin import GAME

    return GAME
