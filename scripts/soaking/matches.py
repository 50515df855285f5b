"""Many short matches in one process.

1. A match is two rounds on an empty field between an instant player and one whose behaviour varies: honest, crashing, silent,
   greedy, leaving, shouting, deaf. Some matches are cancelled at a random moment, even during their start or their end.
2. Each match opens its level of isolation, like `referee play`. Several matches run at once.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import trio

from referee import games
from referee.bots import Bot
from referee.contract.clock import TimeControl
from referee.contract.game import Fault, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import RefereeError
from referee.match import loop
from referee.players.fairness import HostStalled
from referee.players.table import Contender, seated
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import opened

HERE: Final = Path(__file__).parents[1]
GAME: Final = games.find("snakecore")
SEATS: Final = 2
SETUP: Final[Position] = {
    "size": 4, "rounds": 2, "field": ["...."] * 4, "pythons": [{"cells": [[0, 0]]}, {"cells": [[2, 0]]}],
}  # fmt: skip
TIME: Final = TimeControl(first=20.0, answer=0.25, total=None)
"""An instant player needs a ten-thousandth of that; silent players use all of it."""
LIMITS: Final = Limits(memory=64 * MIB, cpu=20)
BEHAVIOURS: Final = ("crashes", "silent", "greedy", "leaves", "shouts", "deaf", *["honest"] * 14)
"""The behaviour of the second player in twenty consecutive matches."""
CANCELLED: Final = 10
"""On average, one match in this number is cancelled."""
SOON: Final = 0.06
"""The latest time of a cancellation in seconds: about the length of a match."""
WARM: Final = 40
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
    """The matches of one run. `folder` has the players, and `counted` the results; `word` is in the players' command lines."""

    def __init__(self, folder: Path, level: Level, word: str) -> None:
        self.counted: Counter[str] = Counter()
        self._level = level
        self.folder = folder
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
            async with seated(sandbox, GAME, list(map(Contender, seats)), pondering=False) as players:
                clocks = loop.clocks_for(TIME, SEATS)
                await loop.play(state, players, clocks, observers=[Tally(self.counted)])

    def _bot(self, program: str, *words: str) -> Bot:
        path = self.folder / program
        return Bot(program, [str(path), *words, self.word], self.folder, files={program: path})


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
