"""What a worker answers when a match fails for a cause outside the bots."""

import errno
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
import trio
from tournament.conftest import OPENING

from referee.errors import BotError, IsolationError, RefereeError, SetupError, UsageError
from referee.sandbox.cells.bare import BareSandbox
from referee.tournament.jobs import Job, JobRunner, JobSeat, Opening, moved_message
from referee.tournament.worker import CELLS, _play
from referee.tournament.worker_process import WorkerProcess

ROW = {"reason": "rounds", "faults": []}
JOB = Job(series=1, seating=0, map="duel", rng_seed=1, seats=[])


class Fails(JobRunner):
    """Fails with these errors, and plays when there are none left."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    async def play(self, job: Job) -> dict[str, Any]:
        await trio.lowlevel.checkpoint()
        if self.errors:
            raise ExceptionGroup("two players", [self.errors.pop(0)])
        return ROW


@pytest.fixture
def opening(tmp_path: Path) -> Opening:
    """Of a tournament in this folder, without bots."""
    return OPENING.model_copy(update={"folder": str(tmp_path), "games": str(tmp_path / "games")})


@pytest.mark.parametrize(("error", "answer"), [
    (ValueError("our own bug"), {"failed": "ValueError: our own bug"}),
    (SetupError("no room for a field with this seed"), {"failed": "SetupError: no room for a field with this seed"}),
    (FileNotFoundError(errno.ENOENT, "gone", "/x"), {"failed": "FileNotFoundError: [Errno 2] gone: '/x'"}),
    (FileNotFoundError(errno.ENOENT, "gone", "FOLDER/games/1"), {"stop": "FOLDER/games/1 cannot be used (gone)"}),
    (PermissionError(errno.EACCES, "denied", "FOLDER/games/1"), {"stop": "FOLDER/games/1 cannot be used (denied)"}),
    (UsageError("a damaged copy"), {"stop": "a damaged copy"}),
    (OSError(errno.EIO, "broken", "/x"), {"stop": "/x cannot be used (broken)"}),
    (OSError(errno.ENOSPC, "full", "/x"), {"stop": "/x cannot be written (full): free space there"}),
    (OSError(errno.EMFILE, "Too many open files"), {"stop"}),
])  # fmt: skip
async def test_a_match_fails_or_nothing_can_be_played_here(error: Exception, answer: Any, opening: Opening) -> None:
    if isinstance(error, OSError) and error.filename:
        error.filename = error.filename.replace("FOLDER", opening.folder)
    outcome = await _play(Fails(error), JOB, opening)
    if isinstance(answer, dict):
        assert outcome == {key: says.replace("FOLDER", opening.folder) for key, says in answer.items()}
    else:
        assert outcome.keys() == answer


async def test_a_folder_that_was_moved_and_a_copy_that_is_gone_stop_the_run(
    opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = JOB.model_copy(update={"seats": [JobSeat(number=0, name="Wanda", content="c0")]})
    outcome = await _play(Fails(BotError("no folder to start it in")), job, opening)
    assert outcome == {"stop": f"the copy of Wanda in {tmp_path}/entrants is gone: run again, which makes it anew"}
    monkeypatch.setitem(ROW, "faults", [{"kind": "exit"}])
    assert await _play(Fails(), job, opening) == outcome
    tmp_path.rename(tmp_path.with_name("moved"))  # noqa: ASYNC240 - nothing waits for it
    outcome = await _play(Fails(ValueError("anything")), job, opening)
    assert outcome == {"stop": moved_message(tmp_path)}


async def test_an_interpreter_that_is_gone_stops_the_run(opening: Opening, tmp_path: Path) -> None:
    """Otherwise each match is void, and a ladder plans thousands of them a minute."""
    python = tmp_path / "venv/bin/python3"
    in_venv = opening.model_copy(update={"python": str(python)})
    outcome = await _play(Fails(BotError("there is no program")), JOB, in_venv)
    gone = "which runs the bots in Python, is gone: make the virtual environment again, then go on"
    assert outcome == {"stop": f"{python}, {gone}"}
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    assert await _play(Fails(ValueError("another cause")), JOB, in_venv) == {"failed": "ValueError: another cause"}


async def test_a_sandbox_is_tidied_before_each_match(opening: Opening) -> None:
    class Tidied(Exception):
        pass

    class Tidies(BareSandbox):
        def tidy(self) -> None:
            raise Tidied

    with pytest.raises(Tidied):
        await JobRunner(opening, Tidies()).play(JOB)


LITTERS = """\
import weakref
from referee.tournament import worker

left = []

class Litter:
    pass

class Litters:
    def __init__(self, *_):
        pass

    async def play(self, job):
        litter = Litter()
        litter.itself = litter
        found = sum(one() is not None for one in left)
        left.append(weakref.ref(litter))
        raise ValueError(f"{found} left")

worker.JobRunner = Litters
worker.main()
"""
"""A worker whose matches each leave an object that refers to itself, and say how many those before them have left."""


def test_what_a_match_leaves_in_memory_is_collected_before_the_next(opening: Opening) -> None:
    process = WorkerProcess(opening, (sys.executable, "-c", LITTERS))
    try:
        for _ in range(4):
            assert process.ask(JOB.model_dump_json()) == {"failed": "ValueError: 0 left"}
    finally:
        process.end()


async def test_a_cell_that_cannot_be_set_up_is_tried_again(opening: Opening) -> None:
    slow = [IsolationError("the machine is slow")] * (CELLS - 1)
    assert await _play(Fails(*slow), JOB, opening) == {"row": ROW}


async def test_a_machine_that_cannot_isolate_stops_the_run_instead_of_making_all_matches_void(opening: Opening) -> None:
    playing = Fails(*[IsolationError("the interpreter cannot be shown to players")] * CELLS)
    assert await _play(playing, JOB, opening) == {"stop": "the interpreter cannot be shown to players"}
    assert playing.errors == []


def test_a_worker_without_a_place_for_temporary_files_is_refused(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "TemporaryFile", none)
    with pytest.raises(RefereeError, match=r"no temporary file can be made \(.*'/tmp'\]\): free space, or set TMPDIR"):
        WorkerProcess(opening)
