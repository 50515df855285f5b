"""ava: two to four tail-biting snakes, ranked by length. The rules are in README.md.

GAME is created on first use. So a program that runs as its own process (`python -m referee.games.ava`) does not load what only
the referee needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.ava.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
