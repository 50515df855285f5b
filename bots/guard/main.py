"""Guard: never loses a block that a shield could have saved.

It prefers energy blocks, keeps them in its body, and raises its shield at the last moment, when a rival could bite in its
next turn. With shields, it can grow longer than others dare.
"""

from snake import AreaInfo, run

DETOUR = 3
"""An energy block is worth a detour of this many moves."""

WORTH = 3
"""Fewer blocks than this are not worth a shield."""

LOAD, LOAD_PER_SHIELD = 6, 4
"""How many blocks it carries before it delivers: without a shield available, and more for each available shield."""


def choose(area: AreaInfo) -> str:
    me = area.me
    if len(me.blocks) >= WORTH and not me.shield and me.energy and threatened(area):
        return "A"
    goals = [[nearest_block(area)], area.reactors]
    if len(me.blocks) >= LOAD + LOAD_PER_SHIELD * me.energy:
        goals.reverse()
    return area.first_step(*goals)


def threatened(area: AreaInfo) -> bool:
    """Whether a rival's head is beside a block of mine that can be bitten, or could be after one move of mine."""
    return any(
        abs(rival.head[0] - x) + abs(rival.head[1] - y) <= 2 for rival in area.rivals for x, y in area.me.body[:-1]
    )


def nearest_block(area: AreaInfo) -> tuple[int, int]:
    """The nearest free block, with a bonus for energy blocks; my head if there is none."""
    distances = area.distances(area.me.head)
    ways = [(distances[cell] - DETOUR * area.is_energy(cell), cell) for cell in area.free_blocks if cell in distances]
    return min(ways, default=(0, area.me.head))[1]


if __name__ == "__main__":
    run("Guard", choose)
