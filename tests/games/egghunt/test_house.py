"""House players: deterministic, limited to what a bot sees, and of different strength."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import pytest
from games.egghunt.drawing import begin, line_up
from games.egghunt.hunts import positions
from games.playing import shipped
from hypothesis import given

from referee.contract.game import Request
from referee.contract.positions import Position
from referee.games.egghunt.house import KINDS, HousePlayer, house
from referee.games.egghunt.maps import MAPS
from referee.games.egghunt.rules import Action, EggHunt, start
from referee.games.egghunt.wire import decode, format_action

EASTER = shipped("egghunt")["easter"]


def kind(name: str, rng_seed: int = 1) -> HousePlayer:
    return next(player for seat in range(len(KINDS)) if name in (player := house(seat, rng_seed)).name)


def chosen(name: str, drawing: str, seeds: int = 40, **more: object) -> set[int]:
    """The directions that a player of this kind chooses in seat A, over many seeds."""
    request = begin(drawing, **more).requests()[0]
    return {kind(name, seed).decide(request).direction for seed in range(seeds)}


def test_consecutive_seats_have_players_of_all_kinds() -> None:
    assert [house(seat, 1).name for seat in range(4)] == ["House rabbit", "House mouse", "House lamb", "House rabbit"]


@given(positions())
def test_every_request_has_one_valid_answer(position: Position) -> None:
    count = len(position["players"])
    memories = ["12 1", "² 1", "1 " + "9" * 1022, "", "x y", "3", "🐇"][:count]
    state = start({**position, "memory": memories}, 1, line_up(count))
    for request in state.requests():
        for seat in range(len(KINDS)):
            action = house(seat, 5).decide(request)
            assert house(seat, 5).decide(request) == action
            assert isinstance(action, Action)
            assert decode("getAction", format_action(action).encode().split(b"\n")) == action


def test_a_decision_depends_only_on_what_a_bot_sees() -> None:
    """The two positions differ only where A cannot see."""
    near = begin("A . . # # \n . . . # # \n . o . # # \n # # # # # \n # # # # #", memory=["4 2"])
    far = begin("A . . # o \n . . . # . \n . o . # o \n # # # # . \n o . o . B", memory=["4 2", "x"], turns=9)
    first, second = near.requests()[0], far.requests()[0]
    players = [house(seat, seed) for seat in range(3) for seed in range(20)]
    assert all(player.decide(first) == player.decide(second) for player in players)


def test_random_choices_depend_on_the_seed_the_seat_and_the_count() -> None:
    request = begin(". . . \n . A . \n . . . \n o . .").requests()[0]
    later = begin(". . . \n . A . \n . . . \n o . .", memory=["1 1"]).requests()[0]

    def directions(seat: int, asked: Request[EggHunt]) -> list[int]:
        return [house(seat, seed).decide(asked).direction for seed in range(10)]

    assert len({*directions(2, request), *directions(5, request), *directions(2, later)}) > 4
    assert directions(2, request) != directions(5, request)
    assert directions(2, request) != directions(2, later)


def test_a_rabbit_usually_goes_around_a_wall_to_the_nearest_egg() -> None:
    drawing = ". . . . . \n . . . . . \n . . A # o \n . . # . . \n . . . # #"
    directions = [kind("rabbit", seed).decide(begin(drawing).requests()[0]).direction for seed in range(60)]
    assert directions.count(3) + directions.count(5) > 40
    assert set(directions) > {5}


def test_all_take_an_egg_beside_them_with_n_and_move_with_a() -> None:
    request = begin("A o").requests()[0]
    assert {kind(name).decide(request)[:2] for name in ("mouse", "lamb")} == {(4, "N")}
    request = begin("A . . . o").requests()[0]
    assert kind("lamb").decide(request)[:2] == (4, "A")


def test_a_mouse_follows_the_wall_on_its_left() -> None:
    assert chosen("mouse", "# # # # \n . . A . \n . . . . \n . . . .", memory=["3 1"], eggs=[[0, 3]]) == {4}
    assert chosen("mouse", "# # # # \n . . A # \n . . . . \n . . . .", memory=["3 1"], eggs=[[0, 3]]) == {6}
    # The wall on its left ends behind it, so it turns around the corner.
    assert chosen("mouse", "# # . . \n . . A . \n . . . . \n . . . .", memory=["3 1"], eggs=[[0, 3]]) == {2}


def test_enclosed_players_stay() -> None:
    for name in ("rabbit", "mouse", "lamb"):
        assert chosen(name, "# # # \n # A # \n # # # \n o . .", seeds=3) == {9}
    action = kind("rabbit").decide(begin("# # # \n # A # \n # # # \n o . .", memory=["5 8"]).requests()[0])
    assert action == (9, "N", "5 9")
    assert kind("mouse").decide(begin("A . \n o .", memory=["3 17"]).requests()[0]).memory == "5 18"


@pytest.mark.parametrize(("stronger", "weaker"), [("rabbit", "lamb"), ("mouse", "lamb")])
def test_players_that_look_for_eggs_find_more(stronger: str, weaker: str) -> None:
    eggs: dict[str, list[float]] = {stronger: [], weaker: []}
    for seed in range(4):
        state = start(MAPS.setup(EASTER, seats=7, rng_seed=seed, rounds=60) | {"runs": 1}, seed, line_up(7))
        players = [replace(kind((stronger, weaker)[seat % 2], seed), seat=seat) for seat in range(6)]
        players.append(kind(weaker))
        while due := state.requests():
            state.advance([players[request.seat].decide(request) for request in due])
        for line in state.current_result().ranking:
            if line.seat < 6:
                eggs[(stronger, weaker)[line.seat % 2]].append(line.score)
    assert mean(eggs[stronger]) > 1.2 * mean(eggs[weaker])
