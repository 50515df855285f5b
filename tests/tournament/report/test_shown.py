"""What is held of the matches of a tournament: what pages show, however many were played."""

from itertools import cycle, islice
from random import Random
from typing import Any
from weakref import WeakSet

import pytest
from tournament.report.reports import names_of

from referee.tournament.model import Series
from referee.tournament.report import shown
from referee.tournament.report.naming import match_names
from referee.tournament.report.shown import BEST, OwnMatches, Seated, ShownMatches

ENTRANTS = 3
LISTED, OWN = 10, 20
PLAYED = 500


class Document(dict[str, Any]):
    """A match that can be counted."""

    def __hash__(self) -> int:
        return id(self)


def document(number: int, *, saved: bool = True) -> Document:
    """A match of two of the entrants, with random points."""
    points = Random(number).choices(range(10), k=2)
    seats = [
        {"seat": seat, "number": (number + seat) % ENTRANTS, "score": float(own > points[1 - seat]), "points": own}
        for seat, own in enumerate(points)
    ]
    return Document(id=f"m{number}", saved="games/x" if saved else None, seats=seats)


def none_yet() -> ShownMatches:
    return ShownMatches(range(ENTRANTS), games="best", faults=(), firsts=())


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages show a few matches only."""
    monkeypatch.setattr(shown, "LISTED", LISTED)
    monkeypatch.setattr(shown, "OWN", OWN)


def test_matches_that_no_page_shows_are_not_held() -> None:
    matches, alive = none_yet(), WeakSet[Document]()
    for number in range(PLAYED):
        match = document(number)
        alive.add(match)
        matches.add((number, 0), match)
    del match
    assert len(alive) <= LISTED + ENTRANTS * (2 * BEST + 1)
    assert len(matches.series()) <= LISTED + ENTRANTS * (2 * BEST + 1)
    assert (matches.played, matches.kept) == (PLAYED, PLAYED)


def test_pages_list_the_end_of_the_schedule() -> None:
    matches = none_yet()
    for number in range(PLAYED):
        matches.add((number, 0), document(number))
    newest = [document(number) for number in range(PLAYED - LISTED, PLAYED)]
    assert matches.listed() == newest
    assert matches.newest_of(1) == [(it, seat) for it in newest for seat in it["seats"] if seat["number"] == 1]


def test_a_match_of_several_seats_is_listed_once_for_each() -> None:
    matches = none_yet()
    for number in range(OWN):
        match = document(number)
        for seat in match["seats"]:
            seat["number"] = 0
        matches.add((number, 0), match)
    own = matches.own[0]
    assert (own.played, len(own.newest)) == (2 * OWN, OWN)
    newest = [match["id"] for match, _ in matches.newest_of(0)]
    assert len(newest) == OWN, "the last matches, from both seats"


def test_the_best_and_the_worst_are_those_of_all_matches() -> None:
    own, seats = OwnMatches(), list[Seated]()
    for number, kept in zip(range(PLAYED), cycle((True, False, True))):
        match = document(number, saved=kept)
        seats.append(Seated((number, 0), match, match["seats"][0]))
        own.add(seats[-1])
    ranked = sorted(seats, key=lambda seated: (-seated.seat["score"], -seated.seat["points"]))
    assert own.extremes == [*ranked[:BEST], *ranked[-BEST:]], "of equals the first comes first"
    kept = (seated for seated in seats if seated.match["saved"] is not None)
    assert own.worst == min(kept, key=lambda seated: (seated.seat["score"], seated.seat["points"]))
    few = OwnMatches()
    for seated in islice(seats, 2 * BEST):
        few.add(seated)
    assert len(few.extremes) == 2 * BEST


def test_a_name_is_the_same_whichever_matches_have_one() -> None:
    tour = [Series(f"{first}-2", "arena", turn, ((first, 2), (2, first))) for turn in range(5) for first in (0, 1)]
    every = names_of(tour)
    scheduled = [(0, number, series) for number, series in enumerate(tour, 1)]
    some = match_names(scheduled, ["t0"], {7, 10})
    assert list(some) == [tour[number - 1].match_id(seating) for number in (7, 10) for seating in (0, 1)]
    assert some == {match: every[match] for match in some}
