"""The golden record of SnakeCore contains everything that can happen in a game."""

from __future__ import annotations

from pathlib import Path

from games.snakecore.drawing import A, B, C, D

from referee.contract.game import FaultKind
from referee.saved.record import load
from referee.saved.replay import KEEP_EVERY

RECORDS = Path(__file__).parents[2] / "records"
GOLDEN = RECORDS / "snakecore.jsonl"


def test_every_event_and_every_reason_to_skip_is_in_the_record() -> None:
    events = [event for step in load(GOLDEN).steps for event in step.events]
    assert {event["event"] for event in events} == {
        "named", "move", "wait", "eat", "bite", "deliver", "shield", "skip", "return", "disqualified",
    }  # fmt: skip
    assert {event["why"] for event in events if event["event"] == "skip"} == {
        "edge", "wall", "head", "tail", "shield", "no-energy",
    }  # fmt: skip
    assert {event["kind"] for event in events if event["event"] == "return"} == {"b", "e"}
    assert {event["seat"] == event["victim"] for event in events if event["event"] == "bite"} == {True, False}
    assert any(event["event"] == "deliver" and event["length"] == 0 for event in events)
    assert any(event["event"] == "deliver" and event["length"] > 2 for event in events)
    assert {event["seat"]: event["name"] for event in events if event["event"] == "named"} == {
        A: "Greedy", B: "Питон", C: "", D: "Ёж",
    }  # fmt: skip
    assert {event["why"] for event in events if event["event"] == "disqualified"} == {FaultKind.TIMEOUT}


def test_the_record_is_long_enough_for_cached_states() -> None:
    assert len(load(GOLDEN).steps) > 2 * KEEP_EVERY
