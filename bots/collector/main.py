"""Collector: to the nearest block, always; and into a reactor when one happens to be close by."""

from snake import DIRECTIONS, AreaInfo, run

CLOSE = 3
"""A reactor this many moves away is close by."""


def choose(area: AreaInfo) -> str:
    distances = area.distances(area.me.head)
    close_by = [cell for cell in area.reactors if distances.get(cell, CLOSE + 1) <= CLOSE]
    goals = [area.free_blocks, area.reactors]
    if area.me.body and close_by:
        goals.insert(0, close_by)
    for cells in goals:
        step = area.step_towards(cells)
        if step != "N":
            return step
    return any_move(area)


def any_move(area: AreaInfo) -> str:
    """Nothing to go for, or boxed in: keep moving, and bite a way out if it must be."""
    for wanted in ("move", "bite"):
        for direction in DIRECTIONS:
            if area.outcome(direction).kind == wanted:
                return direction
    return "N"


if __name__ == "__main__":
    run("Collector", choose)
