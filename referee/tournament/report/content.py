"""What the pages of a report show: the figures of a tournament, and its matches and faults by entrant. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from string import ascii_letters, digits
from typing import Final, NamedTuple

from referee.text.markup import Html
from referee.tournament.figures.sums import both_orders
from referee.tournament.model import Competitor
from referee.tournament.report.course import Course
from referee.tournament.report.naming import MatchName
from referee.tournament.report.shown import Row, ShownMatches

NOTHING: Final = "–"
INDEX: Final = "index.html"
RESULTS: Final = "results.html"
GENERATOR: Final = "referee tournament report"
"""What all pages name as their generator."""
_PLAIN: Final = frozenset(f"{ascii_letters}{digits}.-")


class Place(NamedTuple):
    """A match by its id, a seat, and the step in which its bot failed; None for the whole match."""

    match: str
    seat: int
    step: int | None


class Failures(NamedTuple):
    """Faults of one entrant at the same request, of the same kind.

    Attributes:
        times: in how many matches. first: the evidence of the first, as `referee tournament status --json` has it.
    """

    times: int
    first: Row

    @property
    def place(self) -> Place:
        """Where the first was."""
        return Place(self.first["match"], self.first["seat"], self.first["step"])


class Excerpt(NamedTuple):
    """What a saved game shows of one seat.

    Attributes:
        request: the request to which its bot failed. board: a picture of that moment, or of one in which it lost points.
        lost: what it lost points to, in sentences.
    """

    request: str | None = None
    board: Html | None = None
    lost: Sequence[str] = ()


class Site(NamedTuple):
    """The site that a report is a part of.

    Attributes:
        title: of its front page. home: the address of that page, from the first page of the report.
        progress: how far this tournament is, in sentences for readers of the site.
    """

    title: str
    home: str
    progress: str


@dataclass(frozen=True)
class Report:
    """Everything that the pages of a tournament show.

    Attributes:
        folder: the tournament's, as the user named it, for commands.
        table, status: as `referee tournament table` and `status` print them with --json.
        matches: those that pages show. course: the percents of the entrants in the table over time.
        notes: what a reader of the table must know, in sentences.
        entrants: all by number, those that left too.
        game: its title. rounds: None for the map's own.
        limit: seconds for an answer. memory: bytes that a player may use; None without a sandbox.
        student: whether there are pages for students. refresh: whether browsers load pages again.
        style: the style sheet.
        excerpts: what saved games show; only for pages for students.
        with_page: the ids of the matches that have a page.
        match_names: the names of the matches that pages show, by id.
        site: what the report is a part of; None if it stands alone.
    """

    folder: str
    table: Row
    status: Row
    matches: ShownMatches
    course: Course
    notes: Sequence[str]
    entrants: Sequence[Competitor]
    game: str
    maps: Sequence[str]
    rounds: int | None
    limit: float
    memory: int | None
    student: bool
    refresh: bool
    style: str
    excerpts: Mapping[Place, Excerpt]
    with_page: frozenset[str] = frozenset()
    match_names: Mapping[str, MatchName] = field(default_factory=dict)
    site: Site | None = None

    @property
    def name(self) -> str:
        """The tournament's."""
        return str(self.table["name"])

    @property
    def rows(self) -> Sequence[Row]:
        """The rows of the table, best first."""
        rows: Sequence[Row] = self.table["table"]
        return rows

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of all entrants by number."""
        return {entrant.number: entrant.name for entrant in self.entrants}

    @cached_property
    def order(self) -> Sequence[int]:
        """The numbers of all entrants: in the order of the table, then those that left."""
        present = [row["number"] for row in self.rows]
        return [*present, *(number for number in self.names if number not in set(present))]

    @cached_property
    def pairs(self) -> Mapping[tuple[int, int], tuple[float, int]]:
        """See `both_orders`."""
        return both_orders(self.table["cross"])

    @cached_property
    def failures(self) -> Mapping[int, Sequence[Failures]]:
        """The faults of each entrant, in the order of the schedule."""
        return failures_of(self.names, self.status["faults"])

    def title(self, match: str) -> str:
        """What people call a match; its id if the schedule does not have it."""
        return self.match_names[match].title(self.names) if match in self.match_names else match

    def row_of(self, number: int) -> Row | None:
        """The row of an entrant in the table; None if it left."""
        return next((row for row in self.rows if row["number"] == number), None)

    def path(self, saved: str) -> str:
        """The path of a saved game as commands name it."""
        return f"{self.folder.rstrip('/')}/{saved}"


def failures_of(numbers: Iterable[int], faults: Iterable[Row]) -> dict[int, list[Failures]]:
    """The faults of each of these entrants, of those that `referee tournament status --json` prints."""
    groups: dict[tuple[int, str, str], list[Row]] = {}
    for fault in faults:
        groups.setdefault((fault["number"], fault["kind"], fault["request"]), []).append(fault)
    failures: dict[int, list[Failures]] = {number: [] for number in numbers}
    for (number, _, _), alike in groups.items():
        failures[number].append(Failures(len(alike), alike[0]))
    return failures


def results_of(entrant: int | None = None, rival: int | None = None) -> str:
    """The address of the list of results in the report; of the matches of one entrant, or of two."""
    filters = [("entrant", entrant), ("rival", rival)]
    fragment = "&".join(f"{key}={number}" for key, number in filters if number is not None)
    return RESULTS + (f"#{fragment}" if fragment else "")


def page_of(match: str) -> str:
    """The path of a match's page in the report, by its id: `matches/0-1_arena_0_2.html`."""
    characters = ("_" if it in "/#" else it if it in _PLAIN else f"~{ord(it):02x}" for it in map(chr, match.encode()))
    return f"matches/{''.join(characters)}.html"


def number(value: float | None, digits: int = 0) -> str:
    """A figure for people."""
    return NOTHING if value is None else f"{value:z.{digits}f}".replace("-", "−")


def points(value: float | None) -> str:
    """The game's own points of a match, for people."""
    return number(value, 0 if value is None or value == int(value) else 1)


def faults_of(row: Row) -> int:
    """The number of matches in which an entrant was disqualified."""
    return sum(row["faults"].values())


def half_width(row: Row) -> float | None:
    """Half of the width of the interval of a rating; None without one."""
    return None if row["rating_low"] is None else (row["rating_high"] - row["rating_low"]) / 2
