"""What confidence intervals of 95 % for means of few values are made of."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import fmean
from typing import Final

Z: Final = 1.959964
"""The quantile of the normal distribution that 2.5 % exceed."""


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


def variance_of(values: Sequence[float]) -> float:
    """The variance of two values or more, estimated with one degree of freedom less."""
    mean = fmean(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
