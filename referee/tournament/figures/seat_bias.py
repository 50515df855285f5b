"""Whether some seats of a map are better than others."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final

from referee.tournament.figures.intervals import t_quantile
from referee.tournament.figures.sums import SeatSums

LEAST_SERIES: Final = 10
"""An interval of fewer series would say little."""


def seat_bias(seats: Mapping[tuple[str, int], SeatSums]) -> list[dict[str, Any]]:
    """A row for each map and seat: `map, seat, series, mean, low, high`.

    `mean` is that of all series. With rotations all entrants sit there once, so 0.5 is fair. `low` and `high` are its interval
    of 95 %, None for fewer than 10 series.
    """
    return [_row(map_, seat, sums) for (map_, seat), sums in sorted(seats.items())]


def _row(map_: str, seat: int, sums: SeatSums) -> dict[str, Any]:
    low = high = None
    if sums.series >= LEAST_SERIES:
        half = t_quantile(sums.series - 1) * sqrt(sums.squares / (sums.series - 1) / sums.series)
        low, high = sums.mean - half, sums.mean + half
    return {"map": map_, "seat": seat, "series": sums.series, "mean": sums.mean, "low": low, "high": high}
