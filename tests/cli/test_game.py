"""`referee game`: whether a game keeps the contract, its figures, and its golden record."""

import json
from pathlib import Path

import pytest
from cli.conftest import Shell

from referee.saved.record import load
from referee.saved.replay import verify
from referee.testing.recording import _Match

pytestmark = pytest.mark.machine

RECORD = Path(__file__).parents[1] / "records" / "viper.jsonl"


def test_a_game_that_keeps_the_contract(referee: Shell):
    ran = referee("game", "check", "viper", "--matches=2", code=0)
    assert "ok        same-seed: The same seed and the same answers give the same match" in ran.out
    assert "left out  house: the game has no players of the house" in ran.out
    assert "2 matches of random answers" in ran.out
    assert "100% ended by the rules" in ran.out
    assert ran.out.splitlines()[-1].startswith("viper: ok ")
    assert "failed" not in ran.out
    quiet = referee("game", "check", "viper", "--matches=0", "-q").out.split("\n")
    assert [line for line in quiet if line] == ran.out.splitlines()[-1:]


def test_a_record_that_does_not_follow_from_the_rules_is_one_failure(referee: Shell):
    wrong = RECORD.read_text().replace('"event":"bite"', '"event":"byte"', 1)
    (referee.folder / "wrong.jsonl").write_text(wrong)
    ran = referee("game", "check", "viper", "--record=wrong.jsonl", "--matches=0", code=1)
    (failed,) = [number for number, line in enumerate(ran.out.splitlines()) if line.startswith("FAILED")]
    assert "golden-record: The golden record verifies with these rules" in ran.out.splitlines()[failed]
    assert "line " in ran.out.splitlines()[failed + 1]
    assert "readme-events" in next(line for line in ran.out.splitlines() if line.startswith("not run"))


def test_a_record_of_many_kinds_of_events_is_written_and_the_same_again(referee: Shell):
    ran = referee.ok("game", "record", "viper", "-o", "new.jsonl")
    assert "new.jsonl: " in ran.out
    assert "disqualified" in ran.out
    record = load(referee.folder / "new.jsonl")
    assert verify(record)
    shown = {event["event"] for step in record.steps for event in step.events}
    assert set(ran.out.strip().partition(", with ")[2].split(", ")) == shown
    first = (referee.folder / "new.jsonl").read_bytes()
    assert "new.1.jsonl" in referee("game", "record", "viper", "-o", "new.jsonl").err
    assert (referee.folder / "new.jsonl").read_bytes() == first
    missing = {"order", "move", "bite", "eaten", "skip", "named", "disqualified"} - shown
    assert ("not in it: " + ", ".join(sorted(missing)) in ran.err) == bool(missing)


def test_a_match_with_a_fault_is_recorded_although_a_fault_ends_it_before_other_events():
    failed = _Match(b"{}", 5, {"named", "move", "disqualified"}, has_fault=True)
    longer, poorer = failed._replace(content=b"{}{}"), failed._replace(content=b"", kinds={"named", "disqualified"})
    whole = _Match(b"", 9, {"named", "move", "capture", "won"}, has_fault=False)
    best = max(whole, longer, poorer, failed, key=lambda match: match.merit)
    assert best is failed, "`game check` refuses a record without a fault"


def test_mistakes_of_the_user(referee: Shell):
    assert "no game is called" in referee("game", "check", "vipre", code=2).err
    referee("game", "check", "viper", "--matches=-1", code=2)


def test_json_of_a_game_that_fails(referee: Shell):
    (referee.folder / "wrong.jsonl").write_text("nothing\n")
    ran = referee("game", "check", "viper", "--record=wrong.jsonl", "--matches=0", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["passed"], document["figures"]) == (1, False, None)
    assert [check["name"] for check in document["checks"] if check["outcome"] == "failed"] == ["golden-record"]
