"""A tournament that is only read: its settings and its ledger. `running.py` plays it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from referee import games
from referee.errors import UsageError
from referee.saved.entries import without_collection
from referee.text.words import counted, harmless
from referee.tournament.decisions import decisions, rules_of
from referee.tournament.field import Field, Unready, missing_entrants
from referee.tournament.figures import comparison
from referee.tournament.figures.comparison import NEW, OLD
from referee.tournament.figures.rating import ratings
from referee.tournament.figures.sums import cross_rows, seat_bias
from referee.tournament.figures.table import notes, table
from referee.tournament.formats.compare import Compare
from referee.tournament.ledger import Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.model import Competitor, Rules, match_seed
from referee.tournament.processes import on_all_processors
from referee.tournament.roster import Student, roster, student_of
from referee.tournament.rows import MatchRow
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.settings import Settings, format_of, settings_in

MANY: Final = 300
"""Entrants from which on intervals take so long that all processors work on them."""
OVER: Final = "over"
"""The fact of the ledger that is not empty once the tournament has come to its end."""
_TRY: Final = ("seating", "started", "machine", "why")
_COLUMNS: Final = ("seats", "reason", "tries", "seconds", "started", "machine", "saved", "sha256")


class Comparison(NamedTuple):
    """A line for people, and the JSON document."""

    line: str
    document: Mapping[str, Any]


class Tournament:
    """An open tournament in the folder that has `tournament.toml`, the ledger and the saved games. Close it at the end."""

    def __init__(self, folder: Path, settings: Settings | None = None, ledger: Ledger | None = None) -> None:
        """Read the settings and open the ledger, unless they are given.

        Raises:
            UsageError: the settings or the ledger cannot be used.
        """
        self.folder = folder
        self.settings = settings or settings_in(folder)
        self.game = games.find(self.settings.game)
        self.ledger = ledger or Ledger(folder, writes=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()

    @property
    def decisions(self) -> dict[str, Any]:
        """What the first run decided (`Plan.decides`); a `UsageError` if there was none yet."""
        if (decided := decisions(self.ledger)) is None:
            advice = f"`referee tournament run {self.folder}` plays the tournament"
            raise UsageError(f"{self.folder}: no match is planned yet: {advice}")
        return decided

    @property
    def rules(self) -> Rules:
        """What all formats need to know, as decided in the first run; a `UsageError` if there was none yet."""
        return rules_of(self.decisions)

    @property
    def over(self) -> bool:
        """Whether it has come to its end."""
        return bool(self.ledger.fact(OVER))

    @property
    def rng_seed(self) -> int:
        """The seed of the tournament, as in its first run."""
        return int((decisions(self.ledger) or {"rng_seed": self.settings.run.rng_seed or 0})["rng_seed"])

    def matches(self) -> Iterator[dict[str, Any]]:
        """All matches in the order of the schedule, as `referee tournament matches --json` prints them."""
        return self.documents(self.ledger.played())

    def documents(self, matches: Iterable[tuple[ScheduledMatch, MatchRow]]) -> Iterator[dict[str, Any]]:
        """Matches as `referee tournament matches --json` prints them."""
        level = decided["match"]["isolation"] if (decided := decisions(self.ledger)) else None
        rng_seed = self.rng_seed
        row: Mapping[str, Any]
        for match, row in matches:
            yield {
                "id": match.id,
                "series": match.series.key,
                "seating": match.seating,
                "game": self.game.name,
                "map": match.series.map,
                "rng_seed": match_seed(rng_seed, match.series.key),
                **{name: row[name] for name in _COLUMNS},
                "isolation": level,
            }

    @without_collection()
    def table(self) -> dict[str, Any]:
        """The table and the figures beside it, as `referee tournament table --json` prints them."""
        ledger, seed = self.ledger, self.rng_seed
        field, rules, past = ledger.entrants(), self.rules, LedgerPast(ledger)
        sums = ledger.whole_sums(seed)
        spread = on_all_processors if len(sums.entrants) >= MANY else map
        format_ = format_of(self.settings, rules, field)
        anchor = next((bot.number for bot in field if bot.present and bot.name == self.settings.anchor), None)
        by_number = ratings(field, sums, seats=rules.seats, anchor=anchor, spread=spread)
        ranked = partial(format_.rank, field=field, past=past)
        columns = self._columns(format_.columns(field, past), field)
        rows = table(field, sums, ratings=by_number, by=self.settings.format.by, ranked=ranked, columns=columns)
        return {
            **self._names(), "rng_seed": seed, "seats": rules.seats, "seatings": rules.seatings, "over": self.over,
            "series": sums.series, "matches": sums.matches,
            "table": rows, "cross": cross_rows(sums.pairs), "seat_bias": seat_bias(sums.seats),
        }  # fmt: skip

    def missing_entrants(self, field: Sequence[Competitor]) -> set[int]:
        """The numbers of the entrants whose matches wait until their bots can play (`field.py`, point 4)."""
        return missing_entrants(Field(field, self.ledger.unready())) if self.settings.format.chosen.fixed else set()

    def waiting_notes(self) -> Iterator[str]:
        """What is not played yet because a bot cannot play."""
        field = self.ledger.entrants()
        if not (missing := self.missing_entrants(field)):
            return
        unplayed = Counter(
            number for match in self.ledger.unplayed() for number in missing.intersection(match.entrants)
        )
        for number, count in sorted(unplayed.items()):
            waiting = counted(count, "match waits", "matches wait")
            yield f"{waiting} for {harmless(field[number].name)}, which cannot play: correct it, and run again."

    def notes(self, table: Mapping[str, Any]) -> list[str]:
        """What a reader of the table must know: its order, bots that are new entrants by an edit, matches that wait for a bot,
        and `figures.table.notes`.
        """
        numbers, order = {row["number"] for row in table["table"]}, self.settings.format.table_order
        edits = {it.number: it for it in self.ledger.changes() if it.replaces is not None and it.number in numbers}
        known = [*([f"Order: {order}."] if order else []), *(f"{change}." for change in edits.values())]
        return [*known, *self.waiting_notes(), *notes(table)]

    def comparison(self) -> Comparison:
        """What a comparison has found so far, as `referee compare` prints it."""
        field = self.ledger.entrants()
        chosen = format_of(self.settings, self.rules, field)
        assert isinstance(chosen, Compare)
        finding = chosen.finding(self.ledger.results())
        new, old = (field[number].name for number in (NEW, OLD))
        document = comparison.document(chosen.test, finding, new=new, old=old, seats=chosen.rules.seats)
        return Comparison(comparison.line(chosen.test, finding), document)

    def status(self) -> dict[str, Any]:
        """How far it has come, and why bots and matches failed, as `referee tournament status --json` prints it."""
        scheduled, played, void = self.ledger.counts()
        entrants, unready = self.ledger.entrants(), self.ledger.unready()
        students = roster(self.folder)
        return {
            **self._names(),
            "over": self.over,
            "tours": self.ledger.schedule.planned()[0],
            "entrants": sum(entrant.present for entrant in entrants),
            "matches": {"scheduled": scheduled, "played": played, "void": void},
            "unready": [
                {"name": bot.name, "bot": bot.source, "id": _id(students, bot), "why": bot.why, "number": bot.number}
                for bot in unready
                if not bot.stray
            ],
            "strays": [{"name": bot.name, "bot": bot.source, "why": bot.why} for bot in unready if bot.stray],
            "changes": [asdict(change) for change in self.ledger.changes()],
            "faults": list(self._faults()),
            "failures": [
                {
                    "series": match.series.key,
                    **{name: row[name] for name in _TRY},
                    "names": [entrants[number].name for number in match.entrants],
                }
                for match, row in self.ledger.failures()
            ],
        }

    def _names(self) -> dict[str, str]:
        return {"name": self.settings.name, "game": self.game.name, "format": self.settings.format.kind}

    def _columns(
        self, own: Mapping[int, Mapping[str, Any]], field: Iterable[Competitor]
    ) -> Mapping[int, Mapping[str, Any]]:
        """A format's own columns, and the `id` of each student if there is a roster."""
        if not (students := roster(self.folder)):
            return own
        return {entrant.number: {"id": _id(students, entrant), **own.get(entrant.number, {})} for entrant in field}

    def _faults(self) -> Iterator[dict[str, Any]]:
        for match, row in self.ledger.played(among="faults"):
            for fault in row["faults"]:
                seat = row["seats"][fault["seat"]]
                who = {"match": match.id, "name": seat["name"], "number": seat["number"]}
                yield {**who, **fault, "saved": row["saved"]}


def _id(students: Mapping[str, Student], bot: Competitor | Unready) -> str | None:
    """The `id` of the student whose bot it is."""
    student = student_of(students, bot.source)
    return None if student is None else student.id
