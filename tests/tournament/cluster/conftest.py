"""Clusters of Dask's own commands, started as users start them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import SETTINGS, Cup, drawn_up, table, told

from referee.saved.record import load

ENDS_WITH_US = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execvp(sys.argv[1], sys.argv[1:])"
"""Executes a command that the kernel kills when the tests end (PR_SET_PDEATHSIG), also when they are killed."""
SETTINGS_THERE = SETTINGS.replace("rounds = 3", "rounds = 3\npondering = false").replace("jobs = 1\n", "")
"""One player runs at a time, so a match needs one processor."""
LONGER = f"{SETTINGS_THERE}\n[format]\neach = 10\n"
"""With 40 matches."""


@dataclass
class Cluster:
    """A scheduler, and workers by the names that a test gives them.

    Attributes:
        folder: where all processes start, and `environ`: theirs.
    """

    folder: Path
    environ: dict[str, str]
    stack: ExitStack
    workers: dict[str, subprocess.Popen[str]] = field(default_factory=dict)
    address: str = ""
    scheduler: subprocess.Popen[str] = field(init=False)

    def start(self) -> None:
        """Start the scheduler."""
        self.scheduler = scheduler = self._started(
            ["dask_scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard"], [], {}
        )
        assert scheduler.stderr is not None
        for line in scheduler.stderr:
            if found := re.search(r"Scheduler at:\s+(tcp://\S+)", line):
                self.address = found[1]
                return
        raise AssertionError("the scheduler did not start")

    def worker(self, name: str, *before: str, **environ: str) -> None:
        """Start a worker with one thread.

        Args:
            before: the command that starts it, such as `nice`.
        """
        words = ["dask_worker", self.address, "--nthreads=1", "--no-nanny", "--no-dashboard", f"--name={name}"]
        self.workers[name] = self._started(words, before, environ)

    def _started(self, words: list[str], before: Any, environ: Mapping[str, str]) -> subprocess.Popen[str]:
        argv = [
            sys.executable,
            "-c",
            ENDS_WITH_US,
            *before,
            sys.executable,
            "-m",
            f"distributed.cli.{words[0]}",
            *words[1:],
        ]
        process = self.stack.enter_context(
            subprocess.Popen(argv, cwd=self.folder,
                env={**self.environ, **environ}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        )  # fmt: skip
        self.stack.callback(process.terminate)
        return process


@pytest.fixture
def cluster(cup: Cup) -> Iterator[Cluster]:
    """A scheduler without workers, for the bots of `cup`."""
    cup.says(SETTINGS_THERE)
    with ExitStack() as stack:
        made = Cluster(cup.folder, cup.environ, stack)
        made.start()
        yield made


def outcome(cup: Cup) -> tuple[Any, Any, dict[str, str]]:
    """The matches and the table without times, and the digests of the final positions."""
    rows = told(cup)
    digests = {row["id"]: load(cup.folder / row["saved"]).result.digest for row in rows}
    return rows, table(cup), digests


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, dict[str, str]]:
    """The outcome of the tournament of `LONGER` on one machine, by one process."""
    cup = drawn_up(tmp_path_factory.mktemp("alone"))
    cup.says(LONGER)
    ran = cup("run", cup.folder, "-q", "--jobs=1")
    assert ran.code == 0, ran.err
    return outcome(cup)
