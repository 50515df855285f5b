"""Hunter: lives off the bodies of others.

A bite scores the bitten block and all blocks behind it, and leaves them in a row, one move apart. So the hunter aims at the
neck of the longest python within reach, and eats the blocks that fall off.
"""

from snake import AreaInfo, Cell, Python, run

REACH = 9
"""It does not hunt prey that is more moves away: the prey will be gone by then."""

ENOUGH = 9
"""It delivers with this many blocks if there is no prey."""

FULL = 18
"""It delivers with this many blocks, even if there is prey."""


def choose(area: AreaInfo) -> str:
    prey = best_prey(area)
    blocks = len(area.me.blocks)
    goals = [area.free_blocks, area.reactors]
    if blocks >= ENOUGH:
        goals.reverse()
    if prey is not None:
        goals.insert(1 if blocks >= FULL else 0, [prey])
    return area.first_step(*goals)


def best_prey(area: AreaInfo) -> "Cell | None":
    """The block whose bite gains most per move; None if eating is better."""
    distances = area.distances(area.me.head)
    food = min((distances[cell] for cell in area.free_blocks if cell in distances), default=REACH)
    best, target = 1 / food, None
    for rival in area.rivals:
        for place, cell in enumerate(rival.body[:-1], 1):  # the tail cannot be bitten
            moves = distances.get(cell, REACH + 1)
            if moves <= REACH and not protected(rival, moves):
                # The chain moves on meanwhile: blocks far behind the neck may have passed by then.
                worth = 2 * (rival.length - place) / (moves * moves)
                if worth > best:
                    best, target = worth, cell
    return target


def protected(rival: Python, moves: int) -> bool:
    """Whether its shield will still be up when the hunter bites with its move of that number (rule 7)."""
    return rival.shield > moves - 1


if __name__ == "__main__":
    run("Hunter", choose)
