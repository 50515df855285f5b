"""The setting that all subjects share: amounts, folders, processors and compiled programs."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, TypeVar

from benchmarks.figures import Figure, interleaved
from referee.cli import COLLECT_AFTER
from referee.errors import RefereeError
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox

PROGRAMS: Final = Path(__file__).parent / "programs"
INSTANT: Final = Path(__file__).parents[1] / "instant.c"
Amount = TypeVar("Amount")


class UnavailableError(Exception):
    """Something cannot be measured on this machine; the text says why and how to fix that."""


class WrongError(Exception):
    """A measured program did not do what it should."""


@dataclass(frozen=True)
class Setting:
    """The setting of a run.

    Attributes:
        quick: tiny numbers, which show that everything runs, not how fast.
        folder: the folder of this run's temporary files.
    """

    quick: bool
    folder: Path

    def pick(self, full: Amount, quick: Amount) -> Amount:
        """One of two amounts."""
        return quick if self.quick else full

    def room(self, name: str) -> Path:
        """A new folder. All users may traverse it, because the players of a root referee have other uids."""
        folder = Path(mkdtemp(prefix=f"{name}-", dir=self.folder))
        folder.chmod(0o711)
        return folder

    @property
    def places(self) -> Mapping[str, set[int]]:
        """The places to measure: one processor for everything, so no idle processor has to wake up; and all processors."""
        cpus = os.sched_getaffinity(0)
        return {"same core": {min(cpus)}, "free": cpus}

    def rounds(self, full: int, measures: Mapping[str, Callable[[], Figure]]) -> dict[str, list[Figure]]:
        """Take all measures in turn, for this many rounds (`figures.interleaved`), or quickly once, without a warm-up."""
        return interleaved(self.pick(full, 1), measures, warm=not self.quick)

    def compiled(self, source: Path) -> Path:
        """A C program, compiled once.

        Raises:
            UnavailableError: there is no compiler.
        """
        program = self.folder / source.stem
        if not program.exists():
            compiler = next(filter(None, map(shutil.which, ("gcc", "cc", "clang"))), None)
            if compiler is None:
                raise UnavailableError("there is no C compiler: sudo apt install gcc")
            subprocess.run([compiler, "-O2", "-o", program, source], check=True)
        return program


def levels(notes: list[str]) -> list[Level]:
    """No isolation, and full cells if this machine can make them; otherwise there is one more note."""
    try:
        with open_sandbox(Level.FULL):
            return [Level.NONE, Level.FULL]
    except RefereeError as failed:
        notes.append(f"isolation {Level.FULL.value}: {failed}")
        return [Level.NONE]


def collect_seldom() -> None:
    """Collect garbage as rarely as a command of the referee, and never the objects that exist now."""
    gc.set_threshold(COLLECT_AFTER)
    gc.freeze()


def memory() -> int:
    """The resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def pinned(cpus: set[int]) -> Iterator[None]:
    """Pin this process, and the processes that it starts meanwhile, to these processors."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
