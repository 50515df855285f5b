"""Trailblazer: communicates. An ant that carries food from a heap marks its way home with the position of the heap; ants
that smell a mark go there.

1. An ant counts its distance from its hill, `u` cells along one wall and `v` along the other.
2. A mark says where a heap is, and whether food was left when the ant left. The ant that takes the last food walks home by
   the same way as the others, so its marks replace theirs.
3. A mark also names the corner of its team's hill, so ants ignore the marks of other teams of this kind.
4. Hills of others are treated as heaps: some of the places that ants search are corners.
5. An ant bites an enemy beside it, and then lets enemies pass for eight turns, which is the cost of a bite.
"""

from __future__ import annotations

from InterGetAction import ActionType, Ant, AntAction, Sensor

NAME = "Trailblazer"

# An ant's memory, by index: its number from 1 (0 before its first turn), its position, the corner of its hill (1: at the
# right wall; 2: at the lower one), its goal, whether that is a known heap (or a place to search), how often it has chosen a
# place to search, where its food is from, whether more was left there, and for how many turns it still lets enemies pass.
NUMBER, U, V, CORNER, GOAL_U, GOAL_V, SURE, SEARCHES, HEAP_U, HEAP_V, MORE, PATIENCE = range(12)
SIZE = 31
"""Places to search are chosen for a field of this size; in a smaller field, ants give them up at walls."""
SIGN = 731
"""The beginning of this bot's marks, in decimal: SIGN, corner, more (1) or none (0), two digits for u, two for v."""
STALE = 20
"""Fainter marks are ignored: they are older than 80 units."""
CORNERS = ((SIZE - 1, 0), (0, SIZE - 1), (SIZE - 1, SIZE - 1))
"""Possible hills of others: they are treated as heaps, and are refilled while their ants work."""
BITES = {"BITE_UP": (1, 0), "BITE_LEFT": (0, 1), "BITE_DOWN": (1, 2), "BITE_RIGHT": (2, 1)}
LOST = 8
"""The number of turns that a bite costs."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def GetAction(ant: Ant, sensors: list[list[Sensor]]) -> AntAction:  # noqa: N802
    memory, here = ant.memory, sensors[1][1]
    if not memory[NUMBER]:
        return AntAction(begin(ant, sensors), True, memory[NUMBER])
    memory[PATIENCE] = max(0, memory[PATIENCE] - 1)
    for way, (x, y) in BITES.items():
        if sensors[x][y].isEnemy and not memory[PATIENCE]:
            memory[PATIENCE] = LOST
            return AntAction(ActionType[way], False, 0)
    if ant.hasFood:
        return carry(ant, sensors)
    if here.isFood and not here.isMyHill:
        memory[HEAP_U], memory[HEAP_V], memory[MORE] = memory[U], memory[V], 0
        return AntAction(ActionType["GET"], False, 0)
    smell(ant, sensors)
    return AntAction(search(ant, sensors), False, 0)


def begin(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """The first turn, on the hill: its number is one more than that of the ant before it, which has left it as a mark."""
    here = sensors[1][1]
    ant.memory[NUMBER] = here.smell % 255 + 1 if here.smellIntensity else 1
    ant.memory[CORNER] = (1 if sensors[2][1].isWall else 0) + (2 if sensors[1][2].isWall else 0)
    choose(ant)
    return search(ant, sensors)


def choose(ant: Ant) -> None:
    """The next place to search: each ant has a different order, and every third place is a corner."""
    memory = ant.memory
    turn = memory[NUMBER] * 5 + memory[SEARCHES]
    memory[SEARCHES] = (memory[SEARCHES] + 1) % 256
    if memory[SEARCHES] % 3:
        memory[GOAL_U], memory[GOAL_V], memory[SURE] = turn * 12 % SIZE, turn * 19 % SIZE, 0
    else:
        memory[GOAL_U], memory[GOAL_V], memory[SURE] = *CORNERS[turn % 3], 0


def carry(ant: Ant, sensors: list[list[Sensor]]) -> AntAction:
    """A step home with food, marking the way."""
    memory, here = ant.memory, sensors[1][1]
    if (memory[U], memory[V]) == (memory[HEAP_U], memory[HEAP_V]):
        memory[MORE] = int(here.isFood)
    mark = (SIGN * 10 + memory[CORNER]) * 100000 + memory[MORE] * 10000 + memory[HEAP_U] * 100 + memory[HEAP_V]
    if not here.isMyHill:
        return AntAction(towards(ant, 0, 0), True, mark)
    if memory[MORE]:
        memory[GOAL_U], memory[GOAL_V], memory[SURE] = memory[HEAP_U], memory[HEAP_V], 1
    else:
        choose(ant)
    return AntAction(ActionType["PUT"], True, mark)


def smell(ant: Ant, sensors: list[list[Sensor]]) -> None:
    """Follow the marks: go to heaps, and give up heaps that are used up."""
    memory = ant.memory
    for column in sensors:
        for cell in column:
            sign, rest = divmod(cell.smell, 100000)
            if sign != SIGN * 10 + memory[CORNER] or cell.smellIntensity < STALE:
                continue
            more, place = divmod(rest, 10000)
            u, v = divmod(place, 100)
            if memory[SURE]:
                if not more and (u, v) == (memory[GOAL_U], memory[GOAL_V]):
                    choose(ant)
            elif more == 1 and (u, v) != (memory[HEAP_U], memory[HEAP_V]):
                memory[GOAL_U], memory[GOAL_V], memory[SURE] = u, v, 1


def search(ant: Ant, sensors: list[list[Sensor]]) -> int:
    """A step to food in sight, or else to the goal."""
    memory = ant.memory
    for du, dv in AROUND:
        cell = seen(ant, sensors, du, dv)
        if cell.isFood and not cell.isMyHill:
            return towards(ant, memory[U] + du, memory[V] + dv)
    for _ in range(8):
        du, dv = ahead(ant, memory[GOAL_U], memory[GOAL_V])
        if (du, dv) != (0, 0) and not seen(ant, sensors, du, dv).isWall:
            break
        if memory[SURE]:  # the heap is empty: ignore its old marks
            memory[HEAP_U], memory[HEAP_V] = memory[GOAL_U], memory[GOAL_V]
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
