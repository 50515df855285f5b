"""Reports from results as tests write them (`tournament.figures.played`), and pages read back without a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from importlib.resources import files
from random import Random
from typing import Any, Final

from tournament.figures.played import drawn_by

from referee.tournament.figures.rating import ratings
from referee.tournament.figures.sums import Sums, cross_rows, seat_bias
from referee.tournament.figures.table import table
from referee.tournament.figures.times import Histogram
from referee.tournament.model import Competitor, Series, SeriesResult
from referee.tournament.report.content import Report, failures_of
from referee.tournament.report.course import CourseBuilder
from referee.tournament.report.naming import MatchName, match_names
from referee.tournament.report.shown import Games, Row, ShownMatches

STYLE: Final = (files("referee.tournament.report") / "report.css").read_text(encoding="utf-8")
HOSTILE: Final = '</title><script>alert(1)</script>"><b onclick="x"> \u202eevil\x1b[31m & \'quoted\''
SCRIPT: Final = (files("referee.tournament.report") / "results.js").read_text(encoding="utf-8")
VOID: Final = frozenset({"meta", "link", "br", "input"})


@dataclass
class Node:
    tag: str
    attributes: dict[str, str | None]
    children: list[Node | str] = field(default_factory=list)

    def all(self, tag: str, **attributes: str) -> list[Node]:
        """The elements within it that have this tag and these attributes (`data_number` means `data-number`)."""
        wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [node for node in self.within() if node.tag == tag and wanted.items() <= node.attributes.items()]

    def one(self, tag: str, **attributes: str) -> Node:
        """The only such element."""
        (node,) = self.all(tag, **attributes)
        return node

    def within(self) -> Iterator[Node]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.within()

    @property
    def text(self) -> str:
        """All text within it."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def figures(self) -> dict[str, str]:
        """The exact figures of a row, by column."""
        cells = [cell for cell in self.all("td") if "data-col" in cell.attributes]
        return {str(cell.attributes["data-col"]): cell.attributes.get("data-value") or "" for cell in cells}


class _Reader(HTMLParser):
    """Reads a page; everything has to be closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {attrs}"
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def elements(page: str) -> Node:
    """A page as elements. It is well-formed."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    (root,) = reader.open
    return root


def parsed(page: str, *, scripts: int = 0) -> Node:
    """A page of a report as elements. It is well-formed, its ids are unique, its links within it lead to one of them, and nothing
    in it can run or load anything.

    Args:
        scripts: the number of its own scripts.
    """
    root = elements(page)
    ids = [node.attributes["id"] for node in root.within() if "id" in node.attributes]
    assert len(set(ids)) == len(ids)
    assert len(root.all("script")) == scripts
    for node in root.within():
        assert node.tag not in {"iframe", "object", "embed", "img", "form", "base", "foreignobject"}
        assert not [name for name in node.attributes if name.startswith("on") or name in {"style", "src", "action"}]
        target = node.attributes.get("href") or ""
        assert target == "data:," if node.tag == "link" else ":" not in target and not target.startswith("/")
        assert not target.startswith("#") or target[1:] in ids
    return root


def names_of(*tours: Sequence[Series]) -> dict[str, MatchName]:
    """The names of all matches of these tours."""
    series = [(tour, entry) for tour, entries in enumerate(tours) for entry in entries]
    scheduled = [(tour, number, entry) for number, (tour, entry) in enumerate(series, 1)]
    return match_names(scheduled, [f"t{tour}" for tour in range(len(tours))], range(1, len(series) + 1))


def matches_of(
    documents: Iterable[Row], numbers: Iterable[int], *, faults: Sequence[Row] = (), games: Games = "best"
) -> ShownMatches:
    """The matches that pages show, of documents in the order of the schedule."""
    failures = failures_of(numbers := list(numbers), faults).values()
    firsts = {group.first["match"] for groups in failures for group in groups}
    matches = ShownMatches(numbers, games=games, faults=faults, firsts=firsts)
    for number, document in enumerate(documents, 1):
        matches.add((number, 0), document)
    return matches


def report_of(
    entrants: Sequence[Competitor],
    ended: Sequence[SeriesResult],
    *,
    faults: Sequence[Mapping[str, Any]] = (),
    unready: Sequence[Mapping[str, Any]] = (),
    saved: str | None = "games/000001-0.jsonl.gz",
    games: Games = "best",
    **more: Any,
) -> Report:
    """A report of these results, with figures as the ledger's commands compute them."""
    counted = [result for result in ended if not result.void]
    names = {entrant.number: entrant.name for entrant in entrants}
    times = Histogram()
    for milliseconds in range(1, 100):
        times.add(milliseconds / 1000)
    matches = [
        {
            "id": played.series.match_id(seating), "map": played.series.map, "reason": "rounds", "saved": saved,
            "seats": [
                {
                    "seat": seat, "number": result.number, "name": names[result.number], "place": result.place,
                    "score": result.score, "points": result.points, "disqualified": result.fault, "slowest_ms": 1.25,
                }
                for seat, result in enumerate(match)
            ],
        }
        for played in ended for seating, match in enumerate(played.matches)
    ]  # fmt: skip
    sums = Sums.of(ended, rng_seed=1)
    sums.entrants[0].times = times
    document = {
        "name": "Cup", "game": "snakecore", "format": "round-robin", "rng_seed": 1, "seats": 2, "seatings": "rotations",
        "over": True, "series": len(counted), "matches": len(matches),
        "table": table(entrants, sums, ratings=ratings(entrants, sums, seats=2)),
        "cross": cross_rows(sums.pairs), "seat_bias": seat_bias(sums.seats),
    }  # fmt: skip
    counts = {"scheduled": len(matches), "played": len(matches), "void": 0}
    status = {"matches": counts, "unready": list(unready), "faults": list(faults), "failures": [], "changes": []}
    course = CourseBuilder((row["number"] for row in document["table"]), len(counted))
    for result in ended:
        course.add(result)
    report = Report(
        folder="cup", table=document, status=status, matches=matches_of(matches, names, faults=faults, games=games),
        course=course.course, entrants=entrants, game="SnakeCore", maps=["arena"], rounds=60, limit=1.0, memory=None,
        student=False, refresh=False, style=STYLE, excerpts={}, notes=[],
        match_names=names_of([result.series for result in ended]),
    )  # fmt: skip
    return replace(report, **more)


def random_report(count: int = 5, **more: Any) -> Report:
    """A report of 40 random series of two, of so many entrants."""
    entrants = [Competitor(number, letter, f"{letter}!") for number, letter in enumerate("abcdefgh"[:count])]
    return report_of(entrants, drawn_by(Random(3), count, 2, 40), **more)


def fault(number: int = 0, **more: Any) -> dict[str, Any]:
    """The evidence of a fault, as `referee tournament status --json` has it."""
    usual = {
        "match": "0-1/arena/0#0", "name": "a", "number": number, "seat": 1, "kind": "exit", "detail": "exited with status 1",
        "step": 75, "round": 18, "request": "getAction", "ms": 12.5, "stderr": ["Traceback", "KeyError: 17"],
        "saved": "games/000001-0.jsonl.gz",
    }  # fmt: skip
    return {**usual, **more}
