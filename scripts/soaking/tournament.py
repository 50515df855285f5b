"""A small tournament whose coordinator and workers are killed at random moments, beside one that is left alone.

1. Instant players and a bot that fails play a round-robin by real workers. The same tournament is played twice: undisturbed, and
   with another number of workers while SIGKILL ends the coordinator, a worker, or all at once.
2. The same command goes on at once, while workers of the killed coordinator may still be ending their players.
3. A match whose worker is killed three times is void, as it should be. So a worker alone is killed no more than twice.
4. At the end both tournaments have the same matches, each once. The saved games prove the ledger, and nothing else is left in
   the folder. This process adopts all orphans, so `looking.py` finds what outlives its coordinator.
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
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from referee.sandbox.limits import Level
from referee.sandbox.orphans import adopt_orphans, own_children
from referee.tournament.runner import TRIES
from referee.tournament.tournament import Tournament

SEED: Final = 7
ALONE: Final = 2
"""Workers of the undisturbed tournament."""
WORKERS: Final = 3
"""Workers of the other one."""
PATIENCE: Final = 300.0
"""Seconds after which a run hangs."""
ENDING: Final = 20.0
"""Seconds in which processes that nobody waits for have to end."""
OFTEN: Final = 4
"""The mean number of kills in the time that an undisturbed tournament takes."""
COMMAND: Final = (sys.executable, "-m", "referee", "tournament")
UNEQUAL: Final = frozenset({"started", "seconds", "machine", "tries", "sha256"})
TIMES: Final = frozenset({"first_ms", "slowest_ms", "total_ms"})
FILES: Final = frozenset({"tournament.toml", "quits", "ledger.sqlite", "running", "entrants", "games"})
QUITS: Final = 'name = "Quits"\nrun = ["./faulty", "crashes"]\n'
SETTINGS: Final = """\
name = "Soak"
bots = {bots}

[match]
seats = 2
maps = ["duel"]
rounds = 4
repeat = 2
isolation = "{level}"

