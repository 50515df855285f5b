"""The golden record of the egg hunt contains everything that can happen in a match."""

from __future__ import annotations

from pathlib import Path

from referee.saved.record import load
from referee.saved.replay import Replay

RECORDS = Path(__file__).parents[2] / "records"
GOLDEN = RECORDS / "egghunt.jsonl"


def test_every_event_and_every_kind_of_fight_is_in_the_record() -> None:
    events = [event for step in load(GOLDEN).steps for event in step.events]
    assert {event["event"] for event in events} == {
        "named", "disqualified", "fight", "back", "to", "collect", "destroy", "run",
    }  # fmt: skip
    fights = {(min(len(event["seats"]), 3), event["winner"] is None) for event in events if event["event"] == "fight"}
    assert fights == {(2, True), (2, False), (3, True)}
    assert {event["seat"]: event["name"] for event in events if event["event"] == "named"} == {0: "Зайка", 2: "Ищейка"}


def test_a_fault_disqualifies_only_players_that_stay_for_the_match() -> None:
    record = load(GOLDEN)
    players = [(player.lifetime, player.house) for player in record.header.players]
    assert set(players) == {("game", False), ("turn", False), ("turn", True)}
    faults = {answer.seat: answer.fault for step in record.steps for answer in step.answers if answer.fault}
    assert faults == {1: "exit", 2: "timeout"}
    assert record.result is not None
    assert {line.seat: line.disqualified for line in record.result.ranking} == {0: None, 1: None, 2: "timeout", 3: None}


def test_a_disqualified_player_is_in_later_runs_without_answers() -> None:
    record = load(GOLDEN)
    (out,) = [step.step for step in record.steps for event in step.events if event["event"] == "disqualified"]
    (last,) = [
        step.step for step in record.steps for event in step.events if event["event"] == "run" and event["run"] == 3
    ]
    assert out < last
    assert all(answer.seat != 2 for step in record.steps[out:] for answer in step.answers)
    assert Replay(record).state_at(last).position()["disqualified"][2] == "timeout"


def test_a_replay_seeks_back_and_forth_across_runs() -> None:
    replay = Replay(load(GOLDEN))
    there = [replay.state_at(number).position() for number in (5, 60, 98)]
    assert [replay.state_at(number).position() for number in (98, 60, 5)] == there[::-1]
    assert [position["run"] for position in there] == [1, 2, 3]
