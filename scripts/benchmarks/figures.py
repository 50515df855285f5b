"""Figures of repeated measurements: medians, quartiles, ratios within a round. Pure.

1. A machine drifts, so that what is to be compared is measured in turn, round after round (`interleaved`), and a ratio is
   that of two figures of one round. The ratio told is the median of these, not the ratio of two medians.
2. The first round warms up and counts for nothing.
3. The spread is told by the quartiles: half of all rounds lie between them. What is rare and large (a collection of garbage,
   another program) does not move them; where the worst is what matters, the greatest is told by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from statistics import median, quantiles
from typing import Any, TypeVar

Key = TypeVar("Key")
Figure = TypeVar("Figure")

DIGITS = 3
"""Significant digits of a figure that is shown: more than a second run would confirm."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What several measurements of one thing come to: median, quartiles, extremes, and how many there were."""

    median: float
    low: float
    high: float
    least: float
    greatest: float
    count: int

    def as_json(self) -> dict[str, Any]:
        """As it stands in the document of `--json`."""
        return {
            "median": self.median,
            "quartiles": [self.low, self.high],
            "extremes": [self.least, self.greatest],
            "count": self.count,
        }


def spread(values: Sequence[float]) -> Spread:
    """Sum up measurements, one at least.

    Raises:
        ValueError: there is none.
    """
    if not values:
        raise ValueError("nothing was measured")
    low, high = (values[0], values[0]) if len(values) == 1 else quantiles(values, n=4, method="inclusive")[::2]
    return Spread(median(values), low, high, min(values), max(values), len(values))


def ratios(values: Sequence[float], to: Sequence[float]) -> list[float]:
    """The ratio of each round's figure to the other one of the same round.

    Raises:
        ValueError: they are not of the same rounds.
    """
    return [value / base for value, base in zip(values, to, strict=True)]


def compared(values: Sequence[float], to: Sequence[float] | None) -> Spread | None:
    """The spread of each round's ratio to the other figure of that round; None where there is no other.

    Raises:
        ValueError: they are not of the same rounds.
    """
    return None if to is None else spread(ratios(values, to))


def interleaved(
    rounds: int, measures: Mapping[Key, Callable[[], Figure]], *, warm: bool = True
) -> dict[Key, list[Figure]]:
    """Take each measure in turn, so many rounds and one beforehand to warm up; figures by name, one a round."""
    taken: dict[Key, list[Figure]] = {name: [] for name in measures}
    for number in range(rounds + warm):
        for name, measure in measures.items():
            figure = measure()
            if number >= warm:
                taken[name].append(figure)
    return taken


def share(values: Sequence[float], part: float) -> float:
    """The figure below which that part of all lies (0.99: all but the largest hundredth).

    Raises:
        ValueError: there is none.
    """
    if not values:
        raise ValueError("nothing was measured")
    return sorted(values)[min(len(values) - 1, floor(part * len(values)))]


def shown(value: float) -> str:
    """A number with `DIGITS` significant digits, and no more behind the point than that leaves: 0.0123, 1.23, 12.3, 1,235."""
    if value == 0:
        return "0"
    behind = max(0, DIGITS - 1 - floor(log10(abs(value))))
    text = f"{value:,.{behind}f}"
    if behind and len(text.replace("-", "").replace(".", "").replace(",", "").lstrip("0")) > DIGITS:
        text = text[:-1].rstrip(".")  # 9.996 rounds up to 10.00
    return text
