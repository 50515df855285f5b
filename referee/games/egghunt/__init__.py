"""The Easter egg hunt: players that see two cells far collect eggs, all moving at the same moment. The rules are in README.md.

GAME is created on first use, so a match of another game does not load this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.egghunt.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
