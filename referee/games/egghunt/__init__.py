"""The Easter egg hunt: players who see two cells far collect eggs, all at the same moment. Rules in README.md beside this.

GAME is made on first use, so that listing the games, or playing another one, does not load this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.egghunt.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
