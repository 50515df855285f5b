"""Processes as players: every program of tests/programs gets the verdict that the catalogue promises, and leaves nothing.

The catalogue is referee/players/README.md; its rows are the parameters here.
"""

import os
import re
from pathlib import Path

import pytest
from catalogue import entries, says

import referee.players
from referee.text.words import harmless

pytestmark = pytest.mark.machine

CATALOGUE = Path(referee.players.__file__).with_name("README.md")
HERE = Path(__file__).parent
BOTS = HERE.parent / "programs"
SHARED = "asked"

# Special needs of some programs.
READY = {"speaks_first": "before", "daemon_plays_on": "before", "answers_again_later": "behind"}
REQUEST_FILLS_THE_PIPE = {"never_reads": 300, "answers_unread": 300}
LEAVES = {
    "leaves_children": 3,
    "leaves_daemon": 1,
    "leaves_dead_daemon": 1,
    "daemon_holds_output": 1,
    "daemon_plays_on": 1,
}


@pytest.mark.parametrize("row", entries(CATALOGUE), ids=lambda row: row.program)
async def test_verdict(row, contest):
    played = await contest(
        row.program,
        impatient=row.verdict == "timeout",
        size=REQUEST_FILLS_THE_PIPE.get(row.program, 8),
        ready=READY.get(row.program, ""),
    )
    played.assert_others_did_not_suffer()
    if row.verdict == "none":
        assert played.fault is None
        assert harmless(played.name) == row.words
    else:
        assert played.fault.kind == row.verdict
        assert says(row.words).fullmatch(played.fault.detail), played.fault.detail


def test_every_program_is_in_the_catalogue_and_every_row_has_its_test():
    assert sorted(row.program for row in entries(CATALOGUE)) == sorted(
        path.stem for path in BOTS.glob("*.py") if path.stem != SHARED
    )
    assert {row.verdict for row in entries(CATALOGUE)} == {"none", "exit", "timeout", "overflow", "invalid"}
    tests = set(re.findall(r"def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py"))))
    assert {row.test for row in entries(CATALOGUE)} <= tests
    assert {
        row.program for row in entries(CATALOGUE) if row.test == "test_processes_that_a_program_leaves_are_killed"
    } == set(LEAVES)


@pytest.mark.parametrize("program", LEAVES)
async def test_processes_that_a_program_leaves_are_killed(program, contest, told_children):
    played = await contest(program, ready=READY.get(program, ""))
    children = told_children(played.culprit)
    assert len(children) == LEAVES[program], "the program left its children"
    for pid in children:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_both_ends_of_a_log_are_kept(contest):
    played = await contest("floods_log")
    log = played.culprit.log
    assert log.total == 4 * 160 * 65536
    assert len(log.both_ends()) < 2 * 32 * 1024 + 100
    assert log.last_lines(1)[0].endswith("x")
