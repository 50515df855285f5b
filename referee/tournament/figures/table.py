"""The table of a tournament, and what its reader must know, in sentences.

Its order: percent of the possible score, those without matches last; then the percent in games of two with those of the same
percent, 50 if they never met; then the game's points a match; then fewer faults; then the lot `table`. Percents are compared as
fractions, points to 1e-6. In the order of points, the game's points a match come before all of this, and in that of ratings the
ratings; those without any come last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import inf
from typing import Any, Final, Literal, TypeAlias

from referee.text.words import harmless, listed, shorten
from referee.tournament.figures.rating import Rating
from referee.tournament.figures.sums import EntrantSums, Sums, share
from referee.tournament.model import Competitor, draw

DIGITS: Final = 6
"""Points a match that agree to this many decimals are the same."""
Order: TypeAlias = Literal["places", "points", "rating"]
SHOWN: Final = 4
"""Names in a list, and groups of names, in a note."""
NOBODY: Final[Mapping[int, Rating]] = {}


def order(
    entrants: Iterable[Competitor], sums: Sums, *, by: Order = "places", ratings: Mapping[int, Rating] = NOBODY
) -> list[int]:
    """The numbers of the present entrants in the order of the table, best first."""

    def of(number: int) -> EntrantSums:
        return sums.entrants.get(number, EntrantSums())

    def part(number: int) -> tuple[bool, Fraction]:
        part = of(number).part
        return (part is not None, part or Fraction(0))

    def further(rivals: Sequence[int], number: int) -> tuple[Fraction, float, int, bytes]:
        points, faults = round(of(number).mean or 0.0, DIGITS), of(number).faults.total()
        return -share(sums.pairs, number, rivals), -points, faults, draw(sums.rng_seed, "table", number)

    numbers = sorted((entrant.number for entrant in entrants if entrant.present), key=part, reverse=True)
    best: list[int] = []
    for _, group in groupby(numbers, key=part):
        same = list(group)
        best += sorted(same, key=partial(further, same))
    if by == "points":
        best.sort(key=lambda number: inf if (mean := of(number).mean) is None else -round(mean, DIGITS))
    if by == "rating":
        best.sort(key=lambda number: -ratings[number].rating if number in ratings else inf)
    return best


def table(
    entrants: Sequence[Competitor],
    sums: Sums,
    *,
    ratings: Mapping[int, Rating],
    by: Order = "places",
    ranked: Callable[[Sequence[int]], Sequence[int]] | None = None,
    columns: Mapping[int, Mapping[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """The rows of the table, best first, as JSON.

    Args:
        ratings: by number; an entrant may be missing.
        by: the order, unless `ranked` has another.
        ranked: turns the order of the table into that of the format, if the format has one.
        columns: further columns of the format, by number.
    """
    usual = order(entrants, sums, by=by, ratings=ratings)
    by_number = {entrant.number: entrant for entrant in entrants}
    same = defaultdict[str, list[int]](list)
    for number in sorted(usual):
        same[by_number[number].content].append(number)
    rows = []
    for rank, number in enumerate(ranked(usual) if ranked else usual, start=1):
        entrant, total = by_number[number], sums.entrants.get(number, EntrantSums())
        rating = ratings.get(number)
        row = {
            "rank": rank, "number": number, "name": entrant.name, "called": total.called, "source": entrant.source,
            "twins": [twin for twin in same[entrant.content] if entrant.content and twin != number],
            "entrant": entrant.content, "matches": total.matches, "series": total.series,
            "score": total.score, "possible": total.possible,
            "percent": None if total.part is None else float(100 * total.part),
            "points": total.points, "mean": total.mean, "wins": total.wins, "faults": dict(sorted(total.faults.items())),
            "rating": rating.rating if rating else None,
            "rating_low": rating.low if rating else None, "rating_high": rating.high if rating else None,
            "p50_ms": total.times.quantile_ms(0.5), "p99_ms": total.times.quantile_ms(0.99),
        }  # fmt: skip
        rows.append(row | dict((columns or {}).get(number, {})))
    return rows


def notes(document: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about a table as `--json` prints it: bots of the same content, and ratings of bots that no matches link."""
    names = {row["number"]: shorten(harmless(row["name"]), 40) for row in document["table"]}
    for row in document["table"]:
        if row["twins"] and row["number"] < min(row["twins"]):
            yield f"Same content: {listed([names[number] for number in (row['number'], *row['twins'])], SHOWN)}."
    links = [(pair["a"], pair["b"]) for pair in document["cross"]]
    groups = [sorted(names[number] for number in group & names.keys()) for group in connected_groups(links)]
    groups = [group for group in groups if group]
    if len(groups) > 1:
        texts = [listed(group, SHOWN) for group in groups]
        more = " More series of each bot link them: a new tournament with a larger `each`." if document["over"] else ""
        strangers = f"No matches link these {len(groups)} groups of bots, so ratings compare strangers"
        yield f"{strangers}: {listed(texts, SHOWN, ' | ')}.{more}"


def connected_groups(links: Iterable[tuple[int, int]]) -> list[set[int]]:
    """Numbers in groups, in the order of the lowest: two are in one group if a chain of links leads from one to the other."""
    groups: dict[int, set[int]] = {}
    for start, end in links:
        first = groups.get(start) or groups.setdefault(start, {start})
        second = groups.get(end) or {end}
        if first is not second:
            first |= second
            groups |= dict.fromkeys(second, first)
    # each group once; `min` for each of its numbers would take the square of their count
    return list({id(group): group for _, group in sorted(groups.items())}.values())
