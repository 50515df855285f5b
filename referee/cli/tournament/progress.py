"""What a tournament shows while it runs: a bar and the standings on a terminal, otherwise a line a match on stderr."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

import trio
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from typing_extensions import override

from referee.cli.narrator import narrate
from referee.moments.formatting import duration
from referee.terminal.console import is_tty, make_console
from referee.text.words import counted, harmless, shorten
from referee.tournament.runner import Watcher
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.tournament import Tournament

INTERVAL: Final = 0.5
"""Seconds between two pictures."""
RECENT: Final = 50
"""Matches from which the speed is measured."""
NAME: Final = 24
FAULTS: Final = 3
"""Faults that are shown, the newest last."""
FRAME: Final = 6
"""Lines of a picture beside standings, players and faults."""


@asynccontextmanager
async def show_progress(tournament: Tournament, *, quiet: bool) -> AsyncIterator[Watcher]:
    """A watcher for `RunningTournament.run`, which shows what happens until the end of the context."""
    name, (scheduled, played, _) = tournament.settings.name, tournament.ledger.counts()
    if quiet:
        yield RunProgress(name, scheduled, played)
    elif not is_tty(sys.stderr):
        yield Lines(name, scheduled, played)
    else:
        progress = RunProgress(name, scheduled, played)
        console = make_console(sys.stderr, color="auto", environ=os.environ)
        with Live(console=console, auto_refresh=False, transient=True) as live:
            async with trio.open_nursery() as nursery:

                async def draw() -> None:
                    while True:
                        live.update(picture(progress, console), refresh=True)
                        await trio.sleep(INTERVAL)

                nursery.start_soon(draw)
                yield progress
                nursery.cancel_scope.cancel()


@dataclass
class RunProgress(Watcher):
    """A watcher that remembers what a picture shows.

    Attributes:
        scheduled, played: matches so far; the schedule grows by tours.
        names: the last name of each entrant, by number. scores: its score, possible score and matches of this run. A match
            counts as soon as it has ended.
        playing: the players of each match that is being played.
        ends: when the last matches ended. faults: the newest faults.
    """

    name: str
    scheduled: int
    played: int
    tour: str = ""
    names: dict[int, str] = field(default_factory=dict)
    scores: dict[int, list[float]] = field(default_factory=dict)
    playing: dict[str, Sequence[str]] = field(default_factory=dict)
    ends: deque[float] = field(default_factory=lambda: deque([monotonic()], RECENT))
    faults: deque[str] = field(default_factory=lambda: deque(maxlen=FAULTS))

    @override
    def planned(self, tour: str, scheduled: int, played: int) -> None:
        self.tour, self.scheduled, self.played = tour, scheduled, played

    @override
    def began(self, match: ScheduledMatch, names: Sequence[str]) -> None:
        self.playing[match.id] = names

    @override
    def ended(self, match: ScheduledMatch, row: Mapping[str, Any]) -> None:
        self.playing.pop(match.id, None)
        self.played += 1
        self.ends.append(monotonic())
        for seat in row["seats"]:
            self.names[seat["number"]] = seat["name"]
            sums = self.scores.setdefault(seat["number"], [0.0, 0.0, 0.0])
            for index, more in enumerate((seat["score"], len(row["seats"]) - 1, 1)):
                sums[index] += more
        for fault in row["faults"]:
            name = row["seats"][fault["seat"]]["name"]
            self._tell(f"{shorten(harmless(name), NAME)}: {fault['kind']} at {fault['request']}: {fault['detail']}")

    @override
    def failed(self, match: ScheduledMatch, why: str, *, void: bool) -> None:
        self.playing.pop(match.id, None)
        self.played += void
        self._tell(f"{match.id}: {'void' if void else 'played again'}: {why}")

    def _tell(self, fault: str) -> None:
        if fault in self.faults:
            self.faults.remove(fault)
        self.faults.append(fault)

    @property
    def a_minute(self) -> float | None:
        """Matches a minute, lately; None before two have ended."""
        took = self.ends[-1] - self.ends[0]
        return 60 * (len(self.ends) - 1) / took if len(self.ends) > 2 and took > 0 else None


class Lines(RunProgress):
    """A watcher that prints a line for each match, in the words of the chess tools."""

    @override
    def ended(self, match: ScheduledMatch, row: Mapping[str, Any]) -> None:
        super().ended(match, row)
        names = " vs ".join(seat["name"] for seat in row["seats"])
        scores = "-".join(f"{seat['score']:g}" for seat in row["seats"])
        faults = "".join(f"; {row['seats'][fault['seat']]['name']}: {fault['kind']}" for fault in row["faults"])
        narrate(f"Finished game {self.played} of {self.scheduled} ({names}): {scores} {{{row['reason']}{faults}}}")

    @override
    def failed(self, match: ScheduledMatch, why: str, *, void: bool) -> None:
        super().failed(match, why, void=void)
        narrate(self.faults[-1])


def picture(progress: RunProgress, console: Console) -> RenderableType:
    """The state of a run, at most as high as the terminal."""
    bar = Table.grid(expand=True)
    bar.add_row(ProgressBar(total=max(1, progress.scheduled), completed=progress.played))
    playing = [" vs ".join(shorten(harmless(name), NAME) for name in names) for names in progress.playing.values()]
    below = [Text(f"playing: {line}", overflow="ellipsis", no_wrap=True) for line in playing[:4]]
    below += [Text(harmless(fault), style="red", overflow="ellipsis", no_wrap=True) for fault in progress.faults]
    room = max(1, console.height - FRAME - len(below))
    return Group(_heading(progress), bar, _standings(progress, room), *below)


def _heading(progress: RunProgress) -> Text:
    speed = progress.a_minute
    words = [
        shorten(harmless(progress.name), NAME),
        f"tour {progress.tour}" if progress.tour else "",
        f"{progress.played} of {counted(progress.scheduled, 'match', 'matches')}",
    ]
    if speed:
        left = 60 * (progress.scheduled - progress.played) / speed
        words += [f"{speed:.0f} a minute", f"{duration(left)} left"]
    return Text(" · ".join(word for word in words if word), style="bold", overflow="ellipsis", no_wrap=True)


def _standings(progress: RunProgress, room: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("name", overflow="ellipsis", no_wrap=True, max_width=NAME)
    for heading in ("matches", "percent"):
        table.add_column(heading, justify="right", no_wrap=True)
    best = sorted(progress.scores.items(), key=lambda item: (-item[1][0] / (item[1][1] or 1), progress.names[item[0]]))
    for number, (score, possible, matches) in best[:room]:
        table.add_row(Text(harmless(progress.names[number])), f"{matches:.0f}", f"{100 * score / (possible or 1):.1f}")
    if len(best) > room:
        table.add_row("...", "", "")
    return table