[run]
rng_seed = {seed}
"""


class Victim(StrEnum):
    """Whom SIGKILL ends."""

    COORDINATOR = "the coordinator"
    WORKER = "a worker"
    ALL = "all at once"


@dataclass
class Cup:
    """A tournament in its folder.

    Attributes:
        players: the folder of the compiled players.
        killed: who, and how often. wrong: what is not as it should be.
    """

    folder: Path
    players: Path
    level: Level
    killed: Counter[Victim] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        quits = self.folder / "quits"
        quits.mkdir(0o755, parents=True)
        shutil.copy(self.players / "faulty", quits)
        (quits / "bot.toml").write_text(QUITS)
        bots = [*[str(self.players / "instant")] * 3, "quits"]
        settings = SETTINGS.format(bots=bots, level=self.level, seed=SEED)
        (self.folder / "tournament.toml").write_text(settings)

    def play(self, workers: int, victims: Sequence[Victim], mean: float, rng: random.Random) -> float:
        """Play it to its end. Returns the seconds that the last run took.

        Args:
            victims: whom to kill, in this order; those whose turn comes after the end are left out.
            mean: seconds between two kills.
        """
        coming = list(victims)
        for _ in range(len(victims) + 1):
            began = time.monotonic()
            with self._log.open("ab") as log:
                command = [*COMMAND, "run", str(self.folder), f"--jobs={workers}"]
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
            while coming and not has_ended(process, rng.uniform(0, 2 * mean)):
                if self._kill(process, coming[-1]):
                    coming.pop()
            if not has_ended(process, PATIENCE):
                process.kill()
                process.wait()
            reap()
            if process.returncode == 0:
                return time.monotonic() - began
        log_end = self._log.read_text(errors="replace")[-300:].strip()
        self.wrong.append(f"it does not come to its end: status {process.returncode}, {log_end}")
        return 0.0

    def _kill(self, process: subprocess.Popen[bytes], victim: Victim) -> bool:
        """Kill someone. Returns False if it has just ended, or if there is no worker yet."""
        process.send_signal(signal.SIGSTOP)  # all of them are killed in one state
        if process.poll() is not None:
            return False
        workers = list(workers_of(process.pid))
        targets = {Victim.COORDINATOR: [process.pid], Victim.ALL: [process.pid, *workers], Victim.WORKER: workers[:1]}
        for pid in targets[victim]:
            os.kill(pid, signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        self.killed[victim] += bool(targets[victim])
        if victim is not Victim.WORKER:
            process.wait()
        return bool(targets[victim])

    @property
    def _log(self) -> Path:
        return self.folder.with_suffix(".log")

    def matches(self) -> list[dict[str, Any]]:
        """Its matches, without what two runs do not have in common."""
        with Tournament(self.folder) as tournament:
            return [without_times(row) for row in tournament.matches()]

    def check(self, expected: Sequence[Mapping[str, Any]]) -> None:
        """Compare it with a tournament that was left alone."""
        with Tournament(self.folder) as tournament:
            status = tournament.status()
            entrants = {entrant.content for entrant in tournament.ledger.entrants()}
        rows = self.matches()
        games = {Path(row["saved"]).name for row in rows if row["saved"] is not None}
        if not status["over"] or status["matches"] != {"scheduled": len(rows), "played": len(rows), "void": 0}:
            self.wrong.append(f"it is not over, or some matches are void: {status['matches']}")
        if len({row["id"] for row in rows}) < len(rows):
            self.wrong.append("a match is there twice")
        if rows != expected:
            other = [row["id"] for row, usual in zip(rows, expected, strict=False) if row != usual]
            self.wrong.append(
                f"{len(rows)} matches instead of {len(expected)}; not as in peace: {', '.join(other[:5])}"
            )
        command = [*COMMAND, "check", "--games", str(self.folder)]
        proof = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        if proof.returncode:
            self.wrong.append(f"saved games do not prove the ledger: {proof.stdout[-300:]}{proof.stderr[-300:]}")
        there = {path.name: {path.name} for path in self.folder.iterdir()}
        for place, names in (("entrants", entrants), ("games", games)):
            there[place] = {place, *(set(os.listdir(self.folder / place)) ^ names)}
        if strange := set().union(*there.values()) - FILES:
            self.wrong.append(f"these files are left or missing: {', '.join(sorted(strange)[:5])}")


def environment() -> dict[str, str]:
    """The environment of commands, with the temporary folder of this run."""
    return {**os.environ, "TMPDIR": tempfile.gettempdir()}


def without_times(row: Mapping[str, Any]) -> dict[str, Any]:
    """A match as two runs have it."""
    seats = [{key: value for key, value in seat.items() if key not in TIMES} for seat in row["seats"]]
    return {**{key: value for key, value in row.items() if key not in UNEQUAL}, "seats": seats}


def has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process ends within this time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def workers_of(pid: int) -> Iterator[int]:
    """The workers of a coordinator that is stopped, or has just ended."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                if b"referee.tournament.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    yield int(child)


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


def victims_of(rng: random.Random, kills: int) -> list[Victim]:
    """Whom to kill (theory, point 3)."""
    victims = [*islice(cycle(Victim), min(kills, len(Victim) * (TRIES - 1)))]
    victims += islice(cycle((Victim.ALL, Victim.COORDINATOR)), kills - len(victims))
    rng.shuffle(victims)
    return victims


def soaked(folder: Path, players: Path, level: Level, kills: int, seed: int) -> tuple[str, list[str]]:
    """Play both tournaments. Returns a line about them, and what is wrong."""
    adopt_orphans()
    rng = random.Random(seed)
    calm, wild = Cup(folder / "calm", players, level), Cup(folder / "wild", players, level)
    took = calm.play(ALONE, [], 0, rng)
    wild.play(WORKERS, victims_of(rng, kills), took / OFTEN, rng)
    await_orphans(time.monotonic() + ENDING)
    killed = ", ".join(f"{who} {count} times" for who, count in sorted(wild.killed.items())) or "nobody"
    if calm.wrong or wild.wrong:
        return f"a tournament, killed: {killed}", [*calm.wrong, *wild.wrong]
    expected = calm.matches()
    calm.check(expected)
    wild.check(expected)
    return f"a tournament of {len(expected)} matches, killed: {killed}", [*calm.wrong, *wild.wrong]
