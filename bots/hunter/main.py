"""Hunter: lives on the others' bodies.

A bite scores every block behind it, the bitten one included, and leaves them lying in a row, one move each: so the
hunter goes for the neck of the longest python within reach, and eats what falls off.
"""

from typing import Optional

from snake import AreaInfo, Cell, Python, run

REACH = 9
"""No hunt for what is further away than this many moves: it will have gone when the hunter comes."""

ENOUGH = 9
"""With this many blocks it delivers, when there is no better prey than its own body is worth."""

FULL = 18
"""With this many it delivers whatever runs past."""


def choose(area: AreaInfo) -> str:
    prey = best_prey(area)
    blocks = len(area.me.blocks)
    goals = [area.free_blocks, area.reactors]
    if blocks >= ENOUGH:
        goals.reverse()
    if prey is not None:
        goals.insert(1 if blocks >= FULL else 0, [prey])
    return area.first_step(*goals)


def best_prey(area: AreaInfo) -> Optional[Cell]:
    """The block whose bite gains most for each move of the way to it; None when all would take longer than eating."""
    distances = area.distances(area.me.head)
    food = min((distances[cell] for cell in area.free_blocks if cell in distances), default=REACH)
    best, target = 1 / food, None
    for rival in area.rivals:
        for place, cell in enumerate(rival.body[:-1], 1):  # the tail cannot be bitten
            moves = distances.get(cell, REACH + 1)
            if moves <= REACH and not protected(rival, moves):
                # The chain moves on while we come: what is far behind the neck may be past by then.
                worth = 2 * (rival.length - place) / (moves * moves)
                if worth > best:
                    best, target = worth, cell
    return target


def protected(rival: Python, moves: int) -> bool:
    """Whether its shield will still be up when the hunter bites with its move of that number (rule 7)."""
    return rival.shield > moves - 1


if __name__ == "__main__":
    run("Hunter", choose)
