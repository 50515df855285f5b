"""A match is void if a stall of the machine spoils a request."""

import json

import pytest

from referee.cli import exit_codes
from referee.players.fairness import HostStalled, Stall
from referee.players.policy import PolicyPlayer
from referee.saved.record import load

pytestmark = pytest.mark.machine


@pytest.fixture
def spoiled(monkeypatch, tmp_path):
    """A stall of the machine spoils the third request to seat 2; the value is the current folder."""
    asked = []
    answer = PolicyPlayer.at_once

    async def stall(self, request, clock):
        asked.append(request.seat)
        if asked.count(1) == 3:
            raise HostStalled(1, Stall(0.5, 1.0))
        return answer(self, request, clock)

    monkeypatch.setattr(PolicyPlayer, "at_once", lambda *_: None)
    monkeypatch.setattr(PolicyPlayer, "ask", stall)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_of_a_void_match_is_one_object_with_the_cause(spoiled, capsys):
    code = exit_codes.run(["play", "Al=cobra", "asp", "--game=ava", "--seed=3", "-o", "a.jsonl", "--json"])
    out, err = capsys.readouterr()
    assert code == 1
    report = json.loads(out)
    assert (report["reason"], report["game"], report["seed"]) == ("void", "ava", 3)
    assert report["steps"] == len(load("a.jsonl").steps) > 2
    assert report["why"] == err.removeprefix("referee: ").removesuffix("\n")
    assert report["why"].startswith("the match is void: seat 2 had to answer within 1 s")
    assert report["saved"].endswith("a.jsonl")
    assert " --seed=3" in report["again"]
    assert {player["bot"] for player in report["players"]} == {"Al", "Asp"}
    assert [player["rank"] for player in report["players"]] == [None, None]
    result = load("a.jsonl").result
    assert (result.reason, [line.rank for line in result.ranking]) == ("void", [1, 1])


def test_without_json_a_void_match_prints_only_its_error(spoiled, capsys):
    assert exit_codes.run(["play", "cobra", "asp", "--game=ava", "--seed=3", "-o", "a.jsonl"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "the match so far is in a.jsonl\n" in err
