"""What each step meant for the seats: the effects with points account for every change of points, in every match."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from conformance.playing import golden, line_ups, new, random_steps
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.contract.game import Effect, Game, State, Step
from referee.saved.replay import Replay

WORDS = 60
"""The most characters of a source or reason: it is the heading of a column or the beginning of a line."""


def points(state: State[Any, Any]) -> list[float]:
    """The points by seat; 0 for a seat that is not ranked."""
    found = [0.0] * state.seats
    for ranked in state.current_result().ranking:
        found[ranked.seat] = ranked.score
    return found


def saved_steps(game: Game[Any, Any]) -> Iterator[tuple[Step, list[float], list[float]]]:
    """The steps of the golden record, each with the points before and after it."""
    saved = Replay(golden(game.name))
    before = points(saved.state_at(0))
    for step in saved.steps:
        after = points(saved.state_at(step.number))
        yield step, before, after
        before = after


def checked(game: Game[Any, Any], step: Step, before: Sequence[float], after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step, each a well-formed one."""
    for effect in game.effects(step, before, after):
        assert 0 <= effect.seat < len(before)
        assert effect.rival is None or (0 <= effect.rival < len(before) and effect.rival != effect.seat)
        assert effect.event is None or effect.event in step.events
        assert effect.what.isprintable()
        assert 0 < len(effect.what) <= WORDS
        assert effect.amount == 1 if effect.kind == "nothing" else effect.amount != 0
        assert effect.kind != "loss" or effect.amount > 0
        yield effect


def told(effects: Iterable[Effect], before: Sequence[float]) -> list[float]:
    """The points after a step, by its effects."""
    after = list(before)
    for effect in effects:
        if effect.kind == "points":
            after[effect.seat] += effect.amount
    return after


def explains(game: Game[Any, Any]) -> bool:
    """Whether a game says where points come from: a game may leave it out."""
    return any([*game.effects(*moment)] for moment in saved_steps(game))


def test_the_effects_of_the_golden_record_account_for_all_points(game: Game[Any, Any]) -> None:
    if not explains(game):
        pytest.skip(f"{game.name} says nothing about its points")
    kinds = set()
    for step, before, after in saved_steps(game):
        effects = list(checked(game, step, before, after))
        assert told(effects, before) == pytest.approx(after), f"step {step.number}"
        kinds |= {effect.kind for effect in effects}
    assert {"points", "nothing"} <= kinds


@settings(max_examples=15)
@given(seed=st.integers(0, 1 << 32))
def test_the_effects_of_random_matches_account_for_all_points(game: Game[Any, Any], seed: int) -> None:
    if not explains(game):
        return
    chance = random.Random(seed)
    state = new(game, seed, chance.choice(line_ups(game)))
    before = points(state)
    for step in random_steps(game, state, chance, 200, faults=0.01):
        after = points(state)
        assert told(checked(game, step, before, after), before) == pytest.approx(after), f"step {step.number}"
        before = after
