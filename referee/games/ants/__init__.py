"""Ants: teams carry food to their hills by scent and by 32 bytes of memory an ant. Rules in README.md beside this.

GAME is made when it is asked for: who wants to know what games there are, or another one, does not pay for this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.ants.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
