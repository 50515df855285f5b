"""A tournament in its folder: its settings, its ledger, and what both say together."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee import games
from referee.errors import UsageError
from referee.text.words import did_you_mean, shorten
from referee.tournament import parts
from referee.tournament.entering import entering
from referee.tournament.field import Unready, admitted
from referee.tournament.figures import sprt
from referee.tournament.figures.comparison import NEW, OLD
from referee.tournament.figures.notes import notes
from referee.tournament.figures.pairs import cross, cross_rows
from referee.tournament.figures.rating import ratings
from referee.tournament.figures.seat_bias import seat_bias
from referee.tournament.figures.table import Played, table
from referee.tournament.figures.times import Times
from referee.tournament.formats.compare import Compare
from referee.tournament.ledger import Ledger
from referee.tournament.parts import Merged, Part
from referee.tournament.planning import DECIDES, Plan, check_unchanged, decided, format_of, planned
from referee.tournament.playing import Opening
from referee.tournament.roster import Student, roster, student_of, without_bot
from referee.tournament.rows import MatchRow
from referee.tournament.runner import Crew, Run, Watcher, run
from referee.tournament.settings import Settings, interpreter, seed_in, settings_in
from referee.tournament.words import GAMES, Entrant, Results, Rules, SeriesResult, Tour, match_seed

_OVER: Final = "over"
_ID: Final = "id"
_TRY: Final = ("seating", "started", "machine", "why")
_COLUMNS: Final = ("seats", "reason", "tries", "seconds", "started", "machine", "saved", "sha256")


class Comparison(NamedTuple):
    """A line for people, and the JSON document."""

    line: str
    document: Mapping[str, Any]


class Tournament:
    """An open tournament. Close it at the end.

    Attributes:
        folder: with `tournament.toml`, the ledger and the saved games.
    """

    def __init__(
        self, folder: Path, *, settings: Settings | None = None, writes: bool = False, part: Part | None = None
    ) -> None:
        """Read the settings and open the ledger.

        Args:
            settings: the settings, if the folder has none.
            writes: the caller runs the tournament and has the lock (`locking.only_writer`).
            part: run only its shard, and write there. The lock is that of `part.files`.

        Raises:
            UsageError: the settings or the ledger cannot be used.
        """
        self.folder = folder
        self._fixed = settings
        self.settings = settings or settings_in(folder)
        self.game = games.find(self.settings.game)
        self.ledger = Ledger(folder, writes=writes, part=None if part is None else part.path)
        self._part = part
        self._files = folder if part is None else part.files
        if part is not None:
            parts.begin(self.ledger, folder, self.settings, part)

    def __enter__(self) -> Tournament:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()

    async def enter(self, say: Callable[[str], None]) -> tuple[Plan, list[Unready]]:
        """Bring the field up to date: build the bots, copy new contents, and note who is not ready. Says what has
        changed, and the plan before the first match.

        Raises:
            UsageError: a bot does not exist, the settings do not fit, or they have changed since the first match.
            IsolationError: bots cannot be built here. BotError: a bot cannot play in a shard.
        """
        settings = self._fixed or settings_in(self.folder)
        interpreter(self.folder, settings)  # refused before the ledger has it, so that it can be corrected
        seed = seed_in(self.folder, settings)
        ready, unready = await entering(self.folder, settings, self.game, say, home=self._files)
        field = admitted(self.ledger.entrants(), ready, unready, teams=settings.format.teams)
        before = decided(self.ledger)
        seats = before["match"]["seats"] if before is not None else None
        present = sum(one.present for one in field.entrants)
        plan = planned(self.folder, settings, self.game, seed, seats=seats, field=present, unready=field.unready)
        if before is not None:
            check_unchanged(plan, before)
        if self._part is not None:
            parts.check_field(self.ledger, self._part, ready, [one for one in unready if not one.stray])
        self.settings = settings
        self.ledger.keep(DECIDES, json.dumps(plan.decides()))
        for change in self.ledger.enter(field):
            say(str(change))
        if not self.ledger.begun:
            sources = [*(one.source for one in ready), *(one.source for one in unready)]
            if missing := without_bot(roster(self.folder), sources):
                say(missing)
            say(f"plan: {format_of(self.folder, settings, plan.rules, field.entrants).outline(present)}")
        return plan, list(field.unready)

    async def run(
        self,
        plan: Plan,
        crew: Callable[[Opening], Crew],
        watcher: Watcher,
        say: Callable[[str], None],
        *,
        only: str | None = None,
    ) -> None:
        """Play it to its end.

        Args:
            crew: makes those who play the matches.
            only: play only the matches of this bot that are due.

        Raises:
            UsageError: no bot that takes part has that name. The errors of `runner.run` and `enter`.
        """
        present = [one.name for one in self.ledger.entrants() if one.present]
        if only is not None and only not in present:
            raise UsageError(f"no bot is called {shorten(repr(only))}{did_you_mean(only, present)}")

        async def refresh() -> None:
            if self.settings.format.kind != "ladder" and not self.settings.format.teams:
                return
            known = self.ledger.unready()
            try:
                _, unready = await self.enter(say)
            except UsageError as wrong:
                say(f"the field stays as it is: {wrong}")
                return
            for one in unready:
                if one not in known and not one.stray:
                    say(one.line)

        self.ledger.keep(_OVER, "")
        chosen = format_of(self.folder, self.settings, plan.rules, self.ledger.entrants())
        shard = None
        if self._part is not None:
            shard = self._part.shard
            parts.schedule(self.ledger, chosen)
            _, played, _ = self.ledger.counts()
            watcher.planned("", played + parts.unplayed(self.ledger, shard.total)[shard], played)
        places = {"folder": str(self._files.resolve()), "games": str((self._files / GAMES).resolve())}
        opening = plan.opening().model_copy(update=places)
        await run(Run(self.ledger, chosen, crew(opening), plan.rules.rng_seed, watcher, refresh, only, shard))
        if not any(self.ledger.unplayed()):
            self.ledger.keep(_OVER, "yes")

    def merge(self, paths: Iterable[Path]) -> list[Merged]:
        """Take over the matches of parts.

        Raises:
            UsageError: one is no part of this tournament. Those before it were merged.
        """
        found = [parts.merge(self.ledger, self.folder, self.settings, self.game, path) for path in paths]
        field, history, results = self.ledger.entrants(), self.ledger.tours(), self.ledger.results()
        chosen = format_of(self.folder, self.settings, self.rules, field)
        over = not any(self.ledger.unplayed()) and chosen.next_tour(field, history, results) is None
        self.ledger.keep(_OVER, "yes" if over else "")
        return found

    @property
    def rules(self) -> Rules:
        """What all formats need to know, as decided in the first run.

        Raises:
            UsageError: there was none yet.
        """
        told = decided(self.ledger)
        if told is None:
            raise UsageError(
                f"{self.folder}: no match is planned yet: `referee tournament run {self.folder}` plays the tournament"
            )
        match = told["match"]
        return Rules(told["rng_seed"], match["seats"], tuple(match["maps"]), match["seatings"], match["repeat"])

    @property
    def over(self) -> bool:
        """Whether it has come to its end."""
        return bool(self.ledger.fact(_OVER))

    @property
    def rng_seed(self) -> int:
        """The seed of the tournament, as in its first run."""
        return int((decided(self.ledger) or {"rng_seed": self.settings.run.rng_seed or 0})["rng_seed"])

    @property
    def id(self) -> str:
        """A word that no other tournament has, drawn on first use. Workers of a cluster name their folders by it."""
        if self.ledger.fact(_ID) is None:
            self.ledger.keep(_ID, secrets.token_hex(6))
        return str(self.ledger.fact(_ID))

    def matches(self) -> Iterator[dict[str, Any]]:
        """All matches in the order of the schedule, as `referee tournament matches --json` prints them."""
        level = told["match"]["isolation"] if (told := decided(self.ledger)) else None
        for row in self.ledger.rows():
            yield {
                "id": f"{row['key']}#{row['seating']}",
                "series": row["key"],
                "seating": row["seating"],
                "game": self.game.name,
                "map": row["map"],
                "rng_seed": match_seed(self.rng_seed, row["key"]),
                **{name: row[name] for name in _COLUMNS},
                "isolation": level,
            }

    def table(self) -> dict[str, Any]:
        """The table and the figures beside it, as `referee tournament table --json` prints them."""
        ledger, seed = self.ledger, self.rng_seed
        played = defaultdict[int, Played](Played)
        field, history, results = ledger.entrants(), ledger.tours(), ledger.results(tell=partial(_note, played))
        ended = _ended(history, results)
        counted = [one for one in ended if not one.void]
        rules = self.rules
        chosen = format_of(self.folder, self.settings, rules, field)
        anchor = next((one.number for one in field if one.present and one.name == self.settings.anchor), None)
        return {
            "name": self.settings.name,
            "game": self.game.name,
            "format": self.settings.format.kind,
            "rng_seed": seed,
            "seats": rules.seats,
            "seatings": rules.seatings,
            "over": self.over,
            "series": len(counted),
            "matches": sum(len(one.matches) for one in counted),
            "table": table(
                field,
                ended,
                rng_seed=seed,
                ratings=ratings(field, ended, rng_seed=seed, anchor=anchor),
                played=played,
                by_points=self.settings.format.order == "points",
                ranked=lambda order: chosen.ranked(order, field, history, results),
                columns=self._columns(chosen.columns(field, history, results), field),
            ),
            "cross": cross_rows(cross(ended)),
            "seat_bias": seat_bias(ended),
        }

    def notes(self, table: Mapping[str, Any]) -> list[str]:
        """What a reader of the table must know: those of its bots that are new entrants by an edit, and `figures.notes`."""
        here = {row["number"] for row in table["table"]}
        edits = {one.number: one for one in self.ledger.changes() if one.replaces is not None and one.number in here}
        return [*(f"{change}." for change in edits.values()), *notes(table)]

    def ended(self) -> list[SeriesResult]:
        """All series that have ended, in the order of the schedule."""
        return _ended(self.ledger.tours(), self.ledger.results())

    def comparison(self) -> Comparison:
        """What a comparison has found so far, as `referee compare` prints it."""
        field = self.ledger.entrants()
        chosen = format_of(self.folder, self.settings, self.rules, field)
        assert isinstance(chosen, Compare)
        finding = chosen.finding(self.ledger.results())
        new, old = (field[number].name for number in (NEW, OLD))
        found = sprt.document(chosen.test, finding, new=new, old=old, seats=chosen.rules.seats)
        return Comparison(sprt.line(chosen.test, finding), found)

    def status(self) -> dict[str, Any]:
        """How far it has come, and why bots and matches failed, as `referee tournament status --json` prints it."""
        scheduled, played, void = self.ledger.counts()
        unready = self.ledger.unready()
        students = roster(self.folder)
        return {
            "name": self.settings.name,
            "game": self.game.name,
            "format": self.settings.format.kind,
            "over": self.over,
            "tours": len(self.ledger.tours()),
            "entrants": sum(one.present for one in self.ledger.entrants()),
            "matches": {"scheduled": scheduled, "played": played, "void": void},
            "unready": [
                {"name": bot.name, "bot": bot.source, "id": _id(students, bot), "why": bot.why, "number": bot.number}
                for bot in unready
                if not bot.stray
            ],
            "strays": [{"name": bot.name, "bot": bot.source, "why": bot.why} for bot in unready if bot.stray],
            "changes": [one.as_json() for one in self.ledger.changes()],
            "faults": list(self._faults()),
            "failures": [
                {"series": match.series.key, **{name: row[name] for name in _TRY}}
                for match, row in self.ledger.failures()
            ],
        }

    def _columns(
        self, own: Mapping[int, Mapping[str, Any]], field: Iterable[Entrant]
    ) -> Mapping[int, Mapping[str, Any]]:
        """A format's own columns, and the `id` of each student if there is a roster."""
        if not (students := roster(self.folder)):
            return own
        return {one.number: {"id": _id(students, one), **own.get(one.number, {})} for one in field}

    def _faults(self) -> Iterator[dict[str, Any]]:
        for row in self.ledger.rows():
            for fault in row["faults"]:
                seat = row["seats"][fault["seat"]]
                yield {
                    "match": f"{row['key']}#{row['seating']}",
                    "name": seat["name"],
                    "number": seat["number"],
                    **fault,
                    "saved": row["saved"],
                }


def _note(played: Mapping[int, Played], rows: Iterable[MatchRow], result: SeriesResult | None) -> None:
    """Note the last name of each entrant's players and, if the series counts, their answer times."""
    for row in rows:
        for seat in row["seats"]:
            if seat["called"] is not None:
                played[seat["number"]].called = seat["called"]
        if result is not None and not result.void:
            for seat, numbers in zip(row["seats"], row["times"], strict=True):
                played[seat["number"]].times.merge(Times.from_json(numbers))


def _ended(history: Iterable[Tour], results: Results) -> list[SeriesResult]:
    return [results[one.key] for tour in history for one in tour.series if one.key in results]


def _id(students: Mapping[str, Student], bot: Entrant | Unready) -> str | None:
    """The `id` of the student whose bot it is."""
    student = student_of(students, bot.source)
    return None if student is None else student.id
