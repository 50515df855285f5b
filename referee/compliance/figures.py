"""How long a bot's answers took and how much memory it held, compared with the limits; and turns without a use. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final, NamedTuple

from referee.contract.clock import TimeControl, seconds
from referee.sandbox.limits import MIB
from referee.text.words import quote

NEAR_TIME: Final = 0.5
"""The part of a time limit above which a check warns: another machine may be half as fast."""
NEAR_MEMORY: Final = 0.75
FEW_TURNS: Final = 20
"""Fewer turns may have no use by chance."""


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """Seconds: the longest first answer; median and longest of the later answers; the longest match in total.

    Attributes:
        answers: how many later answers there were.
    """

    answers: int
    first: float
    median: float
    slowest: float
    total: float


class MatchPace(NamedTuple):
    """How fast matches were, all together: their steps and seconds, and the bot's answers and the seconds of those."""

    steps: int
    seconds: float
    answers: int
    answering: float


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """What the matches of a check measured; `peak` is the most memory that the bot held, in bytes, None if it is not known."""

    times: AnswerTimes
    peak: int | None
    pace: MatchPace


def measure(matches: Sequence[Sequence[float]]) -> AnswerTimes:
    """The figures of several matches: of each the times of all answers, the first one included, in seconds."""
    later = [time for match in matches for time in match[1:]]
    return AnswerTimes(
        answers=len(later),
        first=max((match[0] for match in matches if match), default=0.0),
        median=median(later) if later else 0.0,
        slowest=max(later, default=0.0),
        total=max((sum(match) for match in matches), default=0.0),
    )


def summary(times: AnswerTimes) -> str:
    """The figures for people."""
    return (
        f"median {time_text(times.median)}, slowest {time_text(times.slowest)}, first {time_text(times.first)}; "
        f"slowest match {time_text(times.total)}"
    )


def time_warnings(times: AnswerTimes, limits: TimeControl) -> list[str]:
    """A warning for each limit that is near."""
    pairs = (
        ("the slowest answer", times.slowest, limits.answer),
        ("the slowest first answer", times.first, limits.first),
        ("the slowest match", times.total, limits.total),
    )
    return [
        f"{what} took {time_text(took)} of {seconds(limit)}: on a slower or busier machine it would be too late"
        for what, took, limit in pairs
        if limit is not None and took > NEAR_TIME * limit
    ]


def memory_warnings(peak: int, limit: int | None) -> list[str]:
    """A warning if the memory limit is near. Both in bytes."""
    if limit is None or peak <= NEAR_MEMORY * limit:
        return []
    return [f"it held {peak / MIB:.0f} of the {limit / MIB:.0f} MiB that a player may hold"]


def idle_warnings(matches: Sequence[Mapping[str, int] | None], last: bytes) -> list[str]:
    """A warning if no turn had a use.

    Args:
        matches: of each match why turns came to nothing, and how often each; None if a turn had a use.
        last: the bot's last answer; empty if it is a policy.
    """
    reasons = sum((Counter(match) for match in matches if match is not None), Counter[str]())
    if None in matches or reasons.total() < FEW_TURNS:
        return []
    wrote = f"; its last answer was {quote(last)}" if last else ""
    return [f"none of its {reasons.total()} turns had a use: most often it {reasons.most_common(1)[0][0]}{wrote}"]


def as_json(measured: MatchFigures | None, limits: TimeControl, memory: int | None) -> dict[str, Any]:
    """The figures as `--json` prints them: seconds and bytes; null where nothing was measured or is limited."""
    times, peak = (None, None) if measured is None else (asdict(measured.times), measured.peak)
    return {"times": times, "limits": limits.as_json(), "memory_peak": peak, "memory_limit": memory}


def time_text(value: float) -> str:
    """A time that was measured, for people."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.3g} ms"
