"""Is NEW (number 0) better than OLD (number 1)? The series of a comparison, the value of each, and the sequential test of values.

1. *Head to head*: half of the seats are NEW's, the other half OLD's; the seatings of a series are all rotations of
   NEW, …, OLD, …. Its value is what NEW scored in the mean of all games of NEW and OLD: 1, 0.5 or 0.
2. *Against* rivals (numbers 2 and up): NEW plays all seatings of a series with some rivals; then OLD plays the same in NEW's
   place, on the same map with the same seed. The value is 0.5 + (a - b) / 2, where a and b are the parts of the possible score
   that NEW and OLD took.
3. Each meeting has one series. Its key is the place of the series in the schedule, from 0. The maps take turns; when all have
   been played, the next group of rivals comes, in lexicographic order.
4. Series count from the first on, without a gap, whatever the order in which they end. Void series are passed over.
5. The test adds the values up to a log-likelihood ratio (LLR) of two hypotheses: NEW is better by `elo1`, or only by `elo0`. This
   is the generalised test that chess engines are developed with, with the variance estimated from the values.
6. The LLR is n (m1 - m0) (2 mean - m0 - m1) / (2 v), where m0 and m1 are the values expected of the hypotheses. v is the variance
   of the n values, but 1 / n at least, which stands for the variance not yet seen.
7. The verdict falls at the first n of 16 or more: `yes` if LLR >= ln((1 - beta) / alpha), `no` if LLR <= ln(beta / (1 - alpha)),
   and `undecided` if there is neither after `most` series. alpha is the chance of a false yes, beta that of a false no.
8. Elo in head to head: the expected score of NEW against OLD is 1 / (1 + 10^(-elo / 400)). Against rivals it is the difference
   of the expected scores of NEW and OLD at even odds, so the value moves half as far from 0.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations, count, islice
from math import comb, log, log10
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias

from referee.tournament.figures.sums import Values, games_of, interval
from referee.tournament.model import Rules, Series, SeriesResult, lot, seatings

Mode: TypeAlias = Literal["head", "against"]
NEW: Final = 0
OLD: Final = 1
FIRST_RIVAL: Final = 2


def scheduled_series(rules: Rules, rivals: int, index: int) -> Series:
    """A series of the schedule, which has no end.

    Args:
        rules: `seats` is even in head to head. `repeat` is not used; `seatings` only against rivals.
        rivals: how many there are: none in head to head, otherwise `seats - 1` or more.
        index: from 0.
    """
    lap, at = divmod(index, len(rules.maps))
    meeting, map_ = str(index), rules.maps[at]
    if not rivals:
        half = rules.seats // 2
        return Series(meeting, map_, 0, seatings([NEW] * half + [OLD] * half, "rotations"))
    size = rules.seats - 1
    subsets = combinations(range(FIRST_RIVAL, FIRST_RIVAL + rivals), size)
    group = next(islice(subsets, lap % comb(rivals, size), None))
    of_new = seatings(lot(rules.rng_seed, f"{meeting}/{map_}/0", [NEW, *group]), rules.seatings)
    of_old = tuple(tuple(OLD if number == NEW else number for number in seating) for seating in of_new)
    return Series(meeting, map_, 0, of_new + of_old)


def value_of(mode: Mode, result: SeriesResult) -> float:
    """The value of a series that is not void, from 0 to 1; above 0.5 if NEW was better."""
    if mode == "head":
        return fmean(halves / 2 for match in result.matches for _, _, halves in games_of(match))
    new, old = (
        fmean(seat.score / (len(match) - 1) for match in result.matches for seat in match if seat.number == number)
        for number in (NEW, OLD)
    )
    return 0.5 + (new - old) / 2


def values(mode: Mode, results: Iterable[SeriesResult]) -> Iterator[float]:
    """The values of the series that count, from the first of the schedule up to the first that has not ended."""
    by_meeting = {int(result.series.meeting): result for result in results}
    for result in map(by_meeting.get, count()):
        if result is None:
            return
        if not result.void:
            yield value_of(mode, result)


LEAST_SERIES: Final = 16
"""Before the test has so many values, their variance is not known well enough for a verdict."""
Verdict: TypeAlias = Literal["yes", "no", "undecided"]


@dataclass(frozen=True, slots=True)
class Test:
    """The hypotheses, and how certain the verdict is to be.

    Attributes:
        elo0, elo1: how much better NEW is by the two hypotheses; the first is the smaller.
        alpha, beta: the chances of a false yes and a false no, below 0.5.
        most: the number of series after which the test gives up.
    """

    __test__ = False  # no test of pytest

    mode: Mode
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    most: int = 2000

    @property
    def lower(self) -> float:
        """The LLR that means no."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR that means yes."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, series: int, mean: float, variance: float) -> float:
        """The log-likelihood ratio of one series or more."""
        m0, m1 = expected_value(self.mode, self.elo0), expected_value(self.mode, self.elo1)
        return series * (m1 - m0) * (2 * mean - m0 - m1) / (2 * variance)

    def verdict(self, series: int, llr: float) -> Verdict | None:
        """The verdict, or None if the test goes on."""
        if series >= LEAST_SERIES and llr >= self.upper:
            return "yes"
        if series >= LEAST_SERIES and llr <= self.lower:
            return "no"
        return "undecided" if series >= self.most else None


