"""Who goes on to the next round of a knockout or a play-off. Pure.

An entrant that withdraws yields to the next of its group. If its group has nobody left for it, the best of all that would drop
out goes on. So withdrawals change the size of a round only if there are too few entrants for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any


def going_on(
    groups: Iterable[tuple[Sequence[int], int]],
    byes: Collection[int],
    present: Collection[int],
    seeded: Callable[[int], Any],
) -> tuple[list[int], list[int]]:
    """Who goes on after a round, and who drops out of it.

    Args:
        groups: each in its order, best first, with how many of it go on.
        byes: who goes on without having played.
        present: who still takes part.
        seeded: sorts the entrants, best first. It decides between equal places of different groups.
    """
    on = [number for number in byes if number in present]
    count = len(byes)
    dropped: list[tuple[int, Any, int]] = []
    for order, line in groups:
        ranking = [number for number in order if number in present]
        count += line
        on += ranking[:line]
        dropped += [(rank, seeded(number), number) for rank, number in enumerate(ranking[line:])]
    ranked = [number for _, _, number in sorted(dropped)]
    missing = count - len(on)
    return on + ranked[:missing], ranked[missing:]
