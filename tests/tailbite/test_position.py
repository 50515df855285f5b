"""Untrusted positions: an error is one sentence that names the key. A position holds all that a program sees."""

from __future__ import annotations

import json
import re
from functools import partial
from importlib import resources
from random import Random
from typing import Any

import pytest
from games import playing
from hypothesis import given
from hypothesis import strategies as st
from tailbite.drawing import read
from tailbite.random_games import positions

from referee import games
from referee.analysis.program_tests import request_from
from referee.contract.positions import Position
from referee.tailbite.position import MAX_STEPS

AVA: Any = games.find("ava")
GOOD = read("""
    step 4 of 9, C A to move, moved
    A   a1  a2  .   .
    .   .   .   .   Dx
    .   B   .   c2  c1
    b2  b1  .   .   C
    B: exit
    D: eaten 3
""")


changed = partial(playing.changed, GOOD)


def refused(setup: Any) -> str:
    return playing.refusal(AVA.start, setup, 1)


def test_the_good_position_is_valid() -> None:
    assert AVA.start(GOOD, 1).position() == GOOD


@pytest.mark.parametrize("game", ["ava", "viper"])
def test_each_readme_says_how_many_snakes_a_position_holds(game: str) -> None:
    text = (resources.files(games) / game / "README.md").read_text(encoding="utf-8")
    seats = games.find(game).seats
    assert re.search(rf"^\| `snakes` +\| {seats[0]} to {seats[-1]}\b", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        (changed("snakes", 0, "cells", 2, to=[2, 1]), "snakes.0: broken chain: (1, 0) and (2, 1) are not neighbours"),
        (changed("snakes", 0, "cells", 1, to=[0, 0]), "snakes.0: broken chain: (0, 0) and (0, 0) are not neighbours"),
        (changed("snakes", 0, "cells", to=[[-1, 0], [0, 0]]), "snakes.0: (-1, 0) is off the field"),
        (changed("snakes", 3, "cells", to=[[5, 1]]), "snakes.3: (5, 1) is off the field"),
        (changed("snakes", 3, "cells", to=[[2, 0]]), "snakes.3: two things on the cell (2, 0)"),
        (changed("snakes", 0, "cells", to=[[0, 1], [0, 0], [0, 1]]), "snakes.0: two things on the cell (0, 1)"),
        (changed("snakes", 0, "cells", to=[[0, 0]]), "snakes.0: a snake of fewer than 2 cells has been eaten"),
        (changed("snakes", 0, "cells", to=[]), "snakes.0: a snake of fewer than 2 cells has been eaten"),
        (changed("snakes", 0, "eaten", to=2), "snakes.0: an eaten snake has at most one cell, not 3"),
        (changed("snakes", 3, "eaten", to=5), "snakes.3: eaten in step 5, but this is step 4"),
        (changed("snakes", 3, "eaten", to=0), "snakes.3.eaten: must be 1 or more"),
        ({**changed("snakes", to=GOOD["snakes"][:1]), "order": []}, "snakes: this game has 2 to 4, not 1"),
        (changed("snakes", to=[*GOOD["snakes"], {"cells": [], "eaten": 1}]), "snakes: this game has 2 to 4, not 5"),
        (changed("snakes", to=GOOD["snakes"][:2]), "order: there is no seat 2 among 2 snakes (seats count from 0)"),
        (changed("order", to=[0, 2, 0]), "order: 0 is listed twice"),
        (changed("order", to=[1]), "order: 1 was eaten or disqualified, so it cannot move"),
        (changed("order", to=[3]), "order: 3 was eaten or disqualified, so it cannot move"),
        (changed("order", to=[-1]), "order.0: must be 0 or more"),
        (changed("step", to=10), "step: 10 is past the end, 9 steps"),
        (changed("step", to=0), "step: must be 1 or more"),
        (changed("steps", to=0), "steps: must be 1 or more"),
        (changed("steps", to=MAX_STEPS + 1), f"steps: must be {MAX_STEPS} or less"),
        (changed("size", to=6), "size: must be odd, not 6"),
        (changed("size", to=257), "size: must be 255 or less"),
        (changed("size", to=3), "is off the field"),
        (changed("options", "rating", to="mean"), "options.rating: must be 'sum' or 'max'"),
        (changed("options", "failed_and_groups", to=None), "options.failed_and_groups: must be 'count' or 'ignore'"),
        (changed("options", "or_groups", to="some"), "options.or_groups: must be 'all' or 'any'"),
    ],
)
def test_an_invalid_position_is_refused_with_the_key(setup: Position, sentence: str) -> None:
    assert sentence in refused(setup)


def test_omitted_keys_default_to_the_start_of_a_match() -> None:
    short = {"size": 5, "steps": 7, "snakes": [{"cells": snake["cells"]} for snake in GOOD["snakes"][:3]]}
    snakes = [{"cells": snake["cells"], "eaten": None, "disqualified": None} for snake in GOOD["snakes"][:3]]
    usual = {"step": 1, "moved": False, "order": [], "snakes": snakes, "options": GOOD["options"]}
    assert AVA.start(short, 1).position() == {**short, **usual}


@pytest.mark.parametrize("game", ["ava", "viper"])
@given(start=positions(), seed=st.integers(0, 99))
def test_a_position_holds_all_that_a_program_sees(game, start, seed):
    rules = games.find(game)
    state, chance = rules.start(start, seed), Random(seed)
    while due := state.requests():
        (request,) = due
        if request.ask != "getName":
            seen = request.observation
            again = request_from(rules, json.loads(json.dumps(state.position())), request.seat).observation
            assert (again.window, again.options) == (seen.window, seen.options)
        state.advance(["x" if request.ask == "getName" else chance.choice("ULDR")])
