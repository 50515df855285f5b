"""Drifter: walks at random, takes food that it comes across, and knows only the corner of its home. It is the weakest
sample bot for ants.

The ants of a hill are identical at birth, and a bot has no source of randomness except its memory. So a newborn ant gets its
number from the mark on the hill, left by the ant before it, and uses the number as its random seed.
"""

from __future__ import annotations

from InterGetAction import ActionType, Ant, AntAction, Sensor

NAME = "Drifter"

# An ant's memory, by index: the random state, lowest byte first, 0 before the first turn; whether the hill is at the right
# wall; whether it is at the lower one.
DICE = slice(0, 4)
RIGHT, LOWER = 4, 5


def GetAction(ant: Ant, sensors: list[list[Sensor]]) -> AntAction:  # noqa: N802
    here = sensors[1][1]
    number = 0
    if not any(ant.memory[DICE]):
        number = here.smell % 255 + 1 if here.smellIntensity else 1
        ant.memory[DICE] = [number, 0, 0, 0]
        ant.memory[RIGHT], ant.memory[LOWER] = int(sensors[2][1].isWall), int(sensors[1][2].isWall)
    if ant.hasFood and here.isMyHill:
        return AntAction(ActionType["PUT"], False, 0)
    if here.isFood and not here.isMyHill and not ant.hasFood:
        return AntAction(ActionType["GET"], False, 0)
    return AntAction(step(ant, sensors), number > 0, number)


def step(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """A random move to a neighbouring cell; with food, every other move goes towards the hill's corner."""
    ways = {
        "MOVE_UP": sensors[1][0],
        "MOVE_LEFT": sensors[0][1],
        "MOVE_DOWN": sensors[1][2],
        "MOVE_RIGHT": sensors[2][1],
    }
    homewards = ("MOVE_RIGHT" if ant.memory[RIGHT] else "MOVE_LEFT", "MOVE_DOWN" if ant.memory[LOWER] else "MOVE_UP")
    if not ant.hasFood or throw(ant) % 2:
        homewards = ()
    free = [ActionType[way] for way, cell in ways.items() if not cell.isWall and (not homewards or way in homewards)]
    return free[throw(ant) % len(free)] if free else ActionType["MOVE_UP"]


def throw(ant: Ant) -> int:
    """A random number from 0 to 65535, from a linear congruential generator with the usual constants."""
    dice = (int.from_bytes(ant.memory[DICE], "little") * 1664525 + 1013904223) % 2**32 or 1
    ant.memory[DICE] = dice.to_bytes(4, "little")
    return dice >> 16
