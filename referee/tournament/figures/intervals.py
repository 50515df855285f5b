"""Confidence intervals of 95 % for means of few values."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

Z: Final = 1.959964
"""The quantile of the normal distribution that 2.5 % exceed."""


@dataclass(slots=True)
class Values:
    """The mean and the variance of the values added so far, by Welford's method, which stays accurate.

    Attributes:
        series: how many. mean: of their values. squares: the sum of the squares of their distances from the mean.
    """

    series: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Add the value of a series."""
        self.series += 1
        distance = value - self.mean
        self.mean += distance / self.series
        self.squares += distance * (value - self.mean)

    @property
    def variance(self) -> float:
        """Their variance, estimated with one degree of freedom less; 0 for fewer than two."""
        return self.squares / (self.series - 1) if self.series > 1 else 0.0


def interval(mean: float, variance: float, series: int) -> tuple[float, float]:
    """Both ends of the interval of a mean of two values or more with this variance."""
    half = t_quantile(series - 1) * sqrt(variance / series)
    return mean - half, mean + half


def t_quantile(freedom: int) -> float:
    """The quantile of Student's distribution that 2.5 % exceed, by its series in 1 / freedom.

    It is 24 % too small for one degree of freedom, 3 % for two, 0.3 % for four and 0.01 % for nine.

    Args:
        freedom: degrees of freedom, from 1.
    """
    z = Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
