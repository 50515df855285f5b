"""The running sums of a ledger: whenever a series is added, they are those of all rows."""

import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.conftest import row_of
from tournament.figures.played import drawn_by, field

from referee.tournament.answers import void_row
from referee.tournament.database import LedgerError
from referee.tournament.field import Field
from referee.tournament.figures.sums import Sums
from referee.tournament.figures.times import Histogram
from referee.tournament.ledger import Ledger
from referee.tournament.model import SeriesResult, Tour
from referee.tournament.verifying import sums_defect

SEED = 7


def drawn(rng: Random, seats: int, count: int) -> list[SeriesResult]:
    """Results whose places are rankings, each of another meeting."""
    results = []
    for number, result in enumerate(drawn_by(rng, 4, seats, count)):
        matches = tuple(
            tuple(replace(seat, place=1 + sum(other.place < seat.place for other in match)) for seat in match)
            for match in result.matches
        )
        results.append(SeriesResult(replace(result.series, meeting=f"m{number}"), matches))
    return results


def recorded(ledger: Ledger, number: int, seating: int, result: SeriesResult, rng: Random) -> None:
    """Write a match of a series into a ledger, with answer times from a lot; one that is void if the series is."""
    numbers = result.series.seatings[seating]
    entrants = ledger.entrants()
    if result.void:
        ledger.record(number, seating, void_row([entrants[index] for index in numbers], started="s", machine="m"))
        return
    seats = [
        {
            "number": seat.number, "entrant": entrants[seat.number].content, "name": entrants[seat.number].name,
            "called": rng.choice([None, f"called {rng.randint(0, 2)}"]), "place": seat.place, "score": seat.score,
            "points": seat.points, "disqualified": seat.fault,
        }
        for seat in result.matches[seating]
    ]  # fmt: skip
    times = [
        [number for bucket in sorted(rng.sample(range(300), 3)) for number in (bucket, rng.randint(1, 9))]
        for _ in seats
    ]
    ledger.record(number, seating, row_of(*seats, times=times))


def straight(ledger: Ledger) -> Sums:
    """The sums as their definition reads, from the results and the rows."""
    sums = Sums.of(ledger.results().values(), rng_seed=SEED)
    results = ledger.results()
    for match, row in ledger.played():
        for seat, times in zip(row["seats"], row["times"] or [[]] * len(row["seats"]), strict=True):
            if seat["called"] is not None:
                sums.entrants[seat["number"]].called = seat["called"]
            if match.series.key in results and not results[match.series.key].void:
                sums.entrants[seat["number"]].times.merge(Histogram.from_json(times))
    return sums


@settings(max_examples=15)
@given(st.integers(0, 10**9), st.integers(0, 60))
def test_sums_are_those_of_all_rows_in_whatever_order_matches_end(
    tmp_path_factory: pytest.TempPathFactory, seed: int, most: int
) -> None:
    rng = Random(seed)
    results = drawn(rng, 3, 12)
    with Ledger(tmp_path_factory.mktemp("sums"), writes=True) as ledger:
        ledger.enter(Field(field(4), []))
        ledger.add_tour(Tour("t0", tuple(result.series for result in results)))
        due = [(number, seating) for number, result in enumerate(results, 1) for seating in range(3)]
        ending = sorted(due, key=lambda match: match[0] * 3 + match[1] + rng.randint(0, 9))  # a few are under way
        for number, seating in ending[: most if most < 36 else None]:
            with ledger.transaction():
                recorded(ledger, number, seating, results[number - 1], rng)
                ledger.add_up(SEED)
            assert ledger.sums.extent().next <= number + 1 + 9
        assert ledger.whole_sums(SEED) == straight(ledger) == ledger.whole_sums(SEED, anew=True)
        assert sums_defect(ledger, SEED) is None
        if most >= 36:
            assert ledger.sums.extent().next == len(results) + 1, "no row is read for a table"
            assert ledger.sums.whole(SEED) == straight(ledger)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    rng = Random(3)
    results = drawn(rng, 2, 6)
    with Ledger(tmp_path, writes=True) as ledger:
        ledger.enter(Field(field(4), []))
        ledger.add_tour(Tour("t0", tuple(result.series for result in results)))
        for number, result in enumerate(results, 1):
            for seating in range(2):
                with ledger.transaction():
                    recorded(ledger, number, seating, result, rng)
                    ledger.add_up(SEED)
        yield ledger


@pytest.mark.parametrize(("statement", "why"), [
    ("UPDATE entrant_sums SET score = score + 1 WHERE number = 2", "entrant 2"),
    ("DELETE FROM pair_sums WHERE first = 0 AND second = 1", "the pair (0, 1)"),
    ("UPDATE seat_sums SET mean = mean / 2 WHERE map = 'arena' AND seat = 0", "the seat ('arena', 0)"),
    ("UPDATE tours SET ended = ended - 1", "does not count its matches right"),
    ("UPDATE facts SET value = '[7, 3, 9]' WHERE key = 'summed'", "does not count its matches right"),
])  # fmt: skip
def test_sums_that_the_matches_do_not_have_are_named(ledger: Ledger, statement: str, why: str) -> None:
    assert sums_defect(ledger, SEED) is None
    ledger.query(statement)
    assert why in str(sums_defect(ledger, SEED))


@pytest.mark.parametrize(("statement", "place"), [
    ("UPDATE facts SET value = '[1, 2]' WHERE key = 'summed'", "facts, summed: not three numbers"),
    ("UPDATE facts SET value = 'x' WHERE key = 'summed'", "facts, summed: not three numbers"),
    ("UPDATE entrant_sums SET times = x'00'", "entrant_sums, number 0: times: compressed data are expected, whole"),
    ("UPDATE pair_sums SET groups = '[[99, 1, 1]]'", "pair_sums, first 0, second 1: groups.0.0: must be less than 40"),
    ("UPDATE seat_sums SET mean = 9e999", "seat_sums, map 'arena', seat 0: mean: must be a finite number"),
])  # fmt: skip
def test_sums_of_another_form_are_damage_at_a_place(ledger: Ledger, statement: str, place: str) -> None:
    ledger.query(statement)
    with pytest.raises(LedgerError, match=rf"is damaged \({re.escape(place)}"):
        ledger.whole_sums(SEED)


def test_a_compressed_value_has_a_limit(ledger: Ledger, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as file:
        file.execute("UPDATE entrant_sums SET times = ?", (zlib.compress(json.dumps([[1, 1] * 10**6]).encode()),))
        file.commit()
    with pytest.raises(LedgerError, match="whole and not too large"):
        ledger.whole_sums(SEED)


def test_of_many_series_that_wait_to_be_added_few_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a merge, or when the first match of a tour is the last to end."""
    monkeypatch.setattr("referee.tournament.ledger.RECENT", 2)
    rng = Random(3)
    results = drawn(rng, 2, 5)
    with Ledger(tmp_path, writes=True) as ledger:
        ledger.enter(Field(field(4), []))
        ledger.add_tour(Tour("t0", tuple(result.series for result in results)))
        with ledger.transaction():
            for number, result in enumerate(results, 1):
                for seating in range(2):
                    recorded(ledger, number, seating, result, rng)
        sizes, add = list[int](), ledger.sums.add

        def counted(seed: int, ended: Any) -> None:
            sizes.append(len(ended))
            add(seed, ended)

        monkeypatch.setattr(ledger.sums, "add", counted)
        with ledger.transaction():
            ledger.add_up(SEED)
        assert sizes == [2, 2, 1]
        assert ledger.sums.whole(SEED) == straight(ledger)
