"""Properties of every game of Ants, from random positions and with random actions."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy

import pytest
from games.ants.drawing import named
from games.ants.naive import request, turn
from games.ants.random_games import answers, positions
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.contract.game import Event, Fault, FaultKind
from referee.contract.positions import Position
from referee.games.ants import GAME
from referee.games.ants.rules import Action, Ants, start

SEEDS = st.integers(0, 2**32)
THOROUGH = settings(max_examples=80, deadline=None, derandomize=True)


def playing(state: Ants, actions: list[Action | Fault]) -> Iterator[tuple[Action | Fault, list[Event]]]:
    """Play a game turn by turn, until no player is due. Yields each action and its events."""
    for action in actions:
        if not state.requests():
            return
        yield action, list(state.advance([action]))


def bitten(events: list[Event]) -> list[int] | None:
    return next((event["victim"] for event in events if event["event"] == "bite"), None)


def milligrams(position: Position) -> int:
    carried = sum(ant["food"] for team in position["teams"] for ant in team)
    return carried + sum(amount for _, _, amount in position["food"])


@THOROUGH
@given(positions(), answers(), SEEDS)
def test_every_turn_and_every_request_agree_with_the_naive_rules(
    position: Position, actions: list[Action | Fault], seed: int
) -> None:
    state = named(start(position, seed))
    before = state.position()
    for action, events in playing(state, actions):
        assert turn(before, action, bitten(events)) == (state.position(), events)
        before = state.position()
        for due in state.requests():
            assert GAME.encode(due).decode() == request(before)


def test_long_games_agree_with_the_naive_rules_and_have_every_event() -> None:
    """The fields are so crowded and the games so long that every event occurs."""
    seen: Counter[str] = Counter()
    for seed in range(4):
        chance = random.Random(seed)
        state = named(start(crowded(chance, seats=2 + seed % 3), seed))
        before = state.position()
        while due := state.requests():
            assert GAME.encode(due[0]).decode() == request(before)
            action = any_action(chance)
            events = list(state.advance([action]))
            assert turn(before, action, bitten(events)) == (state.position(), events)
            before = state.position()
            seen.update(event["event"] for event in events)
    assert {*seen} == {"unit", "born", "move", "bite", "drop", "take", "put", "void"}


def crowded(chance: random.Random, *, seats: int) -> Position:
    corners = [[0, 0], [3, 0], [0, 3], [3, 3]]
    food = [[x, y, 1 + int(chance.random() * 3)] for y in range(4) for x in range(4) if chance.random() < 0.6]
    return {"size": 4, "units": 60, "ants": 4, "hills": corners[:seats], "food": food}


def any_action(chance: random.Random) -> Action:
    kind = chance.choices(range(-1, 11), [1, 4, 4, 4, 4, 2, 2, 2, 2, 6, 4, 1])[0]
    return Action(kind, chance.random() < 0.5, int(chance.random() * 9) - 4, chance.randbytes(32).hex().encode())


@THOROUGH
@given(positions(), answers(), SEEDS)
def test_the_amount_of_food_never_changes(position: Position, actions: list[Action | Fault], seed: int) -> None:
    state = named(start(position, seed))
    before = milligrams(position)
    for _ in playing(state, actions):
        assert milligrams(state.position()) == before


@THOROUGH
@given(positions(), answers(), SEEDS)
def test_a_match_can_start_from_every_position_of_a_game(
    position: Position, actions: list[Action | Fault], seed: int
) -> None:
    state = named(start(position, seed))
    for action, _ in playing(state, actions):
        if not state.requests():
            break
        cut = json.loads(json.dumps(state.position()))
        again = start(cut, seed)
        assert again.position() == cut
        named(again)
        assert again.position() == cut
        assert [GAME.encode(due) for due in again.requests()] == [GAME.encode(due) for due in state.requests()]
        del action


@pytest.mark.parametrize("seed", range(6))
def test_a_copy_continues_alike_and_shares_nothing(seed: int) -> None:
    """The field is crowded, so bites need random draws. The original plays first and leaves the copy unchanged."""
    chance = random.Random(seed)
    state = named(start(crowded(chance, seats=2 + seed % 3), seed))
    for _ in range(100):
        state.advance([any_action(chance)])
    other = deepcopy(state)
    actions = [any_action(chance) for _ in range(200)]
    before, asked = state.position(), GAME.encode(state.requests()[0])
    mine = [(state.advance([action]), state.position()) for action in actions]
    assert any(event["event"] == "bite" for events, _ in mine for event in events)
    assert (other.position(), GAME.encode(other.requests()[0])) == (before, asked)
    assert [(other.advance([action]), other.position()) for action in actions] == mine
    assert other.current_result() == state.current_result()
    state.advance([Fault(FaultKind.EXIT, "a test")])
    assert other.disqualified == [None] * other.seats


def test_a_copy_made_between_two_names_continues_alike() -> None:
    state = start(crowded(random.Random(1), seats=3), 1)
    state.advance(["Trail"])
    other = deepcopy(state)
    named(state)
    assert [request.seat for request in other.requests()] == [1]
    assert other.names == ["Trail", "", ""]
    named(other)
    assert other.position() == state.position()
    assert other.names == state.names


def test_a_copy_of_a_match_that_is_over_is_over() -> None:
    state = named(start(crowded(random.Random(1), seats=2), 1))
    while state.requests():
        state.advance([Fault(FaultKind.EXIT, "a test")])
    other = deepcopy(state)
    assert other.requests() == ()
    assert other.outcome() == state.outcome()


@THOROUGH
@given(positions(), answers(), SEEDS, SEEDS)
def test_a_match_can_be_followed_from_its_events(
    position: Position, actions: list[Action | Fault], seed: int, other_seed: int
) -> None:
    state, follower = named(start(position, seed)), named(start(position, other_seed))
    for action, events in playing(state, actions):
        follower.follow(events)
        assert list(follower.advance([action])) == events
        assert follower.position() == state.position()


def test_steps_estimates_the_number_of_steps() -> None:
    setup = crowded(random.Random(2), seats=3)
    state = named(start(setup, 1))
    steps = 3
    while state.requests():
        state.advance([Action(10, False, 0, b"0" * 64)])
        steps += 1
    assert GAME.steps(setup) == steps + 3 * (3 + 2 + 1)  # `steps` ignores that the ants appear one by one
