"""A ladder that never ends: what a wave costs after 10², 10⁴ and 10⁶ matches, and what a start and a table cost then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from math import log, log10
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import trio

from benchmarks.rehearsals import marked, memory
from benchmarks.report import Findings, Subject, Table
from benchmarks.setting import Setting
from benchmarks.workers import alone
from referee.cli.tournament.progress import RunProgress
from referee.sandbox.limits import MIB
from referee.tournament.answers import Answer, SeatRow
from referee.tournament.field import Field
from referee.tournament.figures.rating import ratings
from referee.tournament.figures.table import table
from referee.tournament.figures.times import Histogram
from referee.tournament.formats.ladder import Ladder
from referee.tournament.ledger import FILE, Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.runner import Coordinator, Run, run
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.words import Competitor, Rules, scores

SEATS: Final = 4
RULES: Final = Rules(11, SEATS, ("arena",))
BATCH: Final = 50


@dataclass
class Season:
    """Bots of known strength, of whom one leaves and one joins every few waves; and a crew that makes up results.

    Attributes:
        fakes: seconds of CPU time for what a real season would not do here.
    """

    present: int
    leaving: float
    rng: Random = field(default_factory=lambda: Random(5))
    bots: list[Competitor] = field(default_factory=list)
    strengths: list[float] = field(default_factory=list)
    owed: float = 0.0
    fakes: float = 0.0

    def join(self) -> None:
        """A bot joins."""
        number = len(self.bots)
        self.strengths.append(self.rng.gauss(0, 250))
        self.bots.append(Competitor(number, f"author{number}/bot", f"{number:032x}", source=f"bots/{number}"))

    def turn_over(self) -> None:
        """What happens between two waves."""
        self.owed += self.leaving
        while self.owed >= 1:
            self.owed -= 1
            bot = self.rng.choice([bot for bot in self.bots if bot.present])
            self.bots[bot.number] = replace(bot, present=False)
            self.join()

    async def work(self, coordinator: Coordinator) -> None:
        """Report results at once (`runner.Crew`)."""
        while True:
            matches = await coordinator.take(lambda _waiting: BATCH)
            began = process_time()
            answers = [(match, self._answer(coordinator, match)) for match in matches]
            self.fakes += process_time() - began
            await coordinator.ended(answers, began=datetime.now(UTC))
            await trio.lowlevel.checkpoint()

    def _answer(self, coordinator: Coordinator, match: ScheduledMatch) -> Answer:
        """A match in which everybody's luck is such that the model of ratings is right."""
        rng, seats = self.rng, coordinator.job(match).seats
        performances = [self.strengths[seat.number] - 400 * log10(-log(rng.random())) for seat in seats]
        places: Sequence[float] = [sorted(performances, reverse=True).index(mine) + 1 for mine in performances]
        rows, times = list[SeatRow](), []
        for number, (seat, place, score) in enumerate(zip(seats, places, scores(places), strict=True)):
            spent = Histogram()
            for _ in range(60):
                spent.add(rng.lognormvariate(-9, 0.5))
            times.append(spent.as_json())
            rows.append(
                {
                    "seat": number, "number": seat.number, "entrant": seat.content, "name": seat.name, "called": seat.name,
                    "place": place, "score": score, "points": -place, "disqualified": None, "first_ms": rng.random(),
                    "slowest_ms": rng.random(), "total_ms": rng.random(),
                }
            )  # fmt: skip
        return {
            "row": {
                "seats": rows, "reason": "rounds", "seconds": 1.25, "started": "2026-01-01T00:00:00.000000Z", "machine": "m",
                "saved": None, "sha256": "0" * 64, "digest": "", "faults": [], "times": times,
            }
        }  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """A season after so many matches; CPU times in seconds."""

    matches: int
    entrants: int
    wave: float
    memory: int
    ledger: int
    start: float
    table: float
    status: float


