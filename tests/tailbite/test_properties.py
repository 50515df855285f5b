"""Properties of every match of tail-biting snakes, from any legal position and with any answers."""

from __future__ import annotations

from typing import Any

from games.playing import SEEDS
from hypothesis import given
from tailbite import naive
from tailbite.drawing import agrees, named
from tailbite.random_games import answers, positions

from referee import games
from referee.contract.game import Fault
from referee.contract.positions import Position
from referee.tailbite.rules import TailBite
from referee.tailbite.sight import possible

AVA: Any = games.find("ava")
VIPER: Any = games.find("viper")


def after_names(position: Position, seed: int, game: Any = AVA) -> TailBite:
    return named(game.start(position, seed))


@given(positions(), answers(), SEEDS)
def test_every_turn_equals_that_of_the_naive_implementation(
    position: Position, given_answers: list[str | Fault], seed: int
) -> None:
    state = after_names(position, seed)
    for answer in given_answers:
        before = state.position()
        if not state.requests():
            break
        (request,) = state.requests()
        assert request.seat == before["order"][0]
        assert request.observation.window.decode() == naive.window(before, request.seat)
        assert possible(request.observation.window) == naive.possible(before, request.seat)
        events = list(state.advance([answer]))
        plainly = naive.Turn(before, answer, events)
        assert events == plainly.events
        assert state.position() == plainly.position
        assert (state.outcome() is None) == (plainly.reason is None)
        if plainly.reason is not None:
            outcome = state.current_result()
            assert (outcome.reason, outcome.rounds) == (
                plainly.reason,
                naive.rounds(before | plainly.position, plainly.reason),
            )
    agrees(state)


@given(positions(seats=4))
def test_ranks_equal_those_from_comparing_all_pairs(position: Position) -> None:
    for game, mean in ((AVA, False), (VIPER, True)):
        ranking = game.start(position, 1).current_result().ranking
        assert [line.rank for line in sorted(ranking, key=lambda line: line.seat)] == naive.ranks(position, mean=mean)
        assert [line.rank for line in ranking] == sorted(line.rank for line in ranking)
        assert all(isinstance(line.rank, int) or line.rank % 1 == 0.5 for line in ranking)
