"""An arena that authors upload to, while its processes are killed: `scripts/soak --arena MINUTES`.

1. Twenty bots of seven authors, half of them drawn programs and the others in C++ and Python, are uploaded at the start. From
   then on one of them gets a new version a minute. Some do not compile, some loop.
2. Every two minutes SIGKILL ends one of the four parts or the supervisor, which is started again at once. If the site is the
   victim, half an upload is on its way.
3. A client that got no answer sends the same again, as `referee submit` would. An upload counts once its 202 or 200 has come.
4. The memory of each part is measured every ten seconds. Databases, uploads, matches, saved games and tables are looked at when
   uploads have been served and the arena has ended.
5. If something hangs, an alarm ends everything `TIMEOUT` seconds after the run's time.
"""

from __future__ import annotations

import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

from referee.arena.supervisor import PARTS
from referee.sandbox.cells.children import adopt_orphans
from referee.sandbox.limits import MIB
from soaking import evidence
from soaking.looking import our_processes, private
from soaking.served import Served, joined, made, pause
from soaking.tournament import await_orphans, environment, reap
from soaking.uploads import CLEAN, GAME, KINDS, Bot, bots, content

MINUTE: Final = 60.0
UPLOADS: Final = 60.0
KILLS: Final = 120.0
MEMORY: Final = 10.0
"""Seconds between two uploads, two kills, and two measurements of memory."""
SUPERVISOR: Final = "supervisor"
BOTS: Final = 20
SEED: Final = 7
SEATS: Final = 4
JOBS: Final = 4
DRAIN: Final = 600.0
"""Seconds that intake has to serve the uploads that wait at the end."""
ENDING: Final = 20.0
"""Seconds that orphans have to end."""
TIMEOUT: Final = 2400
"""Seconds after the run's time until it counts as hanging."""
TICK: Final = 0.2
"""Seconds between two looks at the clock."""
TERMINATED: Final = 143
SETTINGS: Final = {
    "match": 'maps = ["quick", "classic"]\nfirst = 5\nanswer = 1',
    "limits": "uploads = 10000",
    "season": "versions = 60\nkeep = 1000000",
}


class ArenaRun:
    """A run of an arena, and what it has shown.

    Attributes:
        accepted: files by the ids that the site has answered. sent: kinds of uploads. memory: MiB of a part.
        killed: victims. unanswered: uploads that had to be sent again.
        wrong: what is not as it should be.
    """

    def __init__(self, arena: Served, keys: dict[str, str]) -> None:
        self.accepted: dict[int, str] = {}
        self.sent, self.killed = Counter[str](), Counter[str]()
        self.memory: dict[str, list[float]] = defaultdict(list)
        self.unanswered, self.wrong = 0, list[str]()
        self._arena, self._keys, self._bots = arena, keys, bots(BOTS)
        self._rng, self._numbers = random.Random(SEED), count(1)

    def play(self, minutes: float) -> None:
        """Do everything in its turn, until the time is over."""
        for bot in self._bots:
            self._upload(bot, CLEAN)
        tasks: list[tuple[float, Callable[[], None]]] = [
            (UPLOADS, lambda: self._upload(self._rng.choice(self._bots), self._rng.choice(KINDS))),
            (KILLS, self._kill),
            (MEMORY, self._measure),
        ]
        due = [time.monotonic() + seconds for seconds, _ in tasks]
        end = time.monotonic() + minutes * MINUTE
        while (now := time.monotonic()) < end:
            for place, (seconds, task) in enumerate(tasks):
                if now >= due[place]:
                    due[place] = now + seconds
                    try:
                        task()
                    except Exception:  # a run goes on, and reports it
                        self.wrong.append(traceback.format_exc())
            reap()
            pause(TICK)

    def drain(self) -> None:
        """Wait until intake has served what was accepted."""
        end = time.monotonic() + DRAIN
        while any(state not in evidence.OVER for state in evidence.states(self._arena.files).values()):
            if time.monotonic() > end:
                self.wrong.append(f"uploads still wait after {DRAIN:.0f} s")
                return
            reap()
            pause(1.0)

    def _upload(self, bot: Bot, kind: str, halfway: Callable[[], Any] | None = None) -> None:
        """Upload a new version, again until there is an answer."""
        file, data = content(bot, kind, next(self._numbers))
        end = time.monotonic() + MINUTE
        while (
            answer := self._arena.upload(self._keys[bot.author], bot.name, file, data, halfway=halfway)
        ) is None and time.monotonic() < end:
            halfway, self.unanswered = None, self.unanswered + 1
            pause(TICK)
        if answer is None or answer[0] not in (200, 202):
            self.wrong.append(f"an upload got {answer}")
            return
        self.accepted[int(answer[1]["id"])] = file
        self.sent[kind] += 1

    def _kill(self) -> None:
        victim = self._rng.choice((*PARTS, SUPERVISOR))

        def kill() -> None:
            self.killed[victim] += self._arena.kill(victim)

        if victim in ("web", SUPERVISOR):
            self._upload(self._rng.choice(self._bots), CLEAN, kill)
        else:
            kill()

    def _measure(self) -> None:
        for part, pid in {**self._arena.parts(), SUPERVISOR: self._arena.pid}.items():
            self.memory[part].append(private(pid) / MIB)


