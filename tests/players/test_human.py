"""A person as a player: answers that need no clock, limits that the user sets, and a person who leaves."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from seating import Keeps, contenders
from trio.testing import MockClock, wait_all_tasks_blocked

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Answer, Request
from referee.games.snakecore.plugin import GAME
from referee.players.human import HumanPlayer, Person, PersonLeft
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox

SETUP = {"size": 3, "rounds": 3, "field": ["..."] * 3, "pythons": [{"cells": [[0, 0]]}, {"cells": [[2, 2]]}]}
TIME = TimeControl(first=15.0, answer=4.0, total=10.0)
STATE: Any = GAME.start(SETUP, 1)


def request(ask: str = "getAction", seat: int = 0) -> Request[Any]:
    return Request(seat, ask, STATE)


async def answered(
    person: Person, clock: Clock, text: str | None, after: float = 0.0, *, game: Any = GAME, leaves: bool = False
) -> Answer[Any]:
    """The answer of a person who presses a key after some seconds, or never, and then perhaps leaves."""
    answers: list[Answer[Any]] = []
    player = HumanPlayer(game, 0, person)
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def asks() -> None:
            answers.append(await player.ask(request(), clock))

        await wait_all_tasks_blocked()
        await trio.sleep(after)
        if text is not None:
            assert person.waits
            person.answer(text)
            person.answer("N")  # a second key does not answer the next request
            assert not person.waits
        if leaves:
            person.leave()
    clock.charge(answers[0].elapsed)
    assert person.request is None
    return answers[0]


def test_the_name_needs_no_key() -> None:
    answer = HumanPlayer(GAME, 1, Person("Ann")).at_once(request("getName", 1), Clock(TIME))
    assert answer == Answer(1, "Ann", "Ann", 0.0)


async def test_a_person_without_a_limit_may_think_longer_than_all_limits(autojump_clock: MockClock) -> None:
    clock = Clock(TIME)
    for _ in range(2):
        answer = await answered(Person("Ann"), clock, "U", 20.0)
        assert (answer.action, answer.text, answer.elapsed, answer.cpu) == ("U", "U", 0.0, None)
        assert answer.late == pytest.approx(20.0)
    assert clock.used == 0


async def test_with_a_limit_a_late_answer_is_a_timeout(autojump_clock: MockClock) -> None:
    clock = Clock(TIME)
    clock.charge(0.0)  # the name
    person = Person("Ann", limited=True)
    in_time = await answered(person, clock, "U", 3.9)
    assert (in_time.text, in_time.elapsed) == ("U", 0.0)
    late = await answered(person, clock, None, 0.0)
    assert (late.action.kind, late.action.detail, late.text) == ("timeout", "no answer within 4 s", None)
    assert late.elapsed == pytest.approx(4.0)
    assert trio.current_time() == pytest.approx(7.9)


async def test_a_first_turn_has_at_least_the_limit_of_every_answer(autojump_clock: MockClock) -> None:
    """The default limit for a process that is started for its first turn is short."""
    clock = Clock(TimeControl(first=1.0, answer=10.0, total=None))
    late = await answered(Person("Ann", limited=True), clock, None, 0.0)
    assert late.elapsed == pytest.approx(10.0)


async def test_timeouts_use_up_the_total(autojump_clock: MockClock) -> None:
    clock = Clock(TIME)
    clock.charge(0.0)
    person = Person("Ann", limited=True)
    charged = [(await answered(person, clock, None, 0.0)).elapsed for _ in range(4)]
    assert charged == pytest.approx([4.0, 4.0, 2.0, 0.0])


async def test_the_view_sees_the_request_and_the_deadline(autojump_clock: MockClock) -> None:
    clock = Clock(TIME)
    clock.charge(0.0)
    person = Person("Ann", limited=True)
    async with trio.open_nursery() as nursery:
        asked = request()
        nursery.start_soon(HumanPlayer(GAME, 0, person).ask, asked, clock)
        await wait_all_tasks_blocked()
        assert person.request is asked
        assert person.deadline == pytest.approx(4.0)
        person.answer("U")
    assert person.deadline == float("inf")


@pytest.mark.parametrize("before", [True, False])
async def test_a_person_who_left_cannot_be_asked(before: bool) -> None:
    person = Person("Ann")
    if before:
        person.leave()
    with pytest.RaisesGroup(pytest.RaisesExc(PersonLeft, match="Ann left the match")) as raised:
        await answered(person, Clock(TIME), None, leaves=True)
    assert raised.value.exceptions[0].exit_code == 130


async def test_an_answer_before_a_person_leaves_counts() -> None:
    assert (await answered(Person("Ann"), Clock(TIME), "U", leaves=True)).text == "U"


async def test_a_tap_gets_what_a_process_would_have_exchanged() -> None:
    person, tap = Person("Ann"), Keeps()
    seats = contenders([person], taps=[tap])
    async with seat_players(BareSandbox(), GAME, seats) as (player,), trio.open_nursery() as nursery:
        nursery.start_soon(player.ask, request(), Clock(TIME))
        await wait_all_tasks_blocked()
        person.answer("U")
    (_, sent), answer = tap.passed
    assert sent.startswith(b"getAction\n3\n")
    assert answer == ("received", b"U\n")
