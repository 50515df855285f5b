"""Plays many short matches in one process, and looks for leaks: it compares what exists before and afterwards.

1. A match is two rounds on an empty field between an instant player and one whose behaviour varies: honest, crashing, silent,
   greedy, leaving, shouting, deaf. Some matches are cancelled at a random moment, even during their start or their end.
2. Each match opens its level of isolation, like `referee play`. Several matches run at once.
3. The first matches only warm up, since one-time costs (a thread, a list of system calls) are not leaks. After that, the
   numbers of processes, zombies, descriptors, temporary folders and mounts must not grow. Memory may grow by `BREATH` and by
   `GROWTH` bytes per match, because allocators keep freed memory.
4. The command lines of all players contain a word that is unique to this run, which also identifies hidden processes.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import trio

from referee import games, match
from referee.bots import Bot
from referee.clock import TimeControl
from referee.errors import RefereeError
from referee.game import Fault, Position, Step
from referee.players.fairness import HostStalled
from referee.players.table import seated
from referee.ranking import Outcome
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import opened

HERE: Final = Path(__file__).parent
GAME: Final = games.find("snakecore")
SEATS: Final = 2
SETUP: Final[Position] = {
    "size": 4, "rounds": 2, "field": ["...."] * 4, "pythons": [{"cells": [[0, 0]]}, {"cells": [[2, 0]]}],
}  # fmt: skip
TIME: Final = TimeControl(first=20.0, answer=0.25, total=None)
"""An instant player needs a ten-thousandth of that; silent players use all of it."""
LIMITS: Final = Limits(memory=64 * MIB, cpu=20)
BEHAVIOURS: Final = (*["honest"] * 14, "crashes", "silent", "greedy", "leaves", "shouts", "deaf")
"""The behaviour of the second player in twenty consecutive matches."""
CANCELLED: Final = 10
"""On average, one match in this number is cancelled."""
SOON: Final = 0.06
"""The latest time of a cancellation in seconds: about the length of a match."""
WARM: Final = 40
BREATH: Final = 8 * MIB
GROWTH: Final = 1024
FAULTY: Final = r"""
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Answers with its name, then misbehaves at its first request. */
int main(int argc, char **argv)
{
    char request[4096];
    const char *manner = argc > 1 ? argv[1] : "";
    if (read(0, request, sizeof request) <= 0 || write(1, "faulty\n", 7) != 7)
        return 1;
    if (!strcmp(manner, "leaves"))
        return 0;
    if (!strcmp(manner, "deaf"))
        close(1);
    if (!strcmp(manner, "shouts"))
        for (int n = 0; n < 200; n++)
            if (write(2, request, sizeof request) < 0)
                return 1;
    if (read(0, request, sizeof request) <= 0)
        return 1;
    if (!strcmp(manner, "crashes"))
        abort();
    if (!strcmp(manner, "greedy"))
        for (char *more; (more = malloc(1 << 20));)
            memset(more, 1, 1 << 20);
    if (!strcmp(manner, "silent") || !strcmp(manner, "deaf"))
        pause();
    return 1;
}
"""


@dataclass(frozen=True)
class Found:
    """What exists at one moment, by name, so that additions can be reported."""

    processes: frozenset[str]
    zombies: frozenset[str]
    descriptors: frozenset[str]
    folders: frozenset[str]
    mounts: frozenset[str]
    memory: int

    def things(self) -> dict[str, frozenset[str]]:
        """Everything except memory, by its title."""
        return {
            "processes": self.processes, "zombies": self.zombies, "descriptors": self.descriptors,
            "temporary folders": self.folders, "mounts": self.mounts,
        }  # fmt: skip


def look(word: str) -> Found:
    """Inspect this process and the machine. A process with `word` in its command line is one of ours."""
    gc.collect()
    processes, zombies = set(), set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text(errors="replace").rpartition(")")
            state, parent = rest.split()[:2]
            ours = int(parent) == os.getpid()
            if state == "Z" and ours:
                zombies.add(name)
            elif ours or (word.encode() in (folder / "cmdline").read_bytes() and int(folder.name) != os.getpid()):
                processes.add(name)
        except OSError:  # the process has ended
            continue
    return Found(
        frozenset(processes),
        frozenset(zombies),
        frozenset(descriptors()),
        frozenset(os.listdir(tempfile.gettempdir())),
        frozenset(line.split(" ", 1)[1] for line in Path("/proc/self/mountinfo").read_text().splitlines()),
        memory(),
    )


def descriptors() -> Iterator[str]:
    """The number and the target of each open descriptor."""
    for number in os.listdir("/proc/self/fd"):
        try:
            yield f"{number} {os.readlink(f'/proc/self/fd/{number}')}"
        except FileNotFoundError:  # the descriptor of this listing
            continue


def memory() -> int:
    """The resident private memory of this process in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


class Tally:
    """An observer that counts faults."""

    def __init__(self, counted: Counter[str]) -> None:
        self._counted = counted

    def step(self, step: Step) -> None:
        """Count the faults of a step."""
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                self._counted[f"fault: {answer.action.kind.value}"] += 1

    def end(self, outcome: Outcome, final: Position) -> None:
        """Nothing to count."""