def soak_arena(folder: Path, minutes: float) -> int:
    """Run an arena in a new folder, print the report, and return 0 if nothing was wrong.

    Raises:
        RefereeError: it cannot be started. TimeoutError: something hangs.
    """
    adopt_orphans()
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(int(minutes * MINUTE) + TIMEOUT)
    files = made(folder / "arena", GAME, SEATS, SETTINGS)
    keys = joined(files, sorted({bot.author for bot in bots(BOTS)}))
    with (folder / "log").open("ab") as log:
        arena = Served(files, log, jobs=JOBS, env=environment() | {"XDG_CACHE_HOME": tempfile.gettempdir()})
        try:
            run = ArenaRun(arena, keys)
            run.play(minutes)
            run.drain()
        except BaseException:
            print((folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:], file=sys.stderr)
            raise
        finally:
            code = arena.end()
            await_orphans(time.monotonic() + ENDING)
    if code != TERMINATED:
        run.wrong.append(f"it has ended with exit code {code}")
    left = [name for _, (name, _) in our_processes(str(files.root))]
    run.wrong += [f"a process is left: {name}" for name in left]
    said = (folder / "log").read_text(encoding="utf-8", errors="replace")
    if "Traceback" in said:
        run.wrong.append(f"a part has failed: {said[said.index('Traceback') :][:2000]}")
    run.wrong += [*evidence.damaged(files), *evidence.lost(files, run.accepted)]
    for season in evidence.seasons(files):
        run.wrong += [*evidence.season_defects(season), *evidence.unproved(season)]
    print("\n".join(report(run, arena, minutes)))
    signal.alarm(0)
    return 1 if run.wrong else 0


def report(run: ArenaRun, arena: Served, minutes: float) -> Iterator[str]:
    """The lines of the report."""
    became = Counter(evidence.states(arena.files).values())
    yield f"an arena of {BOTS} bots for {minutes:g} minutes"
    yield f"uploads accepted: {len(run.accepted)} ({_counts(run.sent)}); {run.unanswered} tries had no answer"
    yield f"versions: {_counts(became)}"
    yield f"matches by season: {_counts(evidence.played(arena.files))}"
    yield f"killed: {_counts(run.killed)}; a start was tried again {arena.refused} times"
    yield "\n| private memory, MiB | median | most | first third | last third |\n|---|---|---|---|---|"
    for part in (*PARTS, SUPERVISOR):
        if sizes := run.memory[part]:
            third = max(1, len(sizes) // 3)
            figures = median(sizes), max(sizes), median(sizes[:third]), median(sizes[-third:])
            yield f"| {part} | {' | '.join(f'{figure:.1f}' for figure in figures)} |"
    yield ""
    yield from (f"WRONG: {words}" for words in run.wrong)
    if not run.wrong:
        yield "nothing is lost, twice, or left"


def _counts(counted: Any) -> str:
    things: Iterable[tuple[str, int]] = sorted(counted.items())
    return ", ".join(f"{number} {what}" for what, number in things) or "none"


def _hangs(*_: object) -> None:
    raise TimeoutError("the arena hangs")
