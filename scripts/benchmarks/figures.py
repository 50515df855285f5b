"""Figures of repeated measurements: medians, quartiles, ratios within a round. Pure.

1. Machines drift, so figures that are compared are measured in turn, round after round (`interleaved`), and a ratio
   compares two figures of the same round. The table shows the median of these ratios, not the ratio of two medians.
2. The first round warms up and does not count.
3. The quartiles show the spread: half of all rounds lie between them. Rare large values (garbage collection, another
   program) do not move them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from statistics import median, quantiles
from typing import TypeVar

Figure = TypeVar("Figure")

DIGITS = 3
"""Significant digits of a figure in the report: more than a second run would confirm."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The summary of repeated measurements: median and quartiles."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float], scale: float = 1.0) -> Spread:
    """The summary of at least one measurement. `scale` converts its unit: 1e3 makes milliseconds of seconds."""
    scaled = [value * scale for value in values]
    low, high = (scaled[0], scaled[0]) if len(scaled) == 1 else quantiles(scaled, n=4, method="inclusive")[::2]
    return Spread(median(scaled), low, high)


def compared(values: Sequence[float], base: Sequence[float]) -> Spread:
    """The spread of each round's ratio to the other figure of that round."""
    return spread([value / other for value, other in zip(values, base, strict=True)])


def interleaved(
    rounds: int, measures: Mapping[str, Callable[[], Figure]], *, warm: bool = True
) -> dict[str, list[Figure]]:
    """Take all measures in turn, for this many rounds after a warm-up round; figures by name, one per round."""
    figures: dict[str, list[Figure]] = {name: [] for name in measures}
    for number in range(rounds + warm):
        for name, measure in measures.items():
            figure = measure()
            if number >= warm:
                figures[name].append(figure)
    return figures


def shown(value: float) -> str:
    """A number with `DIGITS` significant digits, and all digits before the point: 0.0123, 1.23, 12.3, 1,235."""
    if value == 0:
        return "0"
    behind = max(0, DIGITS - 1 - floor(log10(abs(value))))
    return f"{value:,.{behind}f}"