@dataclass(frozen=True, slots=True)
class Finding:
    """How far the test has come.

    Attributes:
        series: how many it has counted. mean: that of their values; None for no series.
        variance: at least 1 / series; None for no series.
        verdict: None as long as the test goes on.
    """

    series: int = 0
    mean: float | None = None
    variance: float | None = None
    llr: float = 0.0
    verdict: Verdict | None = None


def judge(test: Test, values: Iterable[float]) -> Finding:
    """The test of the values of a comparison; what comes after the verdict is left alone."""
    finding, counted = Finding(verdict=test.verdict(0, 0.0)), Values()
    for value in values:
        if finding.verdict is not None:
            break
        counted.add(value)
        series, mean, variance = counted.series, counted.mean, max(counted.variance, 1 / counted.series)
        llr = test.llr(series, mean, variance)
        finding = Finding(series, mean, variance, llr, test.verdict(series, llr))
    return finding


def expected_value(mode: Mode, elo: float) -> float:
    """The expected value of a series if NEW is better by so much."""
    even = 1 / (1 + 10 ** (-elo / 400))
    return even if mode == "head" else 0.5 + (even - 0.5) / 2


def elo_of(mode: Mode, value: float) -> float | None:
    """How much better NEW is if this value is expected; the inverse of `expected_value`. None if it is infinite."""
    even = value if mode == "head" else 2 * value - 0.5
    return 0.0 - 400 * log10(1 / even - 1) if 0 < even < 1 else None  # 0.0 for equal ones, not -0.0


def elo_interval(test: Test, finding: Finding) -> tuple[float | None, float | None, float | None]:
    """Elo and both ends of its interval of 95 %; each is None if it is infinite, and all of them for fewer than two series."""
    if finding.series < 2 or finding.mean is None or finding.variance is None:
        return None, None, None
    low, high = interval(finding.mean, finding.variance, finding.series)
    return elo_of(test.mode, finding.mean), elo_of(test.mode, low), elo_of(test.mode, high)


def line(test: Test, finding: Finding) -> str:
    """One line as tools for chess engines print it: `LLR: 1.12 (38.0%) (-2.94, 2.94) [0.00, 20.00]`.

    The percentage is the way to the bound on this side.
    """
    bound = test.upper if finding.llr >= 0 else test.lower
    return (
        f"LLR: {finding.llr:z.2f} ({100 * finding.llr / bound:z.1f}%) ({test.lower:.2f}, {test.upper:.2f})"
        f" [{test.elo0:z.2f}, {test.elo1:z.2f}]"
    )


def document(test: Test, finding: Finding, *, new: str, old: str, seats: int) -> dict[str, Any]:
    """The finding as JSON, with the names of NEW and OLD."""
    elo, low, high = elo_interval(test, finding)
    return {
        "new": new, "old": old, "mode": test.mode, "seats": seats, **asdict(test),
        "series": finding.series, "mean": finding.mean, "variance": finding.variance,
        "llr": finding.llr, "lower": test.lower, "upper": test.upper, "verdict": finding.verdict,
        "elo": elo, "elo_low": low, "elo_high": high,
    }  # fmt: skip
