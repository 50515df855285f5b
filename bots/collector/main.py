"""Collector: always goes to the nearest block, and into a reactor that happens to be close."""

from snake import AreaInfo, run

CLOSE = 3
"""A reactor at most this many moves away is close."""


def choose(area: AreaInfo) -> str:
    distances = area.distances(area.me.head)
    close_by = [cell for cell in area.reactors if distances.get(cell, CLOSE + 1) <= CLOSE]
    goals = [area.free_blocks, area.reactors]
    if area.me.body and close_by:
        goals.insert(0, close_by)
    return area.first_step(*goals)


if __name__ == "__main__":
    run("Collector", choose)
