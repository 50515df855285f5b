"""A tournament whose coordinator and workers are killed at random moments.

1. Instant players and bots that fail in every failure play a round-robin by real workers, while SIGKILL ends the coordinator, a
   worker, and all at once, and SIGINT stops the run, each of them once, in random order.
2. The same command goes on at once, while workers of the killed coordinator may still be ending their players.
3. At the end all matches are there, which the keys of the ledger allow once. The saved games prove them, and nothing else is left
   in the folder. This process adopts all orphans, so `looking.py` finds what outlives its coordinator.
4. A worker plays thousands of matches. Meanwhile its open descriptors and its memory are sampled. From the middle third of
   the samples to the last, the least values must not grow by more than `DESCRIPTOR_GROWTH` and `MEMORY_GROWTH`.
"""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.sandbox.cells.children import adopt_orphans, own_children
from referee.sandbox.limits import MIB, Level
from referee.tournament.tournament import Tournament
from soaking.evidence import unproved
from soaking.looking import children, private

SEED: Final = 7
INSTANT: Final = Path(__file__).parents[1] / "instant.c"
WORKERS: Final = 3
ENDING: Final = 20.0
"""Seconds that orphans have to end."""
PAUSE: Final = 1.5
"""The mean time between two kills, in seconds."""
COMMAND: Final = (sys.executable, "-m", "referee", "tournament")
FILES: Final = frozenset({"tournament.toml", "faulty", "ledger.sqlite", "running", "entrants", "games"})
FAILURES: Final = ("crashes", "silent", "greedy", "leaves", "shouts", "deaf")
"""How bots fail (`faulty.c`)."""
MATCHES: Final = 56
"""Of all pairs of these and two instant players, from both seats."""
SAMPLE_INTERVAL: Final = 0.5
"""Seconds between two samples of a worker's descriptors and memory."""
DESCRIPTOR_GROWTH: Final = 64
"""The growth that is no leak. A running match holds 22 descriptors, and each bot's first match adds one."""
MEMORY_GROWTH: Final = 8 * MIB
"""The growth in bytes that is no leak: allocators keep freed memory."""
IMPORTING: Final = 8
"""A worker with so few descriptors is still importing, so its memory grows. Later, it has 13 or more."""
FEWEST_SAMPLES: Final = 12
"""A worker with fewer samples is not judged."""
SETTINGS: Final = """\
name = "Soak"
bots = {bots}

[match]
seats = 2
maps = ["duel"]
rounds = 4
repeat = {repeat}
isolation = "{level}"
first = 20
answer = 0.25
{memory}

[run]
rng_seed = {seed}
"""


class Victim(StrEnum):
    """The processes that a signal ends."""

    COORDINATOR = "the coordinator"
    WORKER = "a worker"
    ALL = "all at once"
    STOPPED = "the run, by SIGINT"


