"""`referee verify`, `state` and `replay` on good and bad saved games."""

import json
import re

import pytest

from referee.files import assets

pytestmark = pytest.mark.machine

GOLDEN = assets.folder("maps").parent / "tests" / "records" / "snakecore.jsonl"


@pytest.fixture
def saved(referee, walker):
    """The lines of a finished match, which is saved in a.jsonl."""
    bots = [walker("Wanda", "DDRRUULLN"), walker("Otto", "UULLDDRRA")]
    referee.ok("play", *bots, "--map", "duel", "--rounds", "10", "--seed", "5", "-o", "a.jsonl")
    return (referee.folder / "a.jsonl").read_text().splitlines(keepends=True)


def test_a_complete_match_verifies(referee, saved):
    assert referee.ok("verify", "a.jsonl", err="").out == "a.jsonl: ok, snakecore, 22 steps, rounds\n"


def test_a_defect_is_one_line(referee, saved):
    """`tests/saved` has all defects."""
    (referee.folder / "a.jsonl").write_text("".join(saved).replace('"answer":"D"', '"answer":"N"', 1))
    ran = referee("verify", "a.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert re.fullmatch(r"a\.jsonl, line \d+: events: by the rules \{.*\}, the file says \{.*\}\n", ran.err), ran.err


def test_a_bad_file_does_not_hide_a_good_one(referee, saved):
    (referee.folder / "b.jsonl").write_text("nonsense\n")
    ran = referee("verify", "b.jsonl", "a.jsonl", "absent.jsonl", "--json", code=1)
    assert [(line["file"], line["ok"]) for line in json.loads(ran.out)] == [
        ("b.jsonl", False), ("a.jsonl", True), ("absent.jsonl", False),
    ]  # fmt: skip


def test_a_match_with_other_random_draws_is_accepted_and_refused_by_strict(referee):
    referee.ok("play", "collector", "courier", "--map", "duel", "--rounds", "40", "-s", "5", "-o", "a.jsonl")
    text = (referee.folder / "a.jsonl").read_text()
    assert '"event":"return"' in text
    referee.ok("verify", "--strict", "a.jsonl")
    (referee.folder / "a.jsonl").write_text(text.replace('"rng_seed":5', '"rng_seed":6', 1))
    lenient = referee.ok("verify", "a.jsonl")
    assert lenient.out.endswith("; its random choices are not those of this referee\n")
    strict = referee("verify", "--strict", "a.jsonl", code=1)
    first = next(number for number, line in enumerate(text.splitlines(), 1) if '"event":"return"' in line)
    assert strict.err.startswith(f"a.jsonl, line {first}: events: by the rules ")
    assert strict.err.endswith(f"; the random choices are not the seed's from line {first} on\n")


def test_a_truncated_match_can_be_viewed(referee, saved):
    (referee.folder / "a.jsonl").write_text("".join(saved[:9]) + saved[9][:20])
    ran = referee.ok("replay", "a.jsonl")
    assert "the last line is cut off; it has 8 whole steps" in ran.err
    assert ran.out.splitlines()[0].endswith("step 8/8, over: interrupted")
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
    assert "there is no step 23" in referee("state", "a.jsonl", "--step", "23", code=2).err


@pytest.fixture
def broken(referee):
    """A saved game with a step 20 that does not follow from the rules."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines(keepends=True)
    step = json.loads(lines[20])
    assert step["step"] == 20
    step["events"].append({"event": "wait", "seat": 0})
    lines[20] = json.dumps(step) + "\n"
    (referee.folder / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    return "a.jsonl"


@pytest.mark.parametrize("command", ["state", "replay"])
def test_steps_before_one_that_breaks_the_rules_are_shown(referee, broken, command):
    before = referee.ok(command, broken, "--step", "19")
    assert before.err.startswith("referee: this saved game does not follow from the rules: a.jsonl, line 21: ")
    assert "which the rules do not give" in referee(command, broken, code=2).err


def test_a_wrong_result_is_reported_in_full(referee):
    text = GOLDEN.read_text(encoding="utf-8").replace('"digest":"', '"digest":"0')
    (referee.folder / "a.jsonl").write_text(text, encoding="utf-8")
    ran = referee.ok("state", "a.jsonl")
    assert "does not follow from the rules: a.jsonl, line" in ran.err
    assert "the digest of the final position is" in ran.err
