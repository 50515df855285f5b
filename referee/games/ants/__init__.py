"""Ants: teams carry food to their hills, guided by smells and 32 bytes of memory per ant. The rules are in README.md.

GAME is created on first use, so a match of another game does not load this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.ants.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