@dataclass
class Cup:
    """A tournament in its folder.

    Attributes:
        players: the folder of the compiled players.
        killed: who, and how often. wrong: what is not as it should be.
        sizes: open descriptors and bytes of memory of each worker, from time to time.
    """

    folder: Path
    players: Path
    level: Level
    repeat: int = 1
    killed: Counter[Victim] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    sizes: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        bots = [str(self.players / "instant")] * 2
        for failure in FAILURES:
            bot = self.folder / "faulty" / failure
            bot.mkdir(0o755, parents=True)
            shutil.copy(self.players / "faulty", bot)
            (bot / "bot.toml").write_text(f'name = "{failure}"\nrun = ["./faulty", "{failure}"]\n')
            bots.append(f"faulty/{failure}")
        memory = "" if self.level is Level.NONE else 'memory = "64 MiB"'
        settings = SETTINGS.format(bots=bots, level=self.level, repeat=self.repeat, memory=memory, seed=SEED)
        (self.folder / "tournament.toml").write_text(settings)

    def play(self, victims: Sequence[Victim] = (), rng: random.Random | None = None) -> None:
        """Play it to its end.

        Args:
            victims: whom to kill, the last first; those whose turn comes after the end are left out.
            rng: decides when.
        """
        rng = rng or random.Random(SEED)
        coming = list(victims)
        for _ in range(len(victims) + 1):
            with self._log.open("ab") as log:
                command = [*COMMAND, "run", str(self.folder), f"--jobs={WORKERS}"]
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
            while coming and not has_ended(process, rng.uniform(0, 2 * PAUSE)):
                if self._kill(process, coming[-1]):
                    coming.pop()
            while not has_ended(process, SAMPLE_INTERVAL):
                self._measure(process.pid)
            reap()
            if process.returncode == 0:
                return
        log_end = self._log.read_text(errors="replace")[-300:].strip()
        self.wrong.append(f"it does not come to its end: status {process.returncode}, {log_end}")

    def _kill(self, process: subprocess.Popen[bytes], victim: Victim) -> bool:
        """Kill someone. Returns False if it has just ended, or if there is no worker yet."""
        process.send_signal(signal.SIGSTOP)  # all of them are killed in one state
        if process.poll() is not None:
            return False
        workers = workers_of(process.pid)
        targets = {Victim.WORKER: workers[:1], Victim.ALL: [process.pid, *workers]}.get(victim, [process.pid])
        for pid in targets:
            os.kill(pid, signal.SIGINT if victim is Victim.STOPPED else signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        self.killed[victim] += bool(targets)
        if victim is not Victim.WORKER:
            process.wait()
        return bool(targets)

    def _measure(self, pid: int) -> None:
        for worker in workers_of(pid):
            with suppress(OSError):  # it has ended
                if (descriptors := len(os.listdir(f"/proc/{worker}/fd"))) > IMPORTING:
                    self.sizes[worker].append((descriptors, private(worker)))

    def grown(self) -> Iterator[str]:
        """The workers whose descriptors or memory grow (theory, point 4)."""
        for sizes in self.sizes.values():
            if len(sizes) < FEWEST_SAMPLES:
                continue
            third = len(sizes) // 3
            early, late = sizes[third:-third], sizes[-third:]
            if (more := min(late)[0] - min(early)[0]) > DESCRIPTOR_GROWTH:
                yield f"a worker has {more} more descriptors at its end"
            if (more := min(size for _, size in late) - min(size for _, size in early)) > MEMORY_GROWTH:
                yield f"a worker has {more / MIB:.1f} MiB more memory at its end"

    @property
    def _log(self) -> Path:
        return self.folder.with_suffix(".log")

    def check(self) -> None:
        """Compare the ledger, the saved games and the files."""
        with Tournament(self.folder) as tournament:
            status = tournament.status()
            entrants = {entrant.content for entrant in tournament.ledger.entrants()}
            rows = [row for _, row in tournament.ledger.played()]
        games = {Path(row["saved"]).name for row in rows if row["saved"] is not None}
        if not status["over"] or status["matches"] != {"scheduled": len(rows), "played": len(rows), "void": 0}:
            self.wrong.append(f"it is not over, or matches are void or lost: {status['matches']}, {len(rows)} rows")
        self.wrong += [*unproved(self.folder), *self.grown()]
        there = {path.name: {path.name} for path in self.folder.iterdir()}
        for place, names in (("entrants", entrants), ("games", games)):
            there[place] = {place, *(set(os.listdir(self.folder / place)) ^ names)}
        if strange := set().union(*there.values()) - FILES:
            self.wrong.append(f"these files are left or missing: {', '.join(sorted(strange)[:5])}")


def environment() -> dict[str, str]:
    """The environment of commands, with the temporary folder of this run."""
    return {**os.environ, "TMPDIR": tempfile.gettempdir()}


def has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process ends within this time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def workers_of(pid: int) -> list[int]:
    """The workers of a coordinator that is stopped, or has just ended."""
    return [child for child, words in children(pid) if b"referee.tournament.worker" in words]


def reap() -> None:
    """Reap the orphans that have ended."""
    for pid in own_children():
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def await_orphans(until: float) -> None:
    """Wait for the end of all orphans, but not longer than until this moment."""
    while (left := own_children()) and time.monotonic() < until:
        descriptor = os.pidfd_open(left[0])
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll(max(0, until - time.monotonic()) * 1000)
        os.close(descriptor)
        reap()


def compiled(folder: Path) -> None:
    """Compile the players.

    Raises:
        RefereeError: there is no C compiler.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise RefereeError("the players are written in C, and there is no C compiler: sudo apt install gcc")
    for source in (INSTANT, Path(__file__).with_name("faulty.c")):
        subprocess.run([compiler, "-O1", "-o", folder / source.stem, source], check=True)


def soaked(folder: Path, players: Path, level: Level, repeat: int) -> tuple[str, list[str]]:
    """Play a tournament. Returns a line about it, and what is wrong."""
    adopt_orphans()
    rng, began = random.Random(SEED), time.monotonic()
    cup = Cup(folder / "cup", players, level, repeat)
    cup.play(rng.sample(list(Victim), len(Victim)), rng)
    took = time.monotonic() - began
    await_orphans(time.monotonic() + ENDING)
    if not cup.wrong:
        cup.check()
    killed = ", ".join(f"{who} {count} times" for who, count in sorted(cup.killed.items())) or "nobody"
    return f"a tournament of {MATCHES * repeat} matches in {took:.0f} s; killed: {killed}", cup.wrong
