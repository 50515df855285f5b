"""What runs on a worker of a cluster. Dask calls these functions by their names.

1. A worker has a `Member` for a tournament, as a plugin of Dask. Its folder has the copies of the bots, and the saved games if
   the worker does not see the tournament's folder of them. All workers of a user on one machine share it.
2. Matches are played by worker processes (`worker.py`), as on one machine: one for each batch at a time, each in a session of
   its own. It ends when its input does, so also when Dask's worker is killed.
3. Only the run that has joined last plays here. So a run that goes on after another was killed ends what that one has left, and a
   copy of the tournament's folder cannot play the same matches beside it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated, Final, cast

from distributed import Worker, WorkerPlugin, get_worker
from platformdirs import user_data_path
from pydantic import Field

import referee
from referee.text.strict import Strict
from referee.tournament.answers import Answer
from referee.tournament.cluster.booking import BATCH_SECONDS
from referee.tournament.copies import Packed, unpack
from referee.tournament.jobs import Opening
from referee.tournament.model import GAMES
from referee.tournament.settings import Word
from referee.tournament.worker_process import WorkerProcess

_MARK: Final = ".cluster"
"""A file in the tournament's folder of saved games, which holds the tournament's id."""
TAKEN_OVER: Final = (
    "another run of this tournament, or of a copy of its folder, has taken this worker over, or it was started anew"
)
BATCH_LIMIT: Final = 2 * BATCH_SECONDS
"""Seconds after which a batch ends with the match that is being played."""


class Passport(Strict):
    """What a worker must have in common with the coordinator, and where it is.

    Attributes:
        referee, python: versions. code: the hash of the referee's code. machine: its name.
        kernel: a word that no other running machine has. processors: those that it may use.
    """

    referee: Word
    python: Word
    code: Word
    machine: Word
    kernel: Word
    processors: Annotated[list[int], Field(min_length=1, max_length=10_000)]


def passport() -> str:
    """The `Passport` of this process as JSON."""
    package = Path(referee.__file__).parent
    code = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        code.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return Passport(
        referee=referee.__version__,
        python=".".join(platform.python_version_tuple()[:2]),
        code=code.hexdigest()[:12],
        machine=platform.node(),
        kernel=Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip(),
        processors=sorted(os.sched_getaffinity(0)),
    ).model_dump_json()


async def join(id_: str, run: str, opening: Opening, command: Sequence[str], dask_worker: Worker) -> str:
    """Make this worker a member. Returns the folder of its saved games.

    Args:
        run: a word that no other run has.
        opening: its folders are the coordinator's.
    """
    home = user_data_path("referee") / "tournaments" / id_
    home.mkdir(parents=True, exist_ok=True)
    games = Path(opening.games) if _is_marked(Path(opening.games), id_) else home / GAMES
    there = opening.model_copy(update={"folder": str(home), "games": str(games)})
    await dask_worker.plugin_add(Member(run, there, command), id_)
    return str(games)


async def leave(id_: str, run: str, why: str | None, dask_worker: Worker) -> None:
    """End the membership of this worker.

    Args:
        why: the reason for which it was refused, for the log of the worker; None if it was not.
    """
    if why is not None:
        logging.getLogger("distributed.worker").warning("referee: no matches for this worker: %s", why)
    member = dask_worker.plugins.get(id_)
    if isinstance(member, Member) and member.run == run:
        await dask_worker.plugin_remove(id_)


def receive(id_: str, content: str, files: Sequence[Packed], dask_worker: Worker) -> None:
    """Take the copy of a bot."""
    unpack(cast(Member, dask_worker.plugins[id_]).folder, content, files)


def play(id_: str, run: str, jobs: Sequence[str]) -> bytes:
    """Play matches: the answers of `worker.py` as a JSON list. There is at least one, and there are fewer than jobs if time is
    up or nothing can be played here. They are bytes, because Dask would send other values as programs that make them.

    Args:
        jobs: each a `Job` as JSON.
    """
    member = get_worker().plugins.get(id_)
    joined = isinstance(member, Member) and member.run == run
    answers = cast(Member, member).play(jobs) if joined else [{"stop": TAKEN_OVER}]
    return json.dumps(answers).encode()


class Member(WorkerPlugin):
    """Plays matches of one tournament on one worker.

    Attributes:
        run: the run that it plays for. folder: has the copies of the bots.
    """

    def __init__(self, run: str, opening: Opening, command: Sequence[str]) -> None:
        self.run = run
        self.folder = Path(opening.folder)
        self._opening = opening
        self._command = command
        self._lock = threading.Lock()
        self._free: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._ended = threading.Event()

    def play(self, jobs: Sequence[str]) -> list[Answer]:
        """Play matches in one worker process, which is replaced if it dies."""
        if self._ended.is_set():
            return [{"stop": TAKEN_OVER}]
        worker = self._take()
        answers: list[Answer] = []
        began = monotonic()
        try:
            for job in jobs:
                answer = worker.ask(job)
                if self._ended.is_set():
                    answers.append({"stop": TAKEN_OVER})
                    break
                if answer is None:
                    answer = {"failed": worker.death}
                    with self._lock:
                        self._busy.discard(worker)
                    worker.end()
                    worker = self._take()
                answers.append(answer)
                if "stop" in answer or monotonic() - began > BATCH_LIMIT:
                    break
        finally:
            self._put_back(worker)
        return answers

    def _take(self) -> WorkerProcess:
        with self._lock:
            worker = self._free.pop() if self._free else WorkerProcess(self._opening, self._command)
            self._busy.add(worker)
        return worker

    def _put_back(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._busy.discard(worker)
            self._free.append(worker)
        if self._ended.is_set():
            worker.end()

    def teardown(self, worker: Worker) -> None:
        """Dask removes the plugin."""
        self.end()

    def end(self) -> None:
        """End the processes. What they play is broken off, and nothing more is played."""
        with self._lock:
            self._ended.set()
            ending = [*self._free, *self._busy]
        for process in ending:
            threading.Thread(target=process.end).start()


def mark(games: Path, id_: str) -> None:
    """Mark the folder of a tournament's saved games, so that workers that see it know it."""
    games.mkdir(exist_ok=True)
    (games / _MARK).write_text(id_, encoding="ascii")


def _is_marked(games: Path, id_: str) -> bool:
    try:
        return (games / _MARK).read_text(encoding="ascii") == id_
    except (OSError, UnicodeDecodeError):
        return False
