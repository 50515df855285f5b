"""Courier: collects blocks, and decides only when to deliver them.

n blocks score n(n + 1)/2, so the next block alone is worth n + 1: the longer the body, the more it pays to go on. But the
cost of a bite grows even faster. The courier goes on while the gain per turn exceeds the risk per turn.
"""

from snake import AreaInfo, run

BITE_CHANCE = 0.08
"""The probability that a rival beside my body bites in a turn; it halves with every two cells of distance."""

ROUNDS = 300
"""The protocol does not say how long a game is; this is the usual length. Blocks still carried at the end are worth
nothing."""

SPARE = 8
"""Turns reserved for the last trip home."""


def choose(area: AreaInfo) -> str:
    blocks, reactors = nearest(area, area.free_blocks), nearest(area, area.reactors)
    goals = [area.free_blocks, area.reactors]
    if area.me.body and (reactors <= 1 or gain(area, blocks) < risk(area) or area.turn + reactors + SPARE > ROUNDS):
        goals.reverse()
    return area.first_step(*goals)


def gain(area: AreaInfo, moves: float) -> float:
    """Points per turn for fetching the next block, which is `moves` away."""
    return area.me.length / moves


def risk(area: AreaInfo) -> float:
    """The expected cost of bites in points per turn: on average, a bite takes half of the body and three quarters of its
    value."""
    chances = 0.0
    for rival in area.rivals:
        gap = min(abs(rival.head[0] - x) + abs(rival.head[1] - y) for x, y in area.me.body)
        chances += BITE_CHANCE / 2 ** ((gap - 1) / 2)
    return chances * area.me.value * 0.75


def nearest(area: AreaInfo, cells: list[tuple[int, int]]) -> float:
    """Moves to the nearest of the cells; infinity if none is reachable."""
    distances = area.distances(area.me.head)
    return min((distances[cell] for cell in cells if cell in distances), default=float("inf"))


if __name__ == "__main__":
    run("Courier", choose)
