"""Forager: knows its way home. Each ant tracks its distance from the hill, searches its own places, and returns to a heap.

The hill is in a corner, so an ant can count its distance: `u` cells along one wall and `v` along the other. All of its moves
succeed except those into a wall, which it sees. So (u, v) is its position and (0, 0) its home.
"""

from __future__ import annotations

from InterGetAction import ActionType, Ant, AntAction, Sensor

NAME = "Forager"

# An ant's memory, by index: its number from 1 (0 before its first turn), its position, the corner of its hill (1: at the
# right wall; 2: at the lower one), its goal, and how often it has chosen a place to search.
NUMBER, U, V, CORNER, GOAL_U, GOAL_V, SEARCHES = range(7)
SIZE = 31
"""Places to search are chosen for a field of this size; in a smaller field, ants give them up at walls."""


def GetAction(ant: Ant, sensors: list[list[Sensor]]) -> AntAction:  # noqa: N802
    memory, here = ant.memory, sensors[1][1]
    if not memory[NUMBER]:
        return AntAction(begin(ant, sensors), True, memory[NUMBER])
    if ant.hasFood:
        return AntAction(carry(ant, sensors), False, 0)
    if here.isFood and not here.isMyHill:
        return AntAction(ActionType["GET"], False, 0)
    return AntAction(search(ant, sensors), False, 0)


def begin(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """The first turn, on the hill: its number is one more than that of the ant before it, which has left it as a mark."""
    here = sensors[1][1]
    ant.memory[NUMBER] = here.smell % 255 + 1 if here.smellIntensity else 1
    ant.memory[CORNER] = (1 if sensors[2][1].isWall else 0) + (2 if sensors[1][2].isWall else 0)
    choose(ant)
    return search(ant, sensors)


def choose(ant: Ant) -> None:
    """The next place to search: each ant has a different order."""
    memory = ant.memory
    turn = memory[NUMBER] * 5 + memory[SEARCHES]
    memory[SEARCHES] = (memory[SEARCHES] + 1) % 256
    memory[GOAL_U], memory[GOAL_V] = turn * 12 % SIZE, turn * 19 % SIZE


def carry(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """A step home with food; if more was left, the place becomes the next goal."""
    memory, here = ant.memory, sensors[1][1]
    if here.isMyHill:
        return ActionType["PUT"]
    if here.isFood:
        memory[GOAL_U], memory[GOAL_V] = memory[U], memory[V]
    return towards(ant, 0, 0)


def search(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """A step to food in sight, or else to the goal."""
    memory = ant.memory
    for du, dv in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        cell = seen(ant, sensors, du, dv)
        if cell.isFood and not cell.isMyHill:
            return towards(ant, memory[U] + du, memory[V] + dv)
    for _ in range(8):
        du, dv = ahead(ant, memory[GOAL_U], memory[GOAL_V])
        if (du, dv) != (0, 0) and not seen(ant, sensors, du, dv).isWall:
            break
        choose(ant)
    return towards(ant, memory[GOAL_U], memory[GOAL_V])


def seen(ant: Ant, sensors: list[list[Sensor]], du: int, dv: int) -> Sensor:
    """The sensor of a neighbouring cell, by its direction away from the hill."""
    corner = ant.memory[CORNER]
    return sensors[1 - du if corner & 1 else 1 + du][1 - dv if corner & 2 else 1 + dv]


def ahead(ant: Ant, u: int, v: int) -> tuple[int, int]:
    """The step towards a place, along the longer axis first; (0, 0) if it is there."""
    du, dv = u - ant.memory[U], v - ant.memory[V]
    if abs(du) >= abs(dv):
        return ((du > 0) - (du < 0), 0)
    return (0, (dv > 0) - (dv < 0))


def towards(ant: Ant, u: int, v: int) -> int:
    """The move towards a place; updates the position."""
    memory, (du, dv) = ant.memory, ahead(ant, u, v)
    memory[U] += du
    memory[V] += dv
    if du:
        return ActionType["MOVE_LEFT" if (du < 0) != (memory[CORNER] & 1 > 0) else "MOVE_RIGHT"]
    return ActionType["MOVE_UP" if (dv < 0) != (memory[CORNER] & 2 > 0) else "MOVE_DOWN"]
