"""Hypothesis strategies for tail-biting snakes: legal positions and answers."""

from __future__ import annotations

from typing import Any

from games.playing import FAULTS
from hypothesis import strategies as st

from referee.contract.game import Fault
from referee.contract.positions import Position

WAYS = ((0, -1), (-1, 0), (0, 1), (1, 0))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A legal position. Each snake grows along a random walk, on a field so small that snakes meet."""
    n = draw(st.sampled_from([3, 5, 5, 7]))
    count = draw(st.integers(2, 4))
    step = draw(st.integers(1, 4))
    occupied: set[tuple[int, int]] = set()
    snakes: list[dict[str, Any]] = []
    for _ in range(count):
        free = [(x, y) for y in range(n) for x in range(n) if (x, y) not in occupied]
        cells: list[tuple[int, int]] = [draw(st.sampled_from(free))] if free else []
        occupied.update(cells)
        longest = draw(st.integers(1, 7))
        for _ in range(longest if cells else 0):
            x, y = cells[-1]
            ways = [(x + dx, y + dy) for dx, dy in WAYS]
            ways = [cell for cell in ways if cell not in occupied and 0 <= cell[0] < n and 0 <= cell[1] < n]
            if not ways:
                break
            cells.append(draw(st.sampled_from(ways)))
            occupied.add(cells[-1])
        eaten = draw(st.integers(1, step)) if len(cells) < 2 else None
        out = draw(st.sampled_from([None, None, None, None, None, "timeout", "exit"]))
        snakes.append({"cells": [list(cell) for cell in cells], "eaten": eaten, "disqualified": out})
    can = [seat for seat, snake in enumerate(snakes) if snake["eaten"] is None and snake["disqualified"] is None]
    order = draw(st.permutations(can))[: draw(st.integers(0, len(can)))] if can else []
    time = {"steps": draw(st.integers(step, step + 5)), "step": step, "moved": draw(st.booleans())}
    values = {"rating": ["sum", "max"], "failed_and_groups": ["count", "ignore"], "or_groups": ["all", "any"]}
    options = {key: draw(st.sampled_from(choices)) for key, choices in values.items()}
    return {"size": n, **time, "order": order, "snakes": snakes, "options": options}


def answers(most: int = 25) -> st.SearchStrategy[list[str | Fault]]:
    """Mostly letters, sometimes a fault."""
    letters = st.text("ULDR", min_size=1, max_size=4)
    return st.lists(st.one_of(letters, letters, letters, letters, letters, letters, letters, FAULTS), max_size=most)
