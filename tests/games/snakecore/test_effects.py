"""What a turn meant for the pythons: points, blocks that were lost, and turns without a use (rules 8 to 15)."""

from __future__ import annotations

from referee.contract.game import Event, Step
from referee.games.snakecore.view import effects


def meaning(event: Event) -> list[tuple[int, str, str, float, int | None]]:
    step = Step(9, 2, "getAction", [], [event])
    return [
        (effect.seat, effect.kind, effect.what, effect.amount, effect.rival) for effect in effects(step, (0, 0), (0, 0))
    ]


def test_deliveries() -> None:
    assert meaning({"event": "deliver", "seat": 0, "length": 3, "points": 6}) == [(0, "points", "deliveries", 6, None)]
    assert meaning({"event": "deliver", "seat": 0, "length": 0, "points": 0}) == [
        (0, "nothing", "delivered without a body", 1, None)
    ]


def test_bites() -> None:
    assert meaning({"event": "bite", "seat": 0, "victim": 1, "length": 4, "points": 4}) == [
        (0, "points", "bites", 4, 1),
        (1, "loss", "blocks bitten off by rivals", 4, 0),
    ]
    assert meaning({"event": "bite", "seat": 0, "victim": 0, "length": 3, "points": 0}) == [
        (0, "loss", "blocks lost in bites into itself", 2, None)
    ]
    assert meaning({"event": "bite", "seat": 0, "victim": 0, "length": 1, "points": 0}) == []


def test_turns_that_came_to_nothing() -> None:
    assert meaning({"event": "wait", "seat": 1}) == [(1, "nothing", "waited", 1, None)]
    assert meaning({"event": "skip", "seat": 1, "why": "tail"}) == [(1, "nothing", "skipped (a rival's tail)", 1, None)]
    assert meaning({"event": "move", "seat": 1}) == []
