"""Workers: where they run; and if they die, what ended them, and that the tournament goes on unless no worker ever answers."""

import os
import sys
from pathlib import Path

import pytest
import trio
from tournament.conftest import OPENING
from tournament.rehearsals import prepared, rehearsed

from referee.tournament import crew, worker_process
from referee.tournament.answers import TRIES
from referee.tournament.crew import HOPELESS, LocalCrew
from referee.tournament.runner import Stopped
from referee.tournament.running import RunningTournament
from referee.tournament.worker_process import WorkerProcess

pytestmark = pytest.mark.machine

MORTAL = f"""\
import json, os, sys
sys.path.append({str(Path(__file__).parents[2] / "scripts" / "benchmarks" / "programs")!r})
from instant_worker import row
sys.stdin.readline()
for line in sys.stdin:
    job = json.loads(line)
    if DIES:
        HOW
    print(json.dumps({{"row": row(job)}}), flush=True)
"""
KILLED = "os.kill(os.getpid(), 9)"
WHERE = """\
import json, os, sys
sys.stdin.readline()
for line in sys.stdin:
    print(json.dumps({"failed": str(os.sched_getaffinity(0))}), flush=True)
"""


def rehearse(folder: Path, dies: str, *, each: int = 1) -> tuple[tuple[int, int, int], list[str], str]:
    """Play with a worker that is killed if an expression of its job is true.

    Returns the counts of the ledger, why tries failed, and why the run stopped.
    """
    command = (sys.executable, "-c", MORTAL.replace("DIES", dies).replace("HOW", KILLED))
    stopped = ""
    with RunningTournament(prepared(folder, f"each = {each}", 4)) as tournament:
        try:
            trio.run(rehearsed, tournament, lambda _: None, lambda opening: LocalCrew(opening, 1, command))
        except BaseExceptionGroup as group:
            [failed] = group.exceptions
            while isinstance(failed, BaseExceptionGroup):
                [failed] = failed.exceptions
            assert isinstance(failed, Stopped)
            stopped = str(failed)
        return tournament.ledger.counts(), [failure["why"] for _, failure in tournament.ledger.failures()], stopped


def test_a_match_that_kills_its_workers_is_void_after_three_tries_and_the_tournament_goes_on(tmp_path: Path) -> None:
    counts, why, stopped = rehearse(tmp_path, "job['seating'] in (1, 2)")
    assert (counts, stopped) == ((4, 4, 2), "")
    assert why == ["its worker was killed by SIGKILL: it says nothing"] * 2 * TRIES


def test_if_no_worker_ever_answers_the_run_stops_and_no_match_is_void(tmp_path: Path) -> None:
    (scheduled, played, void), why, stopped = rehearse(tmp_path, "True")
    assert (scheduled, played, void, len(why)) == (4, 0, 0, TRIES - 1)
    death = "its worker was killed by SIGKILL: it says nothing"
    assert stopped == f"3 workers in a row ended without an answer; of the last match, {death}"


def test_a_machine_on_which_workers_begin_to_die_does_not_make_all_matches_void(tmp_path: Path) -> None:
    (scheduled, played, void), _, stopped = rehearse(tmp_path, "job['series'] > 1", each=20)
    assert scheduled == 80
    assert (played, void) == (4 + void, HOPELESS // TRIES - 1)
    assert f"{HOPELESS} workers in a row" in stopped


def test_an_answer_begins_a_new_row_of_deaths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "HOPELESS", TRIES + 1)
    counts, why, stopped = rehearse(tmp_path, "job['seating'] == 1", each=3)
    assert (counts, stopped, len(why)) == ((12, 12, 3), "", 3 * TRIES)


@pytest.mark.parametrize(("how", "oom", "says"), [
    (KILLED, 4, "its worker was killed by SIGKILL: it says nothing"),
    (KILLED, 5, "its worker was killed by SIGKILL when this machine was out of memory: it says nothing"),
    ("os.kill(os.getpid(), 11)", 5, "its worker was killed by SIGSEGV: it says nothing"),
    ("os.kill(os.getpid(), 40)", 4, "its worker was killed by signal 40: it says nothing"),
    ("sys.exit('no luck')", 4, "its worker ended with exit code 1: no luck"),
    ("os.close(1); [None for _ in sys.stdin]", 4, "its worker answered nothing: it says nothing"),
])  # fmt: skip
def test_the_evidence_names_the_signal_or_the_exit_code_and_says_if_memory_ran_out(
    how: str, oom: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kills = iter([4])
    monkeypatch.setattr(worker_process, "_out_of_memory", lambda: next(kills, oom))
    monkeypatch.setattr(worker_process, "END", 0.05 if "close" in how else 60)
    worker = WorkerProcess(OPENING, (sys.executable, "-c", MORTAL.replace("DIES", "True").replace("HOW", how)))
    try:
        assert worker.ask("{}") is None
        assert worker.death == says
    finally:
        worker.end()


@pytest.mark.parametrize(("jobs", "game", "processors"), [
    (2, "snakecore", [3, 5]),
    (1, "snakecore", [None]),  # threads of a bot may use the other one
    (4, "snakecore", [None] * 4),
    (2, "egghunt", [None] * 2),  # all players answer at the same moment
])  # fmt: skip
def test_each_of_as_many_workers_as_processors_has_its_own(
    jobs: int, game: str, processors: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {5, 3})
    assert LocalCrew(OPENING.model_copy(update={"game": game}), jobs).processors() == processors


def test_a_worker_stays_on_its_processor() -> None:
    here = os.sched_getaffinity(0)
    for processor, there in ((min(here), {min(here)}), (None, here), (1_000_000, here)):
        worker = WorkerProcess(OPENING, (sys.executable, "-c", WHERE), processor)
        try:
            assert worker.ask("{}") == {"failed": str(there)}
        finally:
            worker.end()