def season(folder: Path, present: int, left: int, milestones: Sequence[int]) -> list[Stage]:
    """Play a season. Use a fresh process: the memory is that of the process."""
    waves = milestones[-1] / (max(1, present // (2 * SEATS)) * SEATS)
    bots = Season(present, left / waves)
    stages = []
    for _ in range(present):
        bots.join()
    before = 0
    for matches in milestones:
        recent = max(before, matches - max(matches // 5, BATCH * SEATS))
        for until in (recent, matches):
            with Ledger(folder, writes=True) as ledger:
                start = process_time()
                ledger.enter(Field(bots.bots, []))
                trio.run(played, ledger, bots, until)
                cpu, resident = process_time() - start - bots.fakes, memory("VmRSS")
                played_here = ledger.counts()[1] - before
                bots.fakes, before = 0.0, ledger.counts()[1]
        look = partial(looked_at, folder, len(bots.bots), cpu / max(1, played_here), resident)
        stages.append(alone(look))  # what it leaves in memory is not the season's
    return stages


async def played(ledger: Ledger, season: Season, until: int) -> None:
    """Go on with a season until it has so many matches."""

    async def refresh() -> None:
        season.bots = ledger.entrants()  # as a real run has them: each once in memory
        began = process_time()
        season.turn_over()
        season.fakes += process_time() - began
        ledger.enter(Field(season.bots, []))
        await trio.lowlevel.checkpoint()

    watcher = RunProgress("season", 0, 0)
    format_ = Ladder(RULES, series=until // SEATS)
    await run(Run(ledger, format_, season, RULES.rng_seed, watcher, refresh))


def looked_at(folder: Path, entrants: int, wave: float, resident: int) -> Stage:
    """What people see of a season, and how long that takes."""

    def seconds(work: Callable[[Ledger], object]) -> float:
        with Ledger(folder, writes=False) as ledger:
            began = marked()
            work(ledger)
            return marked().cpu - began.cpu

    def start(ledger: Ledger) -> object:
        return Ladder(RULES).next_tour(ledger.entrants(), LedgerPast(ledger)), ledger.counts()

    def whole_table(ledger: Ledger) -> object:
        bots, sums = ledger.entrants(), ledger.whole_sums(RULES.rng_seed)
        return table(bots, sums, ratings=ratings(bots, sums.pairs, seats=SEATS), by="rating")

    def status(ledger: Ledger) -> object:
        return ledger.counts(), ledger.changes(), ledger.failures(), list(ledger.played(among="faults"))

    with Ledger(folder, writes=False) as ledger:
        matches = ledger.counts()[1]
    size = sum(path.stat().st_size for path in folder.glob(f"{FILE}*"))
    figures = (seconds(work) for work in (start, whole_table, status))
    return Stage(matches, entrants, wave, resident, size, *figures)


def measure(setting: Setting) -> Findings:
    """A season in a process of its own."""
    present, left = setting.pick((400, 4_000), (16, 8))
    milestones = setting.pick((100, 10_000, 1_000_000), (40, 200))
    stages = alone(partial(season, setting.room("season"), present, left, milestones))
    head = (
        "after matches", "entrants so far", "ms of CPU per match", "RSS, MiB", "ledger, bytes a match",
        "planning a wave at a start, s", "table, s", "status, s",
    )  # fmt: skip
    rows = [
        [
            stage.matches, stage.entrants, stage.wave * 1e3, stage.memory / MIB, stage.ledger / stage.matches, stage.start,
            stage.table, stage.status,
        ]
        for stage in stages
    ]  # fmt: skip
    return Findings([Table(head, rows, f"A ladder of {present} bots, {SEATS} seats, by made-up results")])


SUBJECT = Subject(
    "ladder",
    "An endless ladder",
    "A season in which all matches end at once with made-up results: what remains is the coordinator's work. Bots leave and "
    "join all the time. The cost of a match and the memory are those of its last fifth; a start, a table and a status are "
    "those of a command, without the start of Python.",
    measure,
)
