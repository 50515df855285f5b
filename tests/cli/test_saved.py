"""Commands report a defect of a saved game exactly once."""

from __future__ import annotations

import json

import pytest

from referee.files import assets

pytestmark = pytest.mark.machine

GOLDEN = assets.folder("maps").parent / "tests" / "records" / "snakecore.jsonl"


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


FROM_THERE = "from step 20 on this saved game does not follow from the rules"


@pytest.mark.parametrize("command", ["state", "replay"])
def test_a_step_that_breaks_the_rules_is_reported_once(referee, broken, command):
    ran = referee(command, broken)
    assert ran.code == 2
    assert FROM_THERE in ran.err
    assert ran.err.count("which the rules do not give") == 1
    assert len(ran.err.splitlines()) == 2
    before = referee(command, broken, "--step", "19")
    assert before.code == 0
    assert before.err.splitlines()[0].count(FROM_THERE) == 1
    assert "which the rules do not give" not in before.err


def test_a_wrong_result_is_reported_in_full(referee):
    text = GOLDEN.read_text(encoding="utf-8").replace('"digest":"', '"digest":"0')
    (referee.folder / "a.jsonl").write_text(text, encoding="utf-8")
    ran = referee("state", "a.jsonl")
    assert ran.code == 0
    assert "does not follow from the rules: a.jsonl, line" in ran.err
    assert "the digest of the final position is" in ran.err
