"""Pig: roll a die as often as you dare, but a 1 loses the points of the turn. The rules are in README.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.pig.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
