# ruff: noqa: N803
"""Write a bot for ants in Python: `GetAction.py` with one function, beside this module (Python 3.9 or newer).

A complete bot, which takes the food that it stands on, and otherwise walks to the right:

    from InterGetAction import *


    def GetAction(ant, sensors):
        if sensors[1][1].isFood and not ant.hasFood:
            return AntAction(ActionType["GET"], False, 0)
        return AntAction(ActionType["MOVE_RIGHT"], True, 7)

`sensors[x][y]` is what the ant senses in the 3 x 3 cells around it: x grows to the right, y grows DOWNWARDS, [0][0] is
the top left, [2][0] the top right, [1][1] the ant's own cell. `ant.memory` is a list of 32 numbers from 0 to 255 that
belongs to this ant, all 0 at its birth. What GetAction writes there is available in the ant's next turn. One
process plays all ants of a hill, so keep nothing else between two calls: use local variables.

`NAME = "My bot"` in GetAction.py is the team's name. PlayGetAction.py explains how the bot is played, and what happens
if it fails.
"""

from __future__ import annotations

import os
import sys

__all__ = ["ActionType", "Ant", "AntAction", "Sensor"]

ActionType: dict[str, int] = {
    # Moves to a neighbouring cell.
    "MOVE_UP": 0,
    "MOVE_LEFT": 1,
    "MOVE_DOWN": 2,
    "MOVE_RIGHT": 3,
    # Bites of an enemy on a neighbouring cell, which cannot move for 8 turns and drops its food.
    "BITE_UP": 4,
    "BITE_LEFT": 5,
    "BITE_DOWN": 6,
    "BITE_RIGHT": 7,
    # Takes food from the ant's own cell or puts it there, one milligram at a time.
    "GET": 8,
    "PUT": 9,
}
"""The actions of an ant. Any other number does nothing and uses up the turn."""


class Ant:
    """The ant whose turn it is.

    memory: 32 numbers from 0 to 255, which you may change; other numbers are taken modulo 256.
    hasFood: whether it carries a milligram.
    """

    def __init__(self, _memory: list[int], _hasFood: bool, _teemId: int) -> None:
        self.memory = _memory
        self.hasFood = _hasFood


class Sensor:
    """What the ant senses in one cell. Ants that cannot move count as ants. Outside the field, only isWall is set.

    smell, smellIntensity: the mark's hue, any integer, and its intensity: 100 when the mark is set, one less after each
    unit.
    isFriend: another ant of the same hill. isEnemy: ants of other hills.
    isMyHill, isEnemyHill: a hill. isFood: food, also on a hill. isWall: outside the field.
    """

    def __init__(
        self,
        _smell: int,
        _smellIntensity: int,
        _isFriend: bool,
        _isEnemy: bool,
        _isMyHill: bool,
        _isEnemyHill: bool,
        _isFood: bool,
        _isWall: bool,
    ) -> None:
        self.smell = _smell
        self.smellIntensity = _smellIntensity
        self.isFriend = _isFriend
        self.isEnemy = _isEnemy
        self.isMyHill = _isMyHill
        self.isEnemyHill = _isEnemyHill
        self.isFood = _isFood
        self.isWall = _isWall


class AntAction:
    """What the ant does in this turn.

    actionType: a value of ActionType.
    putSmell: whether it marks its cell before it moves; `smell` is the hue of the mark, a 32-bit integer.
    """

    def __init__(self, _actionType: int, _putSmel: bool, _smell: int) -> None:
        self.actionType = _actionType
        self.putSmell = _putSmel
        self.smell = _smell


if os.path.basename(getattr(sys.modules.get("__main__"), "__file__", None) or "") == "GetAction.py":
    # `python3 GetAction.py`: the file has only the function, so the module that it imports starts the game.
    import PlayGetAction

    PlayGetAction.play()
    sys.exit()
