"""`referee play --forfeit`: a bot that cannot be built or started is disqualified, and the others play."""

import json
import os
import zipfile
from pathlib import Path

import pytest
from cli.conftest import Ran, Shell

from referee import games
from referee.bots import samples

pytestmark = pytest.mark.machine

QUICK = ("--map", "crossroads", "--rounds", "2", "--seed", "1")


@pytest.fixture
def here(referee: Shell) -> Path:
    """The folder of the shell, with bots that cannot play: `eel` is not built, `fifo` not started, `typo` not even read."""
    for name, file, text in (
        ("eel", "eel.c", "int main(void) { return serpent; }\n"),
        ("fifo", "main.py", "print()\n"),
        ("typo", "bot.toml", 'nmae = "Typo"\n'),
    ):
        (referee.folder / name).mkdir()
        (referee.folder / name / file).write_text(text)
    os.mkfifo(referee.folder / "fifo" / "pipe")
    with zipfile.ZipFile(referee.folder / "eve.zip", "w") as file:
        file.writestr("../up.py", "")
    return referee.folder


def refused(ran: Ran) -> str:
    """The last line of a command that ended with exit code 4."""
    assert (ran.code, ran.out) == (4, "")
    return ran.err.splitlines()[-1]


def test_the_others_play_and_the_result_says_what_the_compiler_said(referee, here):
    ran = referee.ok("play", "eel", "random", "courier", *QUICK, "--forfeit", "-o", "a.jsonl")
    assert "eel forfeits: bot eel cannot be built: gcc" in ran.err
    _, table, notes = ran.out.partition("disqualified: exit")
    assert table
    assert "seat 1, eel: exit: did not start: bot eel cannot be built: gcc" in notes
    assert "the build said:\n" in notes
    assert "error: ‘serpent’ undeclared" in notes
    assert "  what to change: Correct the first error" in notes
    assert "  check it: referee check eel\n" in notes
    assert "ask it again" not in notes
    referee.ok("verify", "a.jsonl")
    referee.ok("replay", "a.jsonl")


def test_the_fault_is_the_answer_to_the_first_request_and_costs_no_time(referee, here):
    referee.ok("play", "random", "eel", "courier", *QUICK, "--forfeit", "-o", "a.jsonl")
    _, *played, _ = referee.saved("a.jsonl")
    [answer] = played[1]["answers"]
    detail = answer.pop("detail")
    assert (played[1]["ask"], answer) == ("getName", {"seat": 1, "answer": None, "ms": 0.0, "fault": "exit"})
    assert detail.startswith("did not start: bot eel cannot be built: gcc")
    assert str(referee.cache) not in detail, "a saved game is for others too"
    assert [entry["ask"] for entry in played[3:]] == ["getAction"] * 4


@pytest.mark.parametrize("bot", ["fifo", "typo", "eve.zip"])
def test_a_bot_that_cannot_be_read_or_started_forfeits_too(referee, here, bot):
    ran = referee.ok("play", bot, "random", "courier", *QUICK, "--forfeit", "-o", "a.jsonl")
    assert "did not start: " in ran.out


@pytest.mark.parametrize("game", games.names())
def test_it_costs_the_match_in_every_game(referee, here, game):
    words = ["play", "--game", game, "typo", "--forfeit", "--rounds=2", "--isolation=none", "--seed=1", "-o", "a.jsonl"]
    referee.ok(*words, *samples(game, own_runtime=True)[:2])
    referee.ok("verify", "a.jsonl")
    _, *steps, result = referee.saved("a.jsonl")
    assert {line["seat"]: line["disqualified"] for line in result["ranking"]}[0] == "exit"
    assert sum(answer["seat"] == 0 for step in steps for answer in step["answers"]) == 1


def test_json_says_why(referee, here):
    ran = referee.ok("play", "eel", "random", "courier", *QUICK, "--forfeit", "--json", err="")
    [eel] = [player for player in json.loads(ran.out)["players"] if player["seat"] == 0]
    assert (eel["bot"], eel["disqualified"], eel["failures"], eel["failed_at"]) == ("eel", "exit", 1, 1)
    assert eel["detail"].startswith("did not start: bot eel cannot be built: gcc")


@pytest.mark.parametrize("bot", ["eel", "fifo"])
def test_without_it_no_match_begins(referee, here, bot):
    refused(referee("play", bot, "random", "courier"))
    assert list(here.glob("*.jsonl*")) == []


@pytest.mark.parametrize("word", ["nobody", "cmd:nobody", "~nobody/x", "x" * 5000, "a\x1b"])
def test_a_word_that_leads_to_no_bot_is_refused_all_the_same(referee, here, word):
    refused(referee("play", word, "random", "courier", "--forfeit"))


def test_the_house_is_not_left(referee, here):
    refusal = refused(referee("play", "--game=egghunt", "typo", "--forfeit"))
    assert refusal.startswith("referee: typo/bot.toml: name: missing")
