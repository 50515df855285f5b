"""Clusters of Dask's own commands, started as users start them."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import SETTINGS, Cup, drawn_up, match_rows, table

from referee.saved.record import load

ENDS_WITH_US = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execvp(sys.argv[1], sys.argv[1:])"
"""Executes a command that the kernel kills when the tests end (PR_SET_PDEATHSIG), also when they are killed."""
SETTINGS_THERE = SETTINGS.replace("rounds = 3", "rounds = 3\npondering = false").replace("jobs = 1\n", "")
"""One player runs at a time, so a match needs one processor."""
LEISURELY = "import time\ntime.sleep(1)\n"
"""What bots begin with in a long tournament, which would otherwise take the processors from the workers that are to come."""


SELDOM = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
"""Dask's processes watch themselves every 10 to 20 ms, which takes 5 % of a processor while they wait."""


@dataclass(frozen=True)
class Processes:
    """Dask's own commands.

    Attributes:
        folder: where they start, and `environ`: theirs.
    """

    folder: Path
    environ: dict[str, str]
    stack: ExitStack

    def start(self, command: str, *words: str, before: Sequence[str] = (), **environ: str) -> subprocess.Popen[str]:
        """Start `dask COMMAND WORDS`, which ends with the test.

        Args:
            before: the command that starts it, such as `nice`.
        """
        python = [sys.executable, "-c", ENDS_WITH_US, *before, sys.executable]
        process = self.stack.enter_context(
            subprocess.Popen(
                [*python, "-m", f"distributed.cli.dask_{command}", *words, "--no-dashboard"], cwd=self.folder,
                env={**self.environ, **environ}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )
        )  # fmt: skip
        self.stack.callback(process.terminate)
        return process

    def scheduler(self) -> tuple[subprocess.Popen[str], str]:
        """Start a scheduler: its process and its address."""
        process = self.start("scheduler", "--host=127.0.0.1", "--port=0")
        assert process.stderr is not None
        for line in process.stderr:
            if match := re.search(r"Scheduler at:\s+(tcp://\S+)", line):
                return process, match[1]
        raise AssertionError("the scheduler did not start")


@dataclass(frozen=True)
class Cluster:
    """A scheduler, and workers by the names that a test gives them."""

    address: str
    processes: Processes
    workers: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def worker(self, name: str, *before: str, **environ: str) -> None:
        """Start a worker with one thread.

        Args:
            before: the command that starts it, such as `nice`.
        """
        words = [self.address, "--nthreads=1", "--no-nanny", f"--name={name}"]
        self.workers[name] = self.processes.start("worker", *words, before=before, **environ)


@pytest.fixture
def cup(cup: Cup) -> Cup:
    """The same, for Dask."""
    cup.environ.update(SELDOM)
    return cup


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler that the tests share. The workers of a test end with it."""
    with ExitStack() as stack:
        cup = drawn_up(tmp_path_factory.mktemp("scheduler"))
        _, address = Processes(cup.folder, {**cup.environ, **SELDOM}, stack).scheduler()
        yield address


@pytest.fixture
def processes(cup: Cup) -> Iterator[Processes]:
    """Dask's commands in the folder around `cup`, where `gated` stops its bots."""
    cup.says(SETTINGS_THERE)
    with ExitStack() as stack:
        yield Processes(cup.folder.parent, cup.environ, stack)


@pytest.fixture
def cluster(scheduler: str, processes: Processes) -> Cluster:
    """A cluster without workers."""
    return Cluster(scheduler, processes)


def endless(cup: Cup, settings: str = "each = 400") -> None:
    """Make it a tournament of more matches than are ever played, by leisurely bots."""
    cup.says(f"{SETTINGS_THERE}\n[format]\n{settings}\n")
    for bot in (cup.folder / "bots").iterdir():
        bot.write_text(LEISURELY + bot.read_text())


def outcome(cup: Cup) -> tuple[Any, Any, dict[str, str]]:
    """The matches and the table without times, and the digests of the final positions."""
    rows = match_rows(cup)
    digests = {row["id"]: load(cup.folder / row["saved"]).result.digest for row in rows}
    return rows, table(cup), digests


@pytest.fixture(scope="session")
def alone(finished: Cup) -> tuple[Any, Any, dict[str, str]]:
    """The outcome of the tournament of `cup` on one machine, by one process."""
    return outcome(finished)