class Soak:
    """The matches of one run. `counted` has the results; `word` is in the players' command lines."""

    def __init__(self, folder: Path, level: Level, word: str) -> None:
        self.counted: Counter[str] = Counter()
        self._level = level
        self._folder = folder
        self.word = word
        self._rng = random.Random(7)

    async def play(self, number: int, *, jobs: int) -> None:
        """Play `number` matches, `jobs` at a time.

        Raises:
            RefereeError: a match cannot be played; the others are cancelled.
        """
        coming = iter(range(number))
        failures: list[RefereeError] = []

        async def some() -> None:
            try:
                for match_number in coming:
                    await self.one(match_number)
            except* RefereeError as group:
                failures.extend(leaves(group))
                nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for _ in range(jobs):
                nursery.start_soon(some)
        if failures:
            raise failures[0]

    async def one(self, number: int) -> None:
        """Play one match."""
        behaviour = BEHAVIOURS[number % len(BEHAVIOURS)]
        patience = self._rng.uniform(0, SOON) if self._rng.randrange(CANCELLED) == 0 else float("inf")
        how = "played"
        with trio.move_on_after(patience) as scope:
            try:
                await self._match(behaviour)
            except HostStalled:
                how = "void"
        self.counted["cancelled" if scope.cancelled_caught else how] += 1

    async def _match(self, behaviour: str) -> None:
        state = GAME.start(SETUP, 1)
        seats = [
            self._bot("instant"),
            self._bot("instant") if behaviour == "honest" else self._bot("faulty", behaviour),
        ]
        with opened(self._level, LIMITS) as sandbox:
            async with seated(sandbox, seats, GAME, pondering=False) as players:
                clocks = match.clocks_for(TIME, SEATS)
                await match.play(state, players, clocks, observers=[Tally(self.counted)])

    def _bot(self, program: str, *words: str) -> Bot:
        path = self._folder / program
        return Bot(program, [str(path), *words, self.word], self._folder, files={program: path})


def leaves(group: BaseExceptionGroup[RefereeError]) -> Iterator[RefereeError]:
    """The errors in nested exception groups."""
    for failed in group.exceptions:
        if isinstance(failed, BaseExceptionGroup):
            yield from leaves(failed)
        else:
            yield failed


def compiled(folder: Path) -> None:
    """Compile the players.

    Raises:
        RefereeError: there is no C compiler.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise RefereeError("the players are written in C, and there is no C compiler: sudo apt install gcc")
    (folder / "faulty.c").write_text(FAULTY)
    for source in (HERE / "instant.c", folder / "faulty.c"):
        # A static program starts faster, but not every machine can link one.
        command = [compiler, "-O1", "-o", str(folder / source.stem), str(source)]
        if subprocess.run([*command, "-static"], capture_output=True, check=False).returncode:
            subprocess.run(command, check=True)


def verdict(before: Found, after: Found, number: int) -> tuple[list[tuple[str, str, str]], list[str]]:
    """The rows of the table (what, before, after), and descriptions of the leaks."""
    rows, left = [], []
    for (name, was), now in zip(before.things().items(), after.things().values(), strict=True):
        rows.append((name, str(len(was)), str(len(now))))
        if more := now - was:
            left.append(f"{name}: {', '.join(sorted(more)[:5])}{' …' if len(more) > 5 else ''}")
    grown = after.memory - before.memory
    rows.append(("memory of the referee, MiB", f"{before.memory / MIB:.1f}", f"{after.memory / MIB:.1f}"))
    if grown > BREATH + GROWTH * number:
        left.append(f"memory: {grown / MIB:.1f} MiB more")
    return rows, left


def main() -> int:
    """Play, compare, print."""
    parser = argparse.ArgumentParser(prog="scripts/soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("number", nargs="?", type=int, default=200, metavar="N", help="matches (default 200)")
    parser.add_argument("--isolation", choices=list(Level), default=Level.FULL, type=Level, help="level (default full)")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="matches at a time (default 4)")
    options = parser.parse_args()
    if options.number < 1 or options.jobs < 1:
        parser.error("N must be 1 or more")
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        os.chmod(name, 0o711)  # the players of a root referee have other uids and must traverse it
        places = [Path(name) / part for part in ("players", "temporary")]
        for place in places:
            place.mkdir(0o711)
        tempfile.tempdir = str(places[1])
        try:
            with opened(options.isolation):  # fails early if this machine cannot enforce the level
                compiled(places[0])
            return soak(Soak(places[0], options.isolation, f"soak-{secrets.token_hex(8)}"), options)
        except RefereeError as failed:
            print(f"scripts/soak: {failed}", file=sys.stderr)
            return failed.exit_code
        finally:
            tempfile.tempdir = None


def soak(run: Soak, options: argparse.Namespace) -> int:
    """Play the matches and print the comparison; 0 if nothing leaked."""
    trio.run(lambda: run.play(min(WARM, options.number), jobs=options.jobs))
    run.counted.clear()
    before = look(run.word)
    started = perf_counter()
    trio.run(lambda: run.play(options.number, jobs=options.jobs))
    wall = perf_counter() - started
    after = look(run.word)
    rows, left = verdict(before, after, options.number)
    print(
        f"{options.number} matches under isolation {options.isolation}, {options.jobs} at a time, in {wall:.0f} s "
        f"({options.number / wall:.0f} a second), Python {platform.python_version()}, Linux {platform.release()}"
    )
    print(", ".join(f"{count} {what}" for what, count in sorted(run.counted.items())), end="\n\n")
    print("|  | before | after |\n|---|---|---|")
    for row in rows:
        print("| {} | {} | {} |".format(*row))
    grown = (after.memory - before.memory) / options.number
    print(f"\nmemory grew by {grown * 1000 / MIB:+.2f} MiB per thousand matches")
    print("\n".join(f"LEAK: {words}" for words in left) if left else "no leaks")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
