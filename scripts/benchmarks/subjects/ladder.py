"""A ladder that never ends: what a wave costs after 10², 10⁴ and 10⁶ matches, and what a start and a table cost then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import trio

from benchmarks.programs.instant_worker import row as made_up
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, memory
from benchmarks.workers import alone
from referee.cli.tournament.progress import RunProgress
from referee.sandbox.limits import MIB
from referee.tournament.answers import Answer
from referee.tournament.field import Field
from referee.tournament.figures.rating import ratings
from referee.tournament.figures.table import table
from referee.tournament.formats.ladder import Ladder
from referee.tournament.ledger import FILE, Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.model import Competitor, Rules
from referee.tournament.runner import Coordinator
from referee.tournament.schedule_tables import ScheduledMatch

SEATS: Final = 4
RULES: Final = Rules(11, SEATS, ("arena",))
BATCH: Final = 50


@dataclass
class Season:
    """Bots of which one leaves and one joins every few waves; and a crew that makes up results.

    Attributes:
        fakes: seconds of CPU time for what a real season would not do here.
    """

    present: int
    leaving: float
    rng: Random = field(default_factory=lambda: Random(5))
    bots: list[Competitor] = field(default_factory=list)
    owed: float = 0.0
    fakes: float = 0.0

    def join(self) -> None:
        """A bot joins."""
        number = len(self.bots)
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
            answers: list[tuple[ScheduledMatch, Answer]] = [
                (match, {"row": made_up(coordinator.job(match).model_dump())}) for match in matches
            ]
            self.fakes += process_time() - began
            await coordinator.ended(answers, began=datetime.now(UTC))
            await trio.lowlevel.checkpoint()


def season(folder: Path, present: int, left: int, milestones: Sequence[int]) -> list[list[Cell]]:
    """Play a season; a row for each milestone. Use a fresh process: the memory is that of the process."""
    waves = milestones[-1] / (max(1, present // (2 * SEATS)) * SEATS)
    bots = Season(present, left / waves)
    for _ in range(present):
        bots.join()
    rows: list[list[Cell]] = []
    before = 0
    for matches in milestones:
        recent = max(before, matches - max(matches // 5, BATCH * SEATS))
        for until in (recent, matches):
            with Ledger(folder, writes=True) as ledger:
                start = process_time()
                ledger.enter(Field(bots.bots, []))
                trio.run(played, ledger, bots, until)
                cpu, resident = process_time() - start - bots.fakes, memory()
                count = ledger.counts()[1]
                wave = cpu / max(1, count - before)
                bots.fakes, before = 0.0, count
        size = sum(path.stat().st_size for path in folder.glob(f"{FILE}*"))
        looks = alone(partial(looked_at, folder))  # what it leaves in memory is not the season's
        rows.append([before, len(bots.bots), wave * 1e3, resident / MIB, size / before, *looks])
    return rows


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
    await Coordinator(ledger, format_, RULES.rng_seed, watcher, refresh).run(season)


def looked_at(folder: Path) -> list[float]:
    """What people see of a season: seconds of CPU time for planning a wave at a start, a table, and a status."""

    def start(ledger: Ledger) -> object:
        return Ladder(RULES).next_tour(ledger.entrants(), LedgerPast(ledger)), ledger.counts()

    def whole_table(ledger: Ledger) -> object:
        bots, sums = ledger.entrants(), ledger.whole_sums(RULES.rng_seed)
        return table(bots, sums, ratings=ratings(bots, sums, seats=SEATS), by="rating")

    def status(ledger: Ledger) -> object:
        return ledger.counts(), ledger.changes(), ledger.failures(), list(ledger.played(among="faults"))

    seconds = []
    for work in (start, whole_table, status):
        with Ledger(folder, writes=False) as ledger:
            began = process_time()
            work(ledger)
            seconds.append(process_time() - began)
    return seconds


def measure(setting: Setting) -> Findings:
    """A season in a process of its own."""
    present, left = setting.pick((400, 4_000), (16, 8))
    milestones = setting.pick((100, 10_000, 1_000_000), (40, 200))
    head = (
        "after matches", "entrants so far", "ms of CPU per match", "RSS, MiB", "ledger, bytes a match",
        "planning a wave at a start, s", "table, s", "status, s",
    )  # fmt: skip
    rows = alone(partial(season, setting.room("season"), present, left, milestones))
    return Findings([Table(head, rows, f"A ladder of {present} bots, {SEATS} seats, by made-up results")])


SUBJECT = Subject(
    "ladder",
    "An endless ladder",
    "A season in which all matches end at once with made-up results: what remains is the coordinator's work. Bots leave and "
    "join all the time. The cost of a match and the memory are those of its last fifth; a start, a table and a status are "
    "those of a command, without the start of Python.",
    measure,
)
