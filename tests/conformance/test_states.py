"""Properties of every state of every game: determinism, requests, rounds, copies and frames."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from conformance.playing import golden, line_ups, new, played, random_steps

from referee.contract.game import Game, State
from referee.saved.replay import Replay


def test_there_are_requests_until_there_is_an_outcome(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        assert (not state.requests()) == (state.outcome() is not None)
        for _ in random_steps(game, state, random.Random(6), 1_000):
            assert (not state.requests()) == (state.outcome() is not None)
            asked = [request.seat for request in state.requests()]
            assert len(set(asked)) == len(asked)
            assert set(asked) <= set(range(state.seats))
            assert len({request.ask for request in state.requests()}) <= 1


def test_together_tells_whether_several_seats_can_be_due_at_once(game: Game[Any, Any]) -> None:
    """The streams of such players are sockets, because their clocks run at the same time."""
    most = 0
    for line_up in line_ups(game):
        steps = random_steps(game, new(game, entrants=line_up), random.Random(8), 100)
        most = max(most, *(len(step.answers) for step in steps))
    assert (most > 1) == game.together


def test_rounds_never_go_back_and_names_are_asked_in_round_0(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        last = 0
        for step in random_steps(game, state, random.Random(7)):
            assert (step.ask == "getName") == (step.round == 0)
            assert step.round >= last or step.round == 1  # 1 again if a match has several runs
            last = step.round


def test_a_one_turn_player_gives_no_name_and_has_that_of_its_entrant(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        asked = {
            request.seat
            for step in random_steps(game, state, random.Random(1), 2 * state.seats)
            for request in step.answers
            if step.ask == "getName"
        }
        seats = {seat for seat in range(state.seats) if not line_up or line_up[seat].lifetime == "game"}
        assert asked == seats
        names = {line.seat: line.name for line in state.current_result().ranking}
        assert all(names[seat] == line_up[seat].name for seat in names if seat not in asked)


def test_all_players_except_house_players_are_ranked(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        guests = [seat for seat in range(state.seats) if not line_up or not line_up[seat].house]
        for most in (0, 40):
            ranking = played(game, state, random.Random(2), most).current_result().ranking
            assert sorted(line.seat for line in ranking) == guests
            assert [line.rank for line in ranking] == sorted(line.rank for line in ranking)


def test_a_copied_state_continues_alike(game: Game[Any, Any]) -> None:
    """Replays keep copies, and searches play on from them: with the same chance, and requests that show the copy."""
    for before, faults in ((0, 0.0), (1, 0.0), (3, 0.0), (60, 0.0), (60, 1.0)):
        state = played(game, new(game), random.Random(8), before, faults)
        seen, other = moment(game, state), deepcopy(state)
        mine = [
            (step.events, moment(game, state)) for step in random_steps(game, state, random.Random(9), 100, faults=0.02)
        ]
        assert moment(game, other) == seen
        theirs = [
            (step.events, moment(game, other)) for step in random_steps(game, other, random.Random(9), 100, faults=0.02)
        ]
        assert mine == theirs


def test_a_copy_and_its_original_are_independent(game: Game[Any, Any]) -> None:
    for before in (0, 40):
        state = played(game, new(game), random.Random(8), before)
        seen, other = moment(game, state), deepcopy(state)
        played(game, other, random.Random(9), 60)
        assert moment(game, state) == seen
        assert moment(game, other) != seen


def moment(game: Game[Any, Any], state: State[Any, Any]) -> tuple[Any, ...]:
    """What can be seen of a state: the position, the names, and the requests."""
    names = [line.name for line in state.draw().seats]
    return state.position(), names, [game.encode(request) for request in state.requests()]


def test_every_moment_can_be_drawn(game: Game[Any, Any]) -> None:
    state = new(game)
    drawn(state)
    for _ in random_steps(game, state, random.Random(11), 150, faults=0.01):
        drawn(state)
    drawn(Replay(golden(game.name)).state_at(len(golden(game.name).steps)))


def drawn(state: State[Any, Any]) -> None:
    """Check the frame: two printable ASCII characters a cell, rows of equal length, a line for each seat."""
    frame = state.draw()
    assert frame.cells
    assert len({len(row) for row in frame.cells}) == 1
    for mark in {mark for row in frame.cells for mark in row} | {mark for mark, _ in frame.legend}:
        assert len(mark.text) == 2
        assert mark.text.isascii()
        assert mark.text.isprintable()
        assert mark.seat is None or 0 <= mark.seat < state.seats
    assert [line.seat for line in frame.seats] == list(range(state.seats))
    assert all(len(line.figures) == len(frame.figures) for line in frame.seats)
    assert list(frame.to_move) == [request.seat for request in state.requests()]
