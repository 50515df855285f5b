"""The golden record of Ants contains everything that can happen in a game."""

from __future__ import annotations

from pathlib import Path

from games.ants.drawing import A, B, C

from referee.contract.game import FaultKind
from referee.saved.record import load
from referee.saved.replay import Replay

RECORDS = Path(__file__).parents[2] / "records"
GOLDEN = RECORDS / "ants.jsonl"


def test_every_event_is_in_the_record() -> None:
    events = [event for step in load(GOLDEN).steps for event in step.events]
    assert {event["event"] for event in events} == {
        "named", "unit", "born", "move", "bite", "drop", "take", "put", "void", "disqualified",
    }  # fmt: skip
    assert {event["seat"]: event["name"] for event in events if event["event"] == "named"} == {
        A: "Trail", B: "Муравей", C: "",
    }  # fmt: skip
    assert {event["why"] for event in events if event["event"] == "disqualified"} == {FaultKind.TIMEOUT}
    assert any(event["event"] == "bite" and event["seat"] > event["victim"][0] for event in events)
    assert any(event["event"] == "bite" and event["seat"] < event["victim"][0] for event in events)


def test_random_victims_and_repeated_bites_are_in_the_record() -> None:
    """One bite hits a cell with several able ants. Another hits an ant that is already disabled."""
    record = load(GOLDEN)
    replay = Replay(record)
    several = back = 0
    for number, step in enumerate(record.steps):
        bites = [event for event in step.events if event["event"] == "bite"]
        for event in bites:
            teams = replay.state_at(number).position()["teams"]
            seat, ant = event["victim"]
            at = teams[seat][ant]["at"]
            there = [ant for s, team in enumerate(teams) for ant in team if ant["at"] == at and s != event["seat"]]
            several += sum(not ant["disabled"] for ant in there) > 1
            back += all(ant["disabled"] for ant in there)
    assert several
    assert back


def test_bites_of_a_disqualified_team_are_in_the_record() -> None:
    steps = load(GOLDEN).steps
    last = next(k for k, step in enumerate(steps) if any(event["event"] == "disqualified" for event in step.events))
    assert any(event.get("victim", [None])[0] == C for step in steps[last:] for event in step.events)
