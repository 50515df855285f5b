"""Robber: a few of its ants wait on the hills of others and bite every ant that comes home; the rest gather and steal.

1. An ant counts its distance from its hill, `u` cells along one wall and `v` along the other. Other hills are in corners
   too.
2. A bitten ant loses eight turns, so one ant on a hill can hold up all ants that come there one after the other: they do not
   see it before they are beside it. Their food stays there for others.
3. Hills with food are treated as heaps: some of the places that ants search are corners.
4. An ant also bites enemies that it meets on its way, but not again before the eight turns are over.
"""

from __future__ import annotations

from InterGetAction import ActionType, Ant, AntAction, Sensor

NAME = "Robber"

# An ant's memory, by index: its number from 1 (0 before its first turn), its position, the corner of its hill (1: at the
# right wall; 2: at the lower one), its goal, how often it has chosen a place to search, whether it waits in a corner or is
# on its way there, the side of its last bite, and for how many turns it still lets enemies pass.
NUMBER, U, V, CORNER, GOAL_U, GOAL_V, SEARCHES, WAITER, BITTEN, PATIENCE = range(10)
SIZE = 31
"""Places to search are chosen for a field of this size; in a smaller field, ants give them up at walls."""
FAR = 255
"""A place that no ant reaches: it walks until a wall is in the way."""
CORNERS = ((FAR, 0), (0, FAR), (FAR, FAR))
WAITERS = (2, 5, 8)
"""The numbers of the ants that wait, one for each corner."""
LOST = 8
"""The number of turns that a bite costs."""
STAY = ActionType["PUT"]
"""Has no effect for an ant without food."""
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


def GetAction(ant: Ant, sensors: list[list[Sensor]]) -> AntAction:  # noqa: N802
    memory, here = ant.memory, sensors[1][1]
    if not memory[NUMBER]:
        return AntAction(begin(ant, sensors), True, memory[NUMBER])
    waits = memory[WAITER] and here.isEnemyHill
    memory[PATIENCE] = 0 if waits else max(0, memory[PATIENCE] - 1)
    bitten = None if memory[PATIENCE] else bite(ant, sensors)
    if bitten is not None:
        memory[PATIENCE] = LOST
        return AntAction(bitten, False, 0)
    if waits:
        return AntAction(ActionType["GET"], False, 0)  # takes food, or has no effect if it has some
    if ant.hasFood:
        return AntAction(carry(ant, sensors), False, 0)
    if here.isFood and not here.isMyHill and not memory[WAITER]:
        return AntAction(ActionType["GET"], False, 0)
    return AntAction(search(ant, sensors), False, 0)


def begin(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """The first turn, on the hill: its number is one more than that of the ant before it, which has left it as a mark."""
    memory, here = ant.memory, sensors[1][1]
    memory[NUMBER] = here.smell % 255 + 1 if here.smellIntensity else 1
    memory[CORNER] = (1 if sensors[2][1].isWall else 0) + (2 if sensors[1][2].isWall else 0)
    memory[WAITER] = int(memory[NUMBER] in WAITERS)
    if memory[WAITER]:
        memory[GOAL_U], memory[GOAL_V] = CORNERS[WAITERS.index(memory[NUMBER])]
    else:
        choose(ant)
    return search(ant, sensors)


def choose(ant: Ant) -> None:
    """The next place to search: each ant has a different order, and every third place is a corner."""
    memory = ant.memory
    turn = memory[NUMBER] * 5 + memory[SEARCHES]
    memory[SEARCHES] = (memory[SEARCHES] + 1) % 256
    if memory[SEARCHES] % 3:
        memory[GOAL_U], memory[GOAL_V] = turn * 12 % SIZE, turn * 19 % SIZE
    else:
        memory[GOAL_U], memory[GOAL_V] = CORNERS[turn % 3]


def bite(ant: Ant, sensors: list[list[Sensor]]) -> int | None:
    """A bite at an enemy beside it, if there is one; several enemies are bitten in turn."""
    for side in range(1, 5):
        way = (ant.memory[BITTEN] + side) % 4
        if seen(ant, sensors, *SIDES[way]).isEnemy:
            ant.memory[BITTEN] = way
            return direction(ant, *SIDES[way]) + ActionType["BITE_UP"]
    return None


def carry(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """A step home with food; if more was left, the place becomes the next goal."""
    memory, here = ant.memory, sensors[1][1]
    if here.isMyHill:
        return ActionType["PUT"]
    if here.isFood:
        memory[GOAL_U], memory[GOAL_V] = memory[U], memory[V]
    return towards(ant, 0, 0)


def search(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """A step to food in sight, or else to the goal; a waiter ignores food."""
    memory = ant.memory
    if not memory[WAITER]:
        for du, dv in (*SIDES, (1, 1), (1, -1), (-1, 1), (-1, -1)):
            cell = seen(ant, sensors, du, dv)
            if cell.isFood and not cell.isMyHill:
                return towards(ant, memory[U] + du, memory[V] + dv)
    for _ in range(8):
        goal = place(ant, sensors)
        du, dv = ahead(ant, *goal)
        if (du, dv) != (0, 0) and not seen(ant, sensors, du, dv).isWall:
            return towards(ant, *goal)
        memory[WAITER] = 0  # it has reached a corner without a hill
        choose(ant)
    return STAY


def place(ant: Ant, sensors: list[list[Sensor]]) -> tuple[int, int]:
    """Its goal; FAR is replaced with the position of the wall when the wall is in sight."""
    memory = ant.memory
    u = memory[U] if memory[GOAL_U] == FAR and seen(ant, sensors, 1, 0).isWall else memory[GOAL_U]
    v = memory[V] if memory[GOAL_V] == FAR and seen(ant, sensors, 0, 1).isWall else memory[GOAL_V]
    return u, v


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
    du, dv = ahead(ant, u, v)
    ant.memory[U] += du
    ant.memory[V] += dv
    return direction(ant, du, dv)


def direction(ant: Ant, du: int, dv: int) -> int:
    """The direction (0 to 3: up, left, down, right) of a step away from the hill."""
    corner = ant.memory[CORNER]
    if du:
        return ActionType["MOVE_LEFT" if (du < 0) != (corner & 1 > 0) else "MOVE_RIGHT"]
    return ActionType["MOVE_UP" if (dv < 0) != (corner & 2 > 0) else "MOVE_DOWN"]
