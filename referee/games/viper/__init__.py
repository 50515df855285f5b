"""viper: two to four tail-biting snakes, ranked by who is left and how long. Rules in README.md beside this.

GAME is made when it is asked for: a program that runs as a process of its own (`python -m referee.games.viper`) starts
without what only the referee needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games import when_asked

if TYPE_CHECKING:
    from referee.games.viper.plugin import GAME as GAME

__getattr__ = when_asked(__name__)
