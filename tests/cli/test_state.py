"""`referee state`: a position of a saved game, with or without the memories of its players."""

import json
import shutil

import pytest

pytestmark = pytest.mark.machine

GARDEN = {
    "field": ["########", "#      #", "#      #", "########"], "eggs": [[6, 1], [6, 2]], "players": [[1, 1], [1, 2]],
    "turns": 6,
}  # fmt: skip
KEEPS = """\
import sys

lines = sys.stdin.read().splitlines()
print(9, "N", lines[5] + "NOTE", sep="\\n")
"""


@pytest.fixture
def hunted(referee, store):
    """A match in a.jsonl of a.py and b.py: both wait, and add an `a` or a `b` to their memory each turn."""
    (referee.folder / "garden.json").write_text(json.dumps(GARDEN))
    for note in "ab":
        (referee.folder / f"{note}.py").write_text(KEEPS.replace("NOTE", note))
    match = store / "hunt.jsonl"
    if not match.exists():
        referee.ok("play", "a.py", "b.py", "--game=egghunt", "--setup", "garden.json", "-s", "7", "-o", match, "-q")
    shutil.copy(match, referee.folder / "a.jsonl")
    return referee.folder


def memories(ran):
    """The memories in a printed position."""
    assert ran.code == 0, ran.err
    return json.loads(ran.out)["memory"]


def test_forget_clears_the_memory_of_a_seat(referee, hunted):
    assert memories(referee("state", "a.jsonl", "--step", "2")) == ["aa", "bb"]
    assert memories(referee("state", "a.jsonl", "--forget", "2", "--forget", "1", "--step", "3")) == ["", ""]
    whole, cut = (json.loads(referee("state", "a.jsonl", *words).out) for words in ([], ["--forget", "2"]))
    assert cut == {**whole, "memory": ["a" * 6, ""]}


def test_forget_changes_nothing_in_a_game_without_memories(referee, pair):
    referee.ok("play", *pair, "--map", "duel", "--rounds", "1", "-o", "a.jsonl", "-q")
    assert referee("state", "a.jsonl", "--forget", "1").out == referee("state", "a.jsonl").out


@pytest.mark.parametrize(("words", "says"), [
    (["--forget", "3"], "there is no seat 3: a.jsonl has seats 1 to 2"),
    (["--forget", "0"], "there is no seat 0: a.jsonl has seats 1 to 2"),
    (["--step", "-1"], "there is no step -1: a.jsonl has steps 0 to 6"),
])  # fmt: skip
def test_unknown_seats_and_steps_are_errors(referee, hunted, words, says):
    ran = referee("state", "a.jsonl", *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"referee: {says}\n")


def test_ask_uses_the_memory_of_the_bot_and_its_commands_forget_the_others(referee, hunted):
    assert " 0 differ, " in referee("ask", "a.py", "a.jsonl").out
    other = referee("ask", "b.py", "a.jsonl", "--seat", "1").out
    assert " 0 differ, " in other, "a difference in memory is not counted"
    ran = referee("ask", "b.py", "a.jsonl", "--seat", "1", "--step", "3")
    assert "\nbb\n" in ran.out, "its memory"
    cut, play = ran.err.splitlines()[-2:]
    assert cut == "referee state a.jsonl --step 2 --forget 1 > moment.json"
    assert play.startswith("referee play b.py ")
    own = referee("ask", "a.py", "a.jsonl", "--step", "3").err.splitlines()
    assert own[-3] == "referee state a.jsonl --step 2 --forget 2 > moment.json", "another bot replaces b"


def test_a_memory_in_the_setup_is_not_given_to_another_bot(referee, hunted):
    (hunted / "moment.json").write_text(referee("state", "a.jsonl", "--step", "2").out)
    referee.ok("play", "a.py", "b.py", "--game=egghunt", "--setup", "moment.json", "-s", "7", "-o", "c.jsonl", "-q")
    own, other = (referee("ask", bot, "c.jsonl", "--seat", "1", "--step", "1") for bot in ("a.py", "b.py"))
    assert "\naa\n" in own.out
    assert "\naa\n" not in other.out


def test_the_house_keeps_its_seats_in_a_continued_match(referee):
    (referee.folder / "a.py").write_text(KEEPS.replace("NOTE", "a"))
    pond = {**GARDEN, "players": [[1, 1], [1, 2], [2, 1], [2, 2]]}
    (referee.folder / "pond.json").write_text(json.dumps(pond))
    words = ["--game=egghunt", "--setup", "pond.json", "-s", "7", "-o", "a.jsonl", "-q"]
    referee.ok("play", "house", "a.py", "Max=house", *words)
    cut, play = json.loads(referee("ask", "a.py", "a.jsonl", "--step", "4", "-q", "--json").out)["play_on"]
    assert cut == "referee state a.jsonl --step 3 > moment.json"
    assert play == "referee play house a.py Max=house house --game=egghunt --setup moment.json --seed=7"
    (referee.folder / "moment.json").write_text(referee("state", "a.jsonl", "--step", "3").out)
    referee.ok(*play.split()[1:], "-o", "c.jsonl", "-q")
    assert referee.saved("a.jsonl")[-1]["digest"] == referee.saved("c.jsonl")[-1]["digest"], "the same match"
