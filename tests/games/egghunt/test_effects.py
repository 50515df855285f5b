"""What a turn meant for the players: eggs, and why a player is where it was (rule 5)."""

from __future__ import annotations

from referee.contract.game import Answer, Event, Fault, FaultKind, Step
from referee.games.egghunt.effects import effects


def meaning(*answers: str | None, events: list[Event]) -> list[tuple[int, str, int | None]]:
    """Seat, words and rival of each turn that came to nothing; None is a fault."""
    fault = Fault(FaultKind.EXIT, "exited")
    replies = [Answer(seat, fault if text is None else text, text, 0.001) for seat, text in enumerate(answers)]
    points = [0.0] * len(answers)
    step = Step(9, 2, "getAction", replies, events)
    return [(effect.seat, effect.what, effect.rival) for effect in effects(step, points, points)]


def back(*seats: int) -> list[Event]:
    return [{"event": "back", "seat": seat} for seat in seats]


def test_a_player_that_moved_has_no_reason() -> None:
    assert meaning("4\nN\n", events=[{"event": "to", "seat": 0, "at": [2, 2]}]) == []


def test_walls_and_staying() -> None:
    assert meaning("4\nN\n", "9\nA\n", "x\n", events=[]) == [
        (0, "walked into a wall", None),
        (1, "stayed where it was", None),
        (2, "stayed where it was", None),
    ]


def test_a_fault_is_not_told_twice() -> None:
    assert meaning(None, events=[]) == []


def test_fights() -> None:
    won: list[Event] = [
        {"event": "fight", "seats": [0, 1], "winner": 1},
        *back(0),
        {"event": "to", "seat": 1, "at": [2, 2]},
    ]
    assert meaning("4\nN\n", "8\nA\n", events=won) == [(0, "sent back after a lost fight", 1)]
    drawn: list[Event] = [{"event": "fight", "seats": [0, 1], "winner": None}, *back(0, 1)]
    nobody = "sent back after a fight that nobody won"
    assert meaning("4\nN\n", "8\nN\n", events=drawn) == [(0, nobody, 1), (1, nobody, 0)]
    three: list[Event] = [{"event": "fight", "seats": [0, 1, 2], "winner": None}, *back(0, 1, 2)]
    assert meaning("4\nN\n", "8\nN\n", "1\nA\n", events=three) == [(seat, nobody, None) for seat in range(3)]


def test_returns_without_a_lost_fight() -> None:
    assert meaning("4\nA\n", events=back(0)) == [(0, "sent back by a player in the way", None)]
    assert meaning("4\nC\n", events=back(0)) == [(0, "sent back from an egg with stance C, or by a player", None)]


def test_eggs() -> None:
    step = Step(9, 2, "getAction", [Answer(0, "4\nN\n", "4\nN\n", 0.001)], [{"event": "collect", "seat": 0}])
    (egg,) = effects(step, [0.3], [0.4])
    assert (egg.kind, egg.what) == ("points", "eggs")
    assert list(effects(step, [0.0], [0.0])) == [], "a player of the house is not ranked"
    assert meaning("4\nA\n", events=[{"event": "destroy", "seat": 0}]) == [(0, "destroyed an egg (stance A)", None)]
