"""What the planes show, and that patched planes are those of a fresh board."""

from random import Random

import numpy as np
import pytest

from referee import env, games
from referee.contract.game import Fault, FaultKind
from referee.files import mapfiles

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


OWN, RIVAL = [[1, 1], [1, 0], [0, 0], [0, 1]], [[2, 0], [1, 0], [0, 0]]


@pytest.mark.parametrize(
    ("cells", "shield", "bitten"),
    [(OWN, 0, True), (OWN, 1, True), (OWN, 2, False), (RIVAL, 0, True), (RIVAL, 1, False)],
)
def test_a_python_can_bite_itself_or_a_rival_without_a_shield(cells, shield, bitten):
    """The own counter goes down before the bite (rule 7 of SnakeCore). Above the head is a block of these cells."""
    game = games.find("snakecore")
    pythons = [{"cells": cells, "blocks": "b" * (len(cells) - 1), "shield": shield}]
    pythons = pythons if cells is OWN else [{"cells": [[1, 1]]}, *pythons]
    state = begun(game, {"size": 3, "rounds": 9, "field": ["...", "...", "..."], "pythons": pythons}, 1)
    assert game.training().allowed(state, 0)[0] == bitten
    assert (state.foresee(["U"])[0]["event"] == "bite") == bitten


LETTERS = {"egghunt": "#Xo*", "ava": "WSTXYZ"}
"""The letter that each plane shows."""


@pytest.mark.parametrize("game", LETTERS)
def test_planes_of_a_window_show_the_letters_of_the_request(game):
    for text, planes in both(game):
        rows = text.split("\n")[1 if game == "egghunt" else 2 :][: planes[0].shape[0]]
        for letter, plane in zip(LETTERS[game], planes, strict=True):
            assert [[cell == letter for cell in row] for row in rows] == plane.astype(bool).tolist()


def test_planes_of_an_ant_show_the_numbers_of_the_request():
    for text, planes in both("ants"):
        _, carries, _, *lines = text.split("\n")
        for index, line in enumerate(lines[:9]):
            hue, intensity, friend, enemy, mine, theirs, food, wall = map(int, line.split())
            smells = [intensity * (hue == 1), intensity * (hue == 2), intensity * (hue not in (1, 2))]
            expected = [not wall, friend, enemy, mine, theirs, food, *smells, int(carries)]
            assert planes.reshape(len(planes), 9)[:, index].tolist() == expected


def both(game):
    """What agents of a match with random actions are asked: the text and the planes."""
    rng = Random(4)
    text, planes = matches = [env.aec(game, observe=observe, rounds=60) for observe in ("text", "planes")]
    for match in matches:
        match.reset(seed=2)
    for _ in range(400):
        seen, _, terminated, truncated, _ = text.last()
        if terminated or truncated:
            return
        yield seen["observation"], planes.last()[0]["observation"]
        allowed = np.flatnonzero(seen["action_mask"])
        action = int(allowed[int(rng.random() * len(allowed))])
        for match in matches:
            match.step(action)


@pytest.mark.parametrize("game", [game for game in games.every() if game.training], ids=lambda game: game.name)
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
