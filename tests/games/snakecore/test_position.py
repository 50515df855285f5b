"""Untrusted positions of SnakeCore: an error is one sentence that names the key."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from games import playing
from games.snakecore.drawing import read

from referee.games.snakecore.rules import start

GOOD = read("""
    round 2 of 9, B to move
    A   a1  .   W
    .   a2* b   R
    .   .   .   e
    B   .   .   .
    A: shield 3, score 5
    B: timeout
""")


changed = partial(playing.changed, GOOD)


def refused(setup: Any) -> str:
    return playing.refusal(start, setup, 1)


def test_the_good_position_is_valid() -> None:
    assert start(GOOD, 1).position() == GOOD


CELLS = ("pythons", 0, "cells")


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        # Two things on one cell (rule 2).
        (changed(*CELLS, 2, to=[0, 0]), "pythons.0: two things on the cell (0, 0)"),
        (changed("pythons", 1, "cells", to=[[1, 1]]), "pythons.1: two things on the cell (1, 1)"),
        (changed("field", 0, to="W..W"), "pythons.0: two things on the cell (0, 0)"),
        (changed("field", 1, to=".e.R"), "pythons.0: two things on the cell (1, 1)"),
        # Chains (rule 5).
        (changed(*CELLS, 2, to=[2, 1]), "pythons.0: broken chain: (1, 0) and (2, 1) are not neighbours"),
        (changed(*CELLS, 1, to=[0, 0]), "pythons.0: broken chain: (0, 0) and (0, 0) are not neighbours"),
        (changed("pythons", 0, "blocks", to="b"), "pythons.0: blocks: must have 2 letters, one for each cell"),
        (changed("pythons", 0, "blocks", to="beb"), "pythons.0: blocks: must have 2 letters, one for each cell"),
        (changed("pythons", 0, "blocks", to="bx"), "pythons.0: blocks: 'x' is neither b nor e"),
        (changed(*CELLS, to=[]), "pythons.0.cells: must have 1 entry or more"),
        (changed(*CELLS, 0, to=[0]), "pythons.0.cells.0: must have 2 entries or more"),
        (changed(*CELLS, 0, to=[0, 0, 0]), "pythons.0.cells.0: must have at most 2 entries"),
        # Off the field (rule 1).
        (changed("pythons", 1, "cells", to=[[0, 4]]), "pythons.1: (0, 4) is off the field"),
        (changed("pythons", 1, "cells", to=[[-1, 3]]), "pythons.1: (-1, 3) is off the field"),
        # The field.
        (changed("size", to=5), "field: 4 rows on a field of size 5"),
        (changed("field", 3, to="..."), "field.3: 3 characters in a row of 4"),
        (changed("field", 3, to="....."), "field.3: 5 characters in a row of 4"),
        (changed("field", 3, to=".p.."), "field.3: 'p' is not one of W R b e . (pythons are in `pythons`)"),
        (changed("field", 3, to=".\ud800.."), "field.3: '\\ud800' is not one of"),
        (changed("size", to=0), "size: must be 1 or more"),
        (changed("size", to=1000), "size: must be 999 or less"),
        (changed(*CELLS, 2, to=[0, 10**99]), "pythons.0.cells.2.1: must be 1000000 or less"),
        # Rounds, seats and figures.
        (changed("seat", to=2), "seat: there is no seat 2 among 2 pythons (seats count from 0)"),
        (changed("seat", to=-1), "seat: must be 0 or more"),
        (changed("round", to=0), "round: must be 1 or more"),
        (changed("round", to=11), "round: 11 is past the end, 9 rounds"),
        (changed("round", to=10), "round: 10 is past the end, 9 rounds"),  # seat B: a game ends with seat A next
        (changed("rounds", to=0), "rounds: must be 1 or more"),
        (changed("rounds", to=200_001), "rounds: must be 200000 or less"),
        (changed("rounds", to=100_001), "rounds: 100001 are too many to save: with 2 pythons, use at most 100000"),
        (changed("pythons", to=[]), "pythons: must have 1 entry or more"),
        (changed("pythons", to=[{"cells": [[0, 0]]}] * 9), "pythons: must have at most 8 entries"),
        (changed("pythons", 0, "shield", to=-1), "pythons.0.shield: must be 0 or more"),
        (changed("pythons", 0, "score", to=-1), "pythons.0.score: must be 0 or more"),
        (changed("pythons", 0, "disqualified", to="lazy"), "pythons.0.disqualified: must be 'timeout'"),
    ],
)
def test_each_mistake_has_its_own_sentence(setup: Any, sentence: str) -> None:
    assert refused(setup).startswith(sentence)


def test_the_end_of_a_game_is_a_position_too() -> None:
    end = changed("round", to=10) | {"seat": 0}
    state = start(end, 1)
    assert state.position() == end
    state.advance(["a"])
    assert state.requests() == ()
