"""Players that abuse the protocol, in matches at level full: they get the verdict of the table, and no other player
suffers."""

import os
import re
from pathlib import Path

import pytest
from catalogue import entries, says
from contests import IMPATIENT, PATIENT, contest
from hostile.catalogue import HERE, abusers
from hostile.conftest import PYTHON

import referee.players
from referee.contract.clock import TimeControl
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program
from referee.text.words import harmless

PLAYERS = HERE / "players"
ROWS = abusers()
SMALL, LARGE, HASTE = Limits(memory=64 * MIB), Limits(memory=512 * MIB), Limits(cpu=1)
IN_HASTE = {"uses_up_its_time.c", "spins_past_the_warning.c"}
REQUEST_FILLS_THE_PIPE = {"never_reads", "answers_unread"}
BUSY = TimeControl(first=45.0, answer=45.0, total=0.3, kind="cpu")
"""For programs that compute all the time: on a busy machine, wall time alone would not be their fault."""
COMPUTES = {"spins.c", "spins_in_all_threads.c"}
WITHOUT_PONDERING = {"jumps_the_queue.c"}

# The programs of tests/programs and their verdicts; `DIFFERENT` has those that a cell changes.
BARE = HERE.parent / "programs"
CATALOGUE = Path(referee.players.__file__).with_name("README.md")
REFUSED = ("exit", "exited with status 1")
DIFFERENT = {
    "daemon_holds_output": REFUSED,
    "killed": REFUSED,
    "leaves_children": REFUSED,
    "leaves_daemon": REFUSED,
    "leaves_dead_daemon": REFUSED,
    "stops_itself": REFUSED,
}
WITH_THEIR_OWN_TEST = {"answers_again_later", "daemon_plays_on", "speaks_first", "thinks"}
"""Their tests wait for them, or stop the referee."""


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def assert_verdict(played, verdict, words):
    played.assert_others_did_not_suffer()
    kind, detail = ("none", "") if played.fault is None else (played.fault.kind, played.fault.detail)
    assert kind == verdict, detail
    assert says(words).fullmatch(detail), detail
    assert all(is_gone(pid) for pid in played.pids if pid is not None)


async def played_by(culprit, honest, limits=None, **how):
    """A match at level full."""
    with open_sandbox(Level.FULL, limits) as sandbox:
        return await contest(sandbox, culprit, honest, **how)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.program)
async def test_verdict(row, bot):
    name, kind = row.program.split(".")
    small = kind in ("c", "py") and not name.startswith("freezes")
    played = await played_by(
        bot(PLAYERS / row.program),
        bot(PLAYERS / "honest.c"),
        HASTE if row.program in IN_HASTE else SMALL if small else LARGE,
        time=BUSY if row.program in COMPUTES else IMPATIENT if row.verdict == "timeout" else PATIENT,
        pondering=row.program not in WITHOUT_PONDERING,
        size=300 if name in REQUEST_FILLS_THE_PIPE else 8,
    )
    assert_verdict(played, row.verdict, row.words)


def test_every_player_has_a_row():
    assert sorted(row.program for row in ROWS) == sorted(
        path.name for path in PLAYERS.iterdir() if path.suffix in (".c", ".py", ".java", ".js")
    )


def verdicts():
    """(program, verdict, words) of referee/players/README.md, in a cell; no words if there is no fault."""
    rows = []
    for _, program, verdict, words, _ in entries(CATALOGUE):
        verdict, words = DIFFERENT.get(program, (verdict, "" if verdict == "none" else words))
        if program not in WITH_THEIR_OWN_TEST:
            rows.append((program, verdict, words))
    return rows


@pytest.mark.parametrize(("program", "verdict", "words"), verdicts(), ids=lambda it: it if it.isidentifier() else "")
async def test_programs_of_the_catalogue_of_players(program, verdict, words, bot):
    played = await played_by(
        Program(program, [PYTHON, "-S", f"{program}.py"], BARE),
        bot(PLAYERS / "honest.c"),
        time=IMPATIENT if verdict == "timeout" else PATIENT,
        size=300 if program in REQUEST_FILLS_THE_PIPE else 8,
    )
    assert_verdict(played, verdict, words)


def test_every_different_program_is_in_the_catalogue():
    assert {program for program, _, _ in verdicts()} >= set(DIFFERENT)


async def test_authors_see_what_was_refused(bot):
    played = await played_by(bot(PLAYERS / "forks.py"), bot(PLAYERS / "honest.c"))
    assert "Operation not permitted" in played.culprit.last_words(1)[0]


async def test_a_log_that_imitates_the_referee_is_shown_without_control_characters(bot):
    played = await played_by(bot(PLAYERS / "speaks_for_the_referee.c"), bot(PLAYERS / "honest.c"))
    words = [harmless(line) for line in played.culprit.last_words(10)]
    assert any("referee: player 2 wins" in line for line in words), "it is shown"
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", "".join(words)), "and nothing else happens"
