"""Guard: never loses a block that a shield could have saved.

It likes energy blocks better than others, keeps them in its body, and raises the shield at the last moment: when a
rival's head could bite in its very next turn. Behind shields it may grow longer than others dare.
"""

from snake import AreaInfo, run

DETOUR = 3
"""An energy block may be this many moves further away than an ordinary one."""

WORTH = 3
"""A body shorter than this is not worth a shield."""

LOAD, LOAD_PER_SHIELD = 6, 4
"""How many blocks it carries before it delivers: so many without a shield at hand, and so many more for each at hand."""


def choose(area: AreaInfo) -> str:
    me = area.me
    if len(me.blocks) >= WORTH and not me.shield and me.energy and threatened(area):
        return "A"
    goals = [[nearest_block(area)], area.reactors]
    if len(me.blocks) >= LOAD + LOAD_PER_SHIELD * me.energy:
        goals.reverse()
    return area.first_step(*goals)


def threatened(area: AreaInfo) -> bool:
    """Whether some rival's head is beside a block of mine that can be bitten, or could be there after one move of mine."""
    return any(
        abs(rival.head[0] - x) + abs(rival.head[1] - y) <= 2 for rival in area.rivals for x, y in area.me.body[:-1]
    )


def nearest_block(area: AreaInfo) -> "tuple[int, int]":
    """The free block with the shortest way, an energy block counting as nearer than it is; my head if there is none."""
    distances = area.distances(area.me.head)
    ways = [(distances[cell] - DETOUR * area.is_energy(cell), cell) for cell in area.free_blocks if cell in distances]
    return min(ways, default=(0, area.me.head))[1]


if __name__ == "__main__":
    run("Guard", choose)
