"""What a person can do in a game: answers that a bot could give, and keys that the view does not need."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from conformance.playing import line_ups, new, random_answers, random_steps

from referee import bots
from referee.contract.frame import Control
from referee.contract.game import Game, State
from referee.errors import UsageError
from referee.match.line_up import names_a_person
from referee.terminal import keys as k

OF_THE_VIEW = {*"0123456789+-=_?q", k.SPACE, k.TAB, k.BACK_TAB, k.ENTER, k.ESCAPE}
ARROWS = {k.UP, k.DOWN, k.LEFT, k.RIGHT}


def moments(game: Game[Any, Any]) -> Iterator[State[Any, Any]]:
    """Moments of random matches at which actions are due."""
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        for number, _ in enumerate(random_steps(game, state, random.Random(4), 200)):
            if number % 5 == 0 and state.requests() and state.requests()[0].ask != "getName":
                yield state


def whole(controls: Sequence[Control]) -> Iterator[Control]:
    for control in controls:
        yield control
        yield from whole(control.then)


def test_every_answer_is_one_that_a_bot_could_give(game: Game[Any, Any]) -> None:
    for state in moments(game) if game.controls is not None else ():
        request = state.requests()[-1]
        found = list(whole(game.controls(state, request.seat, [f"bot {seat}" for seat in range(state.seats)])))
        answers = [control.answer for control in found if control.answer is not None]
        assert answers
        for answer in answers:
            assert game.format(game.recall(request.ask, answer, ())) == answer
        assert all((control.answer is None) != (control.then == ()) for control in found)


def test_keys_are_different_and_not_those_of_the_view(game: Game[Any, Any]) -> None:
    for state in moments(game) if game.controls is not None else ():
        found = game.controls(state, state.requests()[0].seat, ["?"] * state.seats)
        for level in (found, *(control.then for control in found if control.then)):
            keys = [key for control in level for key in control.keys]
            assert len(set(keys)) == len(keys)
            assert not OF_THE_VIEW & set(keys)
            assert all(key in ARROWS or len(key) == 1 for key in keys)


def test_looking_ahead_changes_nothing(game: Game[Any, Any]) -> None:
    for state in moments(game) if game.controls is not None else ():
        before = state.position()
        game.controls(state, state.requests()[0].seat, ["?"] * state.seats)
        assert state.position() == before


def test_what_is_foreseen_happens(game: Game[Any, Any]) -> None:
    state, chance = new(game), random.Random(2)
    for _ in range(60):
        if not state.requests():
            return
        actions = [answer.action for answer in random_answers(game, state, chance, 0.1)]
        assert state.foresee(actions) == state.advance(actions)


@pytest.mark.parametrize("word", ["human", "Ann=human"])
def test_the_word_for_a_person(word: str) -> None:
    assert names_a_person(word)
    assert not names_a_person(f"./{word}")
    assert not names_a_person("humans")


def test_a_game_without_controls_refuses_people(game: Game[Any, Any]) -> None:
    if game.controls is None:
        with pytest.raises(UsageError, match="cannot be played by a person"):
            bots.a_person(game)
    else:
        assert bots.a_person(game, "Ann").name == "Ann"
