"""Hypothesis strategies for SnakeCore, which draw legal positions and answers, and random crowded boards."""

from __future__ import annotations

import random
from typing import Any

from games.playing import FAULTS
from hypothesis import strategies as st

from referee.contract.game import Fault
from referee.contract.positions import Position

STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))


@st.composite
def positions(draw: st.DrawFn, most_seats: int = 4) -> Position:
    """A legal position: first pythons, each grown along a random walk, then the field around them."""
    n = draw(st.integers(1, 6))
    seats = draw(st.integers(1, min(most_seats, n * n)))
    occupied: set[tuple[int, int]] = set()
    pythons: list[dict[str, Any]] = []
    for _ in range(seats):
        free = [(x, y) for y in range(n) for x in range(n) if (x, y) not in occupied]
        if not free:
            break
        cells = [draw(st.sampled_from(free))]
        occupied.add(cells[0])
        for dx, dy in draw(st.lists(st.sampled_from(STEPS), max_size=8)):
            cell = (cells[-1][0] + dx, cells[-1][1] + dy)
            if cell not in occupied and all(0 <= c < n for c in cell):
                cells.append(cell)
                occupied.add(cell)
        pythons.append(
            {
                "cells": [list(cell) for cell in cells],
                "blocks": draw(st.text("be", min_size=len(cells) - 1, max_size=len(cells) - 1)),
                "shield": draw(st.sampled_from([0, 0, 0, 1, 2, 12])),
                "score": draw(st.integers(0, 20)),
                "disqualified": draw(st.sampled_from([None, None, None, None, "timeout", "exit"])),
            }
        )
    letters = draw(st.text("...bbeRW", min_size=n * n, max_size=n * n))
    field = ["".join("." if (x, y) in occupied else letters[y * n + x] for x in range(n)) for y in range(n)]
    rounds = draw(st.integers(1, 12))
    due = {"round": draw(st.integers(1, rounds)), "seat": draw(st.integers(0, len(pythons) - 1))}
    return {"size": n, "rounds": rounds, **due, "field": field, "pythons": pythons}


def answers(most: int = 40) -> st.SearchStrategy[list[str | Fault]]:
    """The answers of the seats in turn: mostly moves, and a few faults."""
    letters = st.sampled_from("UULLDDRRUULLDDRRNAA")
    return st.lists(st.one_of(letters, letters, letters, letters, letters, letters, letters, FAULTS), max_size=most)


def crowded(chance: random.Random, *, size: int, seats: int, rounds: int) -> Position:
    """Blocks, walls and reactors everywhere, and a head in each corner."""
    rows = [chance.choices(".beWR", [8, 6, 3, 1, 1], k=size) for _ in range(size)]
    starts = [(0, 0), (size - 1, size - 1), (size - 1, 0), (0, size - 1)][:seats]
    for x, y in starts:
        rows[y][x] = "."
    pythons = [{"cells": [list(start)]} for start in starts]
    return {"size": size, "rounds": rounds, "field": ["".join(row) for row in rows], "pythons": pythons}
