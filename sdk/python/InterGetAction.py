# ruff: noqa: N803
"""Write a bot for ants in Python: `GetAction.py` with one function, beside this module (Python 3.9 or newer).

A whole bot; it takes what it stands on and else walks on to the right:

    from InterGetAction import *


    def GetAction(ant, sensors):
        if sensors[1][1].isFood and not ant.hasFood:
            return AntAction(ActionType["GET"], False, 0)
        return AntAction(ActionType["MOVE_RIGHT"], True, 7)

`sensors[x][y]` is what the ant senses of the 3 x 3 cells around it: x grows to the right, y grows DOWNWARDS, [0][0] is the
top left, [2][0] the top right, [1][1] the ant's own cell. `ant.memory` is a list of 32 numbers from 0 to 255 that only this ant
has, all 0 at its birth: what GetAction writes into it is there again when the same ant is asked the next time. One process
plays all ants of a hill, and nothing else may be kept between two calls: use local variables.

`NAME = "My bot"` in GetAction.py is the team's name. How it is played, and what happens when it goes wrong, stands in
PlayGetAction.py.
"""

from __future__ import annotations

import os
import sys
from typing import Dict, List

__all__ = ["ActionType", "Ant", "AntAction", "Sensor"]

ActionType: Dict[str, int] = {
    # To a neighbouring cell.
    "MOVE_UP": 0,
    "MOVE_LEFT": 1,
    "MOVE_DOWN": 2,
    "MOVE_RIGHT": 3,
    # An enemy on a neighbouring cell: it cannot move for 8 turns, and drops what it carries.
    "BITE_UP": 4,
    "BITE_LEFT": 5,
    "BITE_DOWN": 6,
    "BITE_RIGHT": 7,
    # Food from or onto the ant's own cell, a milligram at a time.
    "GET": 8,
    "PUT": 9,
}
"""Everything that an ant can do. Any other number does nothing, and the turn is spent."""


class Ant:
    """The ant that is asked.

    memory: 32 numbers from 0 to 255, to be changed as one likes; of other numbers the remainder by 256 is kept.
    hasFood: whether it carries a milligram.
    """

    def __init__(self, _memory: List[int], _hasFood: bool, _teemId: int) -> None:
        self.memory = _memory
        self.hasFood = _hasFood


class Sensor:
    """What is sensed of one cell. Ants that cannot move count as ants; of a cell outside nothing but isWall is set.

    smell, smellIntensity: the mark's hue, any integer, and its intensity: 100 when it is set, one less after each unit.
    isFriend: another ant of the own hill. isEnemy: ants of others.
    isMyHill, isEnemyHill: a hill. isFood: food, be it on a hill. isWall: what lies around the field.
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
    putSmell: whether it marks its cell, before it moves, and `smell` the hue of the mark, an integer of 32 bits.
    """

    def __init__(self, _actionType: int, _putSmel: bool, _smell: int) -> None:
        self.actionType = _actionType
        self.putSmell = _putSmel
        self.smell = _smell


if os.path.basename(getattr(sys.modules.get("__main__"), "__file__", None) or "") == "GetAction.py":
    # `python3 GetAction.py`: the file holds nothing but the function, so whoever is imported by it has to start the game.
    import PlayGetAction

    PlayGetAction.play()
    sys.exit()
