"""What a turn meant for the snakes: a segment for a segment, and nothing from a snake that is already eaten (rules 4, 7)."""

from __future__ import annotations

from referee.contract.game import Event, Step
from referee.tailbite.view import effects

BITE: Event = {"event": "bite", "seat": 0, "victim": 1}


def meaning(*events: Event, before: tuple[int, int]) -> list[tuple[int, str, float]]:
    step = Step(9, 2, "getAction", [], events)
    return [(effect.seat, effect.what, effect.amount) for effect in effects(step, before, before)]


def test_a_bite_moves_a_segment() -> None:
    assert meaning(BITE, before=(4, 4)) == [(0, "bites", 1), (1, "bitten", -1)]


def test_a_snake_that_is_eaten_loses_its_last_segment_too() -> None:
    eaten: Event = {"event": "eaten", "seat": 1}
    assert meaning(BITE, eaten, before=(4, 2)) == [(0, "bites", 1), (1, "bitten", -1), (1, "eaten", -1)]
    assert meaning(BITE, eaten, BITE, before=(4, 2))[3:] == [(0, "bites", 1)]


def test_what_is_left_of_an_eaten_snake_has_no_points() -> None:
    assert meaning(BITE, before=(4, 0)) == [(0, "bites", 1)]


def test_turns_without_a_choice() -> None:
    events: tuple[Event, ...] = (
        {"event": "move", "seat": 0, "to": "U", "how": "forced"},
        {"event": "move", "seat": 0, "to": "U", "how": "random"},
        {"event": "skip", "seat": 1},
    )
    assert meaning(*events, before=(4, 4)) == [
        (0, "answered only impossible moves", 1),
        (1, "skipped without a possible move", 1),
    ]
