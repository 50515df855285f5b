"""`referee verify`, `state` and `replay` on good and bad saved games."""

from __future__ import annotations

import json
import re

import pytest

pytestmark = pytest.mark.machine


@pytest.fixture
def saved(referee, walker):
    """The lines of a finished match, which is saved in a.jsonl."""
    bots = [walker("Wanda", "DDRRUULLN"), walker("Otto", "UULLDDRRA")]
    assert referee("play", *bots, "--map", "duel", "--rounds", "10", "--seed", "5", "-o", "a.jsonl").code == 0
    return (referee.folder / "a.jsonl").read_text().splitlines(keepends=True)


def test_a_complete_match_verifies(referee, saved):
    ran = referee("verify", "a.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "a.jsonl: ok, snakecore, 22 steps, rounds\n"


def changed_answer(lines):
    index = next(k for k, line in enumerate(lines) if '"answer":"D"' in line)
    lines[index] = lines[index].replace('"answer":"D"', '"answer":"N"')


def changed_digit(lines):
    index = next(k for k, line in enumerate(lines) if '"event":"skip","seat":' in line)
    lines[index] = re.sub(r'("event":"skip","seat":)(\d)', lambda m: m[1] + str(1 - int(m[2])), lines[index])


def cut_last_line(lines):
    lines[-1] = lines[-1][:40]


def last_line_missing(lines):
    lines.pop()


def empty_file(lines):
    lines.clear()


def changed_digest(lines):
    lines[-1] = re.sub(r'"digest":"\w', lambda m: m[0][:-1] + ("0" if m[0][-1] != "0" else "1"), lines[-1])


def out_of_turn(lines):
    lines[4], lines[5] = lines[5].replace('"step":5', '"step":4'), lines[4].replace('"step":4', '"step":5')


def no_header(lines):
    lines.pop(0)


def changed_setup(lines):
    header = json.loads(lines[0])
    header["setup"]["pythons"][1]["cells"] = header["setup"]["pythons"][0]["cells"]
    lines[0] = json.dumps(header) + "\n"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed_answer, r"a\.jsonl, line \d+: events: by the rules \{.*\}, the file says \{.*\}"),
        (changed_digit, r"a\.jsonl, line \d+: events: by the rules \{.*\}, the file says \{.*\}"),
        (cut_last_line, r"a\.jsonl, line 24: line 24 is cut off: the match is incomplete"),
        (
            last_line_missing,
            r"a\.jsonl, line 24: the last line, the result, is missing: the match is incomplete",
        ),
        (empty_file, r"a\.jsonl: the file is empty"),
        (changed_digest, r"a\.jsonl, line 24: the digest of the final position is \w{64}, the file says \w{64}"),
        (out_of_turn, r"a\.jsonl, line 5: an answer out of turn: getAction of seat 1 was due, not getAction of seat 0"),
        (no_header, r"a\.jsonl, line 1: the header is missing"),
        (changed_setup, r"a\.jsonl, line 1: setup: .*two things on the cell"),
    ],
)
def test_each_defect_of_a_file_has_its_own_message(referee, saved, change, words):
    change(saved)
    (referee.folder / "a.jsonl").write_text("".join(saved))
    ran = referee("verify", "a.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert re.fullmatch(words + r"[^\n]*\n", ran.err), ran.err


def test_a_bad_file_does_not_hide_a_good_one(referee, saved):
    (referee.folder / "b.jsonl").write_text("nonsense\n")
    ran = referee("verify", "b.jsonl", "a.jsonl", "absent.jsonl", "--json")
    assert ran.code == 1
    assert [(line["file"], line["ok"]) for line in json.loads(ran.out)] == [
        ("b.jsonl", False), ("a.jsonl", True), ("absent.jsonl", False),
    ]  # fmt: skip


def test_a_match_with_other_random_draws_is_accepted_and_refused_by_strict(referee):
    assert (
        referee("play", "collector", "courier", "--map", "duel", "--rounds", "40", "-s", "5", "-o", "a.jsonl").code == 0
    )
    text = (referee.folder / "a.jsonl").read_text()
    assert '"event":"return"' in text
    assert referee("verify", "--strict", "a.jsonl").code == 0
    (referee.folder / "a.jsonl").write_text(text.replace('"rng_seed":5', '"rng_seed":6', 1))
    lenient = referee("verify", "a.jsonl")
    assert lenient.code == 0
    assert lenient.out.endswith("; its random choices are not those of this referee\n")
    strict = referee("verify", "--strict", "a.jsonl")
    assert strict.code == 1
    assert "the random choices are not those that this referee draws" in strict.err


def test_verify_needs_a_file(referee):
    assert referee("verify").code == 2


def test_a_truncated_match_can_be_viewed(referee, saved):
    (referee.folder / "a.jsonl").write_text("".join(saved[:9]) + saved[9][:20])
    ran = referee("replay", "a.jsonl")
    assert ran.code == 0
    assert "line 10 is cut off; it has 8 whole steps" in ran.err
    assert "Wanda" in ran.out
    assert json.loads(referee("state", "a.jsonl").out)["round"] == 4


def test_state_prints_any_position_as_a_setup(referee, saved):
    header = json.loads(saved[0])
    assert json.loads(referee("state", "a.jsonl", "--step", "0").out) == header["setup"]
    last = json.loads(referee("state", "a.jsonl").out)
    assert (last["round"], last["seat"]) == (11, 0)
    middle = referee("state", "a.jsonl", "--step", "5").out
    assert json.loads(middle)["seat"] == 1
    assert len(middle.splitlines()) > 11  # each row of the field is on a separate line, for editing by hand
    beyond = referee("state", "a.jsonl", "--step", "23")
    assert beyond.code == 2
    assert "there is no step 23" in beyond.err


def test_replay_into_a_pipe_is_plain_text(referee, saved):
    ran = referee("replay", "a.jsonl", "--step", "0", environ={"TERM": "xterm-256color"})
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert len([line for line in ran.out.splitlines() if "1o" in line or "2o" in line]) >= 1
    assert referee("replay", "a.jsonl", "--step", "99").code == 2
    assert referee("replay", "absent.jsonl").code == 2


def test_replay_without_a_file_takes_the_last_match(referee, walker):
    nothing = referee("replay")
    assert nothing.code == 2
    assert "no match has been played yet" in nothing.err
    assert referee("play", walker("Solo", "N"), "--map", "duel", "--rounds", "1").code == 0
    assert "Solo" in referee("replay").out
