"""Ants: teams carry food to their hills by scent and by 32 bytes of memory an ant. Rules in README.md beside this.

GAME is made when it is asked for: who wants to know what games there are, or another one, does not pay for this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.ants.plugin import GAME as GAME


def __getattr__(name: str) -> object:
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.ants.plugin import GAME

    return GAME
