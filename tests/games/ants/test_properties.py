"""Properties of every game of Ants, from random positions and with random actions."""

from __future__ import annotations

import random
from collections import Counter

from games.ants.naive import request, turn
from games.ants.random_games import answers, positions
from games.playing import SEEDS, named, playing
from hypothesis import given

from referee.contract.game import Event, Fault
from referee.contract.positions import Position
from referee.games.ants.plugin import GAME
from referee.games.ants.rules import Action, start


def bitten(events: list[Event]) -> list[int] | None:
    return next((event["victim"] for event in events if event["event"] == "bite"), None)


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
