"""Whether some seats of a map are better than others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from referee.tournament.figures.intervals import mean_interval, mean_of
from referee.tournament.figures.pairs import counted
from referee.tournament.words import SeriesResult

LEAST_SERIES: Final = 10
"""An interval of fewer series would say little."""


def seat_bias(results: Iterable[SeriesResult]) -> list[dict[str, Any]]:
    """A row for each map and seat: `map, seat, series, mean, low, high`.

    A series gives one value: the mean, over its matches, of the part of the possible score that this seat took. With
    rotations all entrants sit there once, so 0.5 is fair. `mean` is that of all series; `low` and `high` are its interval of
    95 %, None for fewer than 10 series.
    """
    parts: dict[tuple[str, int], list[float]] = {}
    for result in counted(results):
        for seat, held in enumerate(zip(*result.matches, strict=True)):
            part = mean_of([seat_result.score for seat_result in held]) / (len(result.matches[0]) - 1)
            parts.setdefault((result.series.map, seat), []).append(part)
    return [_row(map_, seat, values) for (map_, seat), values in sorted(parts.items())]


def _row(map_: str, seat: int, values: list[float]) -> dict[str, Any]:
    low, high = mean_interval(values) if len(values) >= LEAST_SERIES else (None, None)
    return {"map": map_, "seat": seat, "series": len(values), "mean": mean_of(values), "low": low, "high": high}
