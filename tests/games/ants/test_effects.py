"""What a turn meant for the teams: an event does not say where it happened, the points and the answer do (rules 4, 6, 9)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.contract.game import Answer, Event, Step
from referee.games.ants.view import effects

ANT = {"seat": 0, "ant": 3}
BITE = {"event": "bite", "seat": 0, "ant": 3, "victim": [1, 2]}
DROP = {"event": "drop", "seat": 1, "ant": 2}


def meaning(
    *events: Event, before: Sequence[int] = (5, 5), after: Sequence[int] = (5, 5), action: int = 0
) -> list[tuple[int, str, str, float, int | None]]:
    """Seat, kind, words, amount and rival of each effect of a turn of seat 0."""
    step = Step(9, 2, "getAction", [Answer(0, f"{action} 0 0 {'0' * 64}", f"{action} 0 0 {'0' * 64}", 0.001)], events)
    return [
        (effect.seat, effect.kind, effect.what, effect.amount, effect.rival) for effect in effects(step, before, after)
    ]


def test_food_is_points_only_on_a_hill() -> None:
    put, take = {"event": "put", **ANT}, {"event": "take", **ANT}
    assert meaning(put) == meaning(take) == []
    assert meaning(put, after=(6, 5)) == [(0, "points", "carried home", 1, None)]
    assert meaning(put, after=(5, 6)) == [(1, "points", "put there by rivals", 1, 0)]
    assert meaning(take, after=(4, 5)) == [(0, "points", "taken away again", -1, None)]
    assert meaning(take, after=(5, 4)) == [(1, "points", "taken by rivals", -1, 0)]


def test_a_bite_costs_the_victim_turns_and_its_food() -> None:
    bitten = (1, "loss", "bites suffered, each costs 8 turns", 1, 0)
    dropped = (1, "loss", "mg of food dropped after a bite", 1, 0)
    assert meaning(BITE) == [bitten]
    assert meaning(BITE, DROP) == [bitten, dropped]
    assert meaning(BITE, DROP, after=(6, 5)) == [bitten, (0, "points", "dropped by rivals", 1, 1), dropped]
    assert meaning(BITE, DROP, after=(5, 6)) == [bitten, (1, "points", "dropped there", 1, None), dropped]


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (2, "walked into the border"),
        (4, "bit a cell without an enemy"),
        (8, "took food where none was, or with food already"),
        (9, "put food down without carrying any"),
        (10, "answered a number that is no action"),
        (-1, "answered a number that is no action"),
    ],
)
def test_why_an_action_was_void(action: int, what: str) -> None:
    assert meaning({"event": "void", **ANT}, action=action) == [(0, "nothing", what, 1, None)]
