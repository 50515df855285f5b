"""What the planes show, and that patched planes are those of a fresh board."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from referee import games, mapfiles
from referee.game import Fault, FaultKind

BOARD = {
    "size": 5,
    "rounds": 300,
    "round": 17,
    "seat": 1,
    "field": ["W...e", "....R", ".....", ".....", "..b.W"],
    "pythons": [
        {"cells": [[2, 1], [3, 1], [3, 2]], "blocks": "bb", "score": 6},
        {"cells": [[2, 3], [2, 2], [1, 2], [1, 3]], "blocks": "ebb", "shield": 4, "score": 3},
    ],
}
"""The board of SnakeCore's README."""
SHOWN = {
    "wall": "1.... ..... ..... ..... ....1",
    "reactor": "..... ....1 ..... ..... .....",
    "free ordinary block": "..... ..... ..... ..... ..1..",
    "free energy block": "....1 ..... ..... ..... .....",
    "head of the asked python": "..... ..... ..... ..1.. .....",
    "chain of the asked python": "..... ..... .23.. .14.. .....",
    "energy of the asked python": "..... ..... ..1.. ..... .....",
    "shield of the asked python": "33333 33333 33333 33333 33333",
    "head of python 1 after it": "..... ..1.. ..... ..... .....",
    "chain of python 1 after it": "..... ..32. ...1. ..... .....",
    "energy of python 1 after it": "..... ..... ..... ..... .....",
    "shield of python 1 after it": "..... ..... ..... ..... .....",
}


def stack(planes, request):
    """The planes of a request, as an array."""
    return np.frombuffer(planes.seen(request), np.uint8).reshape(len(planes.names), planes.rows, planes.columns)


def begun(game, setup, seed):
    """A match after the names."""
    state = game.start(setup, seed)
    while state.round == 0:
        state.advance(["x"])
    return state


def test_the_planes_of_the_board_in_the_manual():
    game = games.find("snakecore")
    state = begun(game, BOARD, 1)
    planes = game.training().planes(state)
    shown = stack(planes, state.requests()[0])
    drawn = {
        name: " ".join("".join(str(cell or ".") for cell in row) for row in plane)
        for name, plane in zip(planes.names, shown, strict=True)
    }
    assert drawn == SHOWN


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
@pytest.mark.parametrize("seed", range(3))
def test_patched_planes_are_those_of_a_fresh_board(game, seed):
    rng = Random(seed)
    training = game.training()
    name = {"snakecore": "pocket"}.get(game.name, game.maps.default)  # small, so that pythons meet
    document = mapfiles.read(game, name)
    state = begun(game, mapfiles.setup(game, document, seats=2, rng_seed=seed, rounds=150), seed)
    planes = training.planes(state)
    actions = [game.recall("getAction", answer, ()) for answer in training.answers]
    kinds = set()
    for number in range(400):
        due = state.requests()
        if not due:
            break
        chosen = []
        for request in due:
            possible = [
                action for action, may in zip(actions, training.allowed(state, request.seat), strict=True) if may
            ]
            chosen.append(possible[int(rng.random() * len(possible))])
        if number == 350:
            chosen[0] = Fault(FaultKind.EXIT, "")
        events = state.advance(chosen)
        kinds |= {event["event"] for event in events}
        planes.follow(events)
        for seat in range(2):
            request = training.request(state, seat)
            assert planes.seen(request) == training.planes(state).seen(request), (number, events)
    if game.name == "snakecore":
        assert kinds >= {"move", "eat", "bite", "deliver", "return"}
