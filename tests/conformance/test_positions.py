"""Positions of every game: they survive JSON, a match can start from any, and invalid ones are refused."""

from __future__ import annotations

import random
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from conformance.playing import golden, json_values, line_ups, new, played, random_steps, there_and_back
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.contract.game import Game
from referee.errors import SetupError
from referee.saved.record import digest
from referee.saved.replay import Replay


def test_a_position_survives_json(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        there_and_back(game, state)
        for _ in random_steps(game, state, random.Random(10), 100, faults=0.02):
            there_and_back(game, state)


def test_a_match_from_any_position_continues_like_the_original(game: Game[Any, Any]) -> None:
    """Players give their names again. Draws come from the recorded events, because a position has no generator."""
    for line_up in line_ups(game):
        named = new(game).seats
        for before in (*range(named, named + 8), 50, 111):
            state = played(game, new(game, 1, line_up), random.Random(before), before, faults=0.005)
            if not state.round or not state.requests():
                continue
            other = game.start(state.position(), 2, line_up)
            while other.requests()[0].ask == "getName":
                other.advance(["a name"] * len(other.requests()))
            for step in random_steps(game, state, random.Random(-before), 60, faults=0.005):
                assert other.round == step.round
                assert [(r.ask, r.seat) for r in other.requests()] == [(step.ask, a.seat) for a in step.answers]
                other.follow(step.events)
                assert other.advance([answer.action for answer in step.answers]) == step.events
                assert other.position() == state.position()
            assert bool(other.requests()) == bool(state.requests())


def test_the_final_position_of_the_golden_record_can_be_read(game: Game[Any, Any]) -> None:
    there_and_back(game, Replay(golden(game.name)).state_at(len(golden(game.name).steps)))


def test_a_position_shares_nothing_with_its_state(game: Game[Any, Any]) -> None:
    state = played(game, new(game), random.Random(3), 60)
    position, before = state.position(), digest(state.position())
    clear(position)
    assert digest(state.position()) == before


def clear(value: Any) -> None:
    """Empty every list and dict, the innermost first."""
    if isinstance(value, dict | list):
        for inner in list(value.values() if isinstance(value, dict) else value):
            clear(inner)
        value.clear()


@pytest.mark.parametrize("setup", [{}, {"strange": 1}, {"size": -1}, {"field": ["."], "players": []}])
def test_an_invalid_position_is_refused(game: Game[Any, Any], setup: dict[str, Any]) -> None:
    refused(game, setup)


def test_the_error_for_an_invalid_position_names_the_key(game: Game[Any, Any]) -> None:
    setup = golden(game.name).header.setup
    assert "strange" in refused(game, {**setup, "strange": 1})
    for key in setup:
        assert key in refused(game, {**setup, key: "strange"})
        assert key in refused(game, {**setup, key: {"strange": 1}})
        assert key in refused(game, {**setup, key: None})  # null does not stand for an omitted key


def test_a_huge_number_is_refused_with_its_key_in_a_short_error(game: Game[Any, Any]) -> None:
    setup = golden(game.name).header.setup
    for key in [key for key, value in setup.items() if type(value) is int]:
        for number in (10**30, -(10**30), 10**5000, 1.5, float("nan")):
            error = refused(game, {**setup, key: number})
            assert error.startswith(f"{key}: ")
            assert len(error) < 300


def refused(game: Game[Any, Any], setup: dict[str, Any]) -> str:
    """The error for this setup, which is one line."""
    with pytest.raises(SetupError) as raised:
        game.start(setup, 1)
    assert str(raised.value).isprintable()
    return str(raised.value)


def inside(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value: the object or list, and the key or index."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [place for key in keys for place in [(value, key), *inside(value[key])]]


@settings(max_examples=120)
@given(data=st.data())
def test_a_damaged_position_is_refused_or_playable(game: Game[Any, Any], data: st.DataObject) -> None:
    """Positions are untrusted. An accepted position is legal, and a match can continue from it."""
    state = played(game, new(game), random.Random(data.draw(st.integers(0, 3))), data.draw(st.integers(0, 60)))
    setup = deepcopy(state.position())
    for _ in range(data.draw(st.integers(1, 2))):
        holder, key = data.draw(st.sampled_from(inside(setup) or [(setup, "size")]))
        if data.draw(st.booleans()):
            holder[key] = data.draw(json_values)
        elif isinstance(holder[key], int):
            holder[key] += data.draw(st.sampled_from([-1, 1, 2**40]))
        else:
            del holder[key]
    with suppress(SetupError):
        other = game.start(setup, 1)
        there_and_back(game, other)
        words = [*random_steps(game, other, random.Random(23), 25)]
        assert all(step.events for step in words if step.ask == "getName")
        other.draw()
        there_and_back(game, other)
