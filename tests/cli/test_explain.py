"""`referee explain` as users call it. The commands that it quotes work when they are pasted into a shell."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Shell

pytestmark = pytest.mark.machine

RECORDS = Path(__file__).parents[1] / "records"


def quoted(text: str) -> list[list[str]]:
    """The words of the commands in a text, without the program."""
    return [shlex.split(line)[1:] for line in re.findall(r": (referee \w.*)$", text, re.MULTILINE)]


@pytest.fixture
def lost(referee: Shell, walker: Any) -> str:
    """A match in which a sample bot beats one that answers nonsense, in a file with a blank in its name."""
    match = ("play", "guard", str(walker("Wanda", "RRDN?")), "--map=duel", "--rounds=8", "--seed=2", "--isolation=none")
    referee.ok(*match, "-q", "-o", "the last.jsonl")
    return "the last.jsonl"


def test_the_quoted_commands_work(referee: Shell, lost: str):
    commands = quoted(referee.ok("explain", lost, err="").out)
    assert {words[0] for words in commands} == {"replay", "ask"}
    for words in [words for words in commands if words[0] == "replay"][:2]:
        assert f"step {words[-1]}/" in referee(*words).out.splitlines()[0]
    asked = next(words for words in commands if words[:2] == ["ask", "guard"])
    assert referee.ok(*asked, "--isolation=none").out.startswith(f"step {asked[-1]}, ")


def test_the_bot_of_a_user_has_a_placeholder(referee: Shell, lost: str):
    out = referee("explain", lost, "--seat", "2").out
    fault = next(words for words in quoted(out) if words[0] == "ask")
    assert fault[:2] == ["ask", "BOT"]
    assert out.splitlines()[-1].startswith("BOT stands for the bot of that seat")
    assert "invalid after" in out
    assert "Seat 2 Wanda: rank 2 of 2" in out
    assert "Seat 1" not in out


def test_without_a_file_it_explains_the_last_match(referee: Shell):
    referee("explain", code=2)
    referee.ok("play", "--game=viper", "newt", "krait", "--rounds=20", "--seed=3", "-q")
    out = referee("explain").out
    assert out.startswith("ViPER: ")
    first = quoted(out)[0]
    assert first[:2] == ["replay", "--step"]
    referee.ok(*first)


def test_text_in_ascii(referee: Shell):
    shutil.copy(RECORDS / "egghunt.jsonl", referee.folder / "a.jsonl")
    assert "Зайка" in referee("explain", "a.jsonl").out
    assert referee("explain", "a.jsonl", "--ascii").out.isascii()


def test_a_seat_that_is_not_ranked(referee: Shell):
    shutil.copy(RECORDS / "egghunt.jsonl", referee.folder / "a.jsonl")
    for seat in ("0", "7", "99"):
        refusal = referee.refused("explain", "a.jsonl", "--seat", seat)
        assert refusal == f"seat {seat} is not ranked in a.jsonl: the ranked seats are 1, 2, 3, 4"


def test_a_match_that_is_cut_off(referee: Shell):
    lines = (RECORDS / "snakecore.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for count, where in ((1, "before the first step"), (60, "step 59")):
        (referee.folder / "a.jsonl").write_text("".join(lines[:count]), encoding="utf-8")
        assert f"{where} (interrupted): " in referee.ok("explain", "a.jsonl").out
