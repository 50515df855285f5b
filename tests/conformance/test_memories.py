"""Games that give a memory back: it belongs to one player, and the rules ignore it."""

from __future__ import annotations

from typing import Any

import pytest
from conformance import playing

from referee import games
from referee.contract.game import Fault, Game
from referee.contract.positions import Position

REMEMBERING = [game for game in games.every() if game.remembering is not None]


@pytest.fixture(params=REMEMBERING, ids=[game.name for game in REMEMBERING])
def remembering(request: pytest.FixtureRequest) -> Game[Any, Any]:
    """Each game with memories."""
    return request.param


def without(game: Game[Any, Any], position: Position) -> Position:
    """A position without any memories."""
    for seat in range(len(playing.recorded(game.name))):
        position = game.forgotten(position, seat)
    return position


def test_memories_do_not_change_a_match(remembering):
    game, who = remembering, playing.recorded(remembering.name)
    ours, theirs = playing.new(game), playing.new(game)
    remembered = 0
    for step, actions in playing.recorded_actions(game):
        bare = [
            action
            if isinstance(action, Fault) and who[answer.seat].lifetime == "game"
            else game.remembering(action, None)
            for answer, action in zip(step.answers, actions, strict=True)
        ]
        for state, taken in ((ours, actions), (theirs, bare)):
            state.follow(step.events)
            assert list(state.advance(taken)) == step.events
        at = without(game, ours.position())
        assert theirs.position() == without(game, theirs.position()) == at
        remembered += at != ours.position()
    assert remembered > 10


def test_remembering_copies_only_the_memory_of_an_action(remembering):
    game = remembering
    words = playing.vocabulary(game.name)["getAction"][:60]
    for one, other in zip(words, reversed(words), strict=True):
        taken = game.remembering(one, other)
        assert game.remembering(taken, None) == game.remembering(one, None)
        assert game.remembering(other, taken) == other
    for name in playing.vocabulary(game.name).get("getName", []):
        assert game.remembering(name, None) == game.remembering(name, words[0]) == name


def test_forgotten_clears_the_memory_of_one_seat_only(remembering):
    game, seats = remembering, range(len(playing.recorded(remembering.name)))
    state = playing.new(game)
    assert all(game.forgotten(state.position(), seat) == state.position() for seat in seats)
    for step, actions in playing.recorded_actions(game):
        state.follow(step.events)
        state.advance(actions)
        position = state.position()
        apart = [game.forgotten(position, seat) for seat in seats]
        if sum(forgotten != position for forgotten in apart) > 1:
            break
    else:
        pytest.fail("the golden record has no position in which two seats have a memory")
    assert state.position() == position
    together = without(game, position)
    assert all(
        game.forgotten(forgotten, seat) == forgotten != together for seat, forgotten in zip(seats, apart, strict=True)
    )
    assert game.start(together, 1).position() == together
