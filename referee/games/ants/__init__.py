"""Ants: teams carry food to their hills by scent and by 32 bytes of memory an ant. Rules in README.md beside this.

GAME is made on first use, so that listing the games, or playing another one, does not load this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.ants.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
