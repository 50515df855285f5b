"""The mean of each seat."""

from itertools import product

import pytest
from tournament.figures.played import series, void

from referee.tournament.figures.sums import Sums, seat_bias


def test_each_map_and_seat_has_a_row() -> None:
    results = [
        #         the first seat scores 1 and 1/2: 3/4 of the possible
        series("0-1/arena/0", "A1 B2", "B1 A1"),
        #         0 and 0
        series("0-2/arena/0", "A2 C1", "C2 A1"),
        #         2, 1/2 and 0 of 2: 5/12;   0, 1/2 and 1: 1/4;   1, 2 and 2: 5/6
        series("0-1-2/cross/0", "A1 B3 C2", "B2 C2 A1", "C3 A2 B1"),
        void("1-2/arena/0", "B1 C2", "C2 B1"),
    ]
    rows = seat_bias(Sums.of(results, rng_seed=1).seats)
    assert [(row["map"], row["seat"]) for row in rows] == [*product(["arena"], range(2)), *product(["cross"], range(3))]
    assert [row["series"] for row in rows] == [2, 2, 1, 1, 1]
    assert [row["mean"] for row in rows] == pytest.approx([3 / 8, 5 / 8, 5 / 12, 1 / 4, 5 / 6])
    assert all(row["low"] is None and row["high"] is None for row in rows), "fewer than ten series"


def test_ten_series_have_an_interval() -> None:
    #   the first seat: nine series with 1, one with 0. Mean 0.9, variance (9 · 0.01 + 0.81) / 9 = 0.1, so the standard error
    #   is 0.1, and t(9) is 2.262
    won = [series(f"{number}/arena/0", "A1 B2", "B1 A2") for number in range(9)]
    first, second = seat_bias(Sums.of([*won, series("9/arena/0", "A2 B1", "B2 A1")], rng_seed=1).seats)
    assert (first["series"], second["series"]) == (10, 10)
    assert [first[key] for key in ("low", "mean", "high")] == pytest.approx([0.6738, 0.9, 1.1262], abs=1e-4)
    assert [second[key] for key in ("low", "mean", "high")] == pytest.approx([-0.1262, 0.1, 0.3262], abs=1e-4)
