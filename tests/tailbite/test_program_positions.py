"""A request that is made from a position shows a program what the match showed it, so test positions need no saved game."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tailbite.random_games import positions

from referee import games
from referee.analysis.program_tests import request_from


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
