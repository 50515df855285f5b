"""How long a bot's answers took and how much memory it held, compared with the limits. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from referee.clock import TimeControl, seconds
from referee.sandbox.limits import MIB

NEAR_TIME: Final = 0.5
"""The part of a time limit above which a check warns: another machine may be half as fast."""
NEAR_MEMORY: Final = 0.75


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds: the longest first answer; median, 99th percentile and longest of the later ones; the longest match in total."""

    first: float
    median: float
    p99: float
    slowest: float
    total: float
    answers: int


def measure(firsts: Sequence[float], matches: Sequence[Sequence[float]]) -> Times:
    """The figures of several matches: `firsts` has one first answer each, `matches` the later ones, in seconds."""
    every = sorted(time for match in matches for time in match)
    totals = [first + sum(match) for first, match in zip(firsts, matches, strict=True)]
    return Times(
        first=max(firsts, default=0.0),
        median=median(every) if every else 0.0,
        p99=every[min(len(every) - 1, len(every) * 99 // 100)] if every else 0.0,
        slowest=every[-1] if every else 0.0,
        total=max(totals, default=0.0),
        answers=len(every),
    )


def told(times: Times) -> str:
    """The figures for people."""
    return (
        f"median {short(times.median)}, 99 % within {short(times.p99)}, slowest {short(times.slowest)}; "
        f"first {short(times.first)}; worst match {short(times.total)} in all"
    )


def time_warnings(times: Times, limits: TimeControl) -> list[str]:
    """A warning for each limit that is near."""
    pairs = (
        ("the slowest answer", times.slowest, limits.answer),
        ("the slowest first answer", times.first, limits.first),
        ("the worst match", times.total, limits.total),
    )
    return [
        f"{what} took {short(took)} of {seconds(limit)}: on a slower or busier machine it would be too late"
        for what, took, limit in pairs
        if limit is not None and took > NEAR_TIME * limit
    ]


def memory_warnings(peak: int, limit: int | None) -> list[str]:
    """A warning if the memory limit is near. Both in bytes."""
    if limit is None or peak <= NEAR_MEMORY * limit:
        return []
    return [f"it held {peak / MIB:.0f} of the {limit / MIB:.0f} MiB that a player may hold"]


def as_json(times: Times | None, limits: TimeControl, peak: int | None, memory: int | None) -> dict[str, Any]:
    """The figures as `--json` prints them: seconds and bytes; null where nothing was measured or is limited."""
    measured = None
    if times is not None:
        measured = {
            "answers": times.answers,
            "first": times.first,
            "median": times.median,
            "p99": times.p99,
            "slowest": times.slowest,
            "total": times.total,
        }
    return {"times": measured, "limits": limits.as_json(), "memory_peak": peak, "memory_limit": memory}


def short(value: float) -> str:
    """A time that was measured, for people."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.3g} ms"
