"""Whether the times of a saved game agree with its verdicts (saved-games.md, Times and verdicts). Pure; times in milliseconds.

1. The limit of an answer is `first` or `answer`, or what is left of `total` if that is less. An answer that was charged more
   than its limit must have a fault. A timeout must have been charged its limit or more.
2. `first` and `answer` are wall time. `total` is charged in the time that the header's `clock` names. If the clock is `cpu`
   and an answer's CPU time was not measured, its wall time is charged; then only the next answer finds the total used up.
   The words of a timeout by CPU time say so, since its wall time may be anything.
3. Times in a file are rounded. Each time that counts may be off by half a unit of its last digit. Zeros at the end of a
   fraction do not count as digits (1000.0 is as coarse as 1000), so that a time in doubt is accepted.
4. A process that lives for one turn is charged up to its answer, whenever it ends. If it ends too late, the words of its
   timeout say so, and it may have been charged anything.
5. Players of the house are part of the referee: no limit holds for them.
6. Rounding is looked at only once a limit seems to be passed: checking a match takes about 2 % of the time of a replay.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from referee.contract.clock import LATE_END, Kind
from referee.errors import SavedGameError
from referee.saved.entries import AnswerEntry, Header, Limits, StepEntry

BY_CPU: Final = "CPU time"
"""The words in the detail of a timeout that show that the total of CPU time is used up."""

_NANOSECOND: Final = 1e-6
"""The error of sums and products of times, in milliseconds."""


def check_times(path: str, header: Header, steps: Iterable[StepEntry]) -> None:
    """Check that every time agrees with its verdict; the answers are those of the header's seats.

    Raises:
        SavedGameError: the first answer whose times do not.
    """
    accounts = {
        player.seat: None if player.house else _Account(header.limits, header.clock, ends=player.lifetime == "turn")
        for player in header.players
    }
    for step in steps:
        for answer in step.answers:
            account = accounts[answer.seat]
            if account is not None and (why := account.book(answer)) is not None:
                raise SavedGameError(path, step.step + 1, f"times: seat {answer.seat} {why}")


class _Account:
    """One seat's time. `ends` says whether its processes must end after each answer."""

    __slots__ = ("_allowed", "_by_cpu", "_ends", "_later", "_limit", "_total", "_unrounded", "_used")

    def __init__(self, limits: Limits, clock: Kind, *, ends: bool) -> None:
        self._limit, self._later = limits.first * 1000, limits.answer * 1000
        self._total = float("inf") if limits.total is None else limits.total * 1000
        self._by_cpu = clock == "cpu"
        self._ends = ends
        self._used = 0.0
        self._allowed = 0.0
        self._unrounded: list[float] = []

    def book(self, answer: AnswerEntry) -> str | None:
        """Charge an answer. Returns the contradiction in words, or None."""
        ms, cpu, before = answer.ms, answer.cpu, self._used
        limit, self._limit = self._limit, self._later
        charged = cpu if self._by_cpu and cpu is not None else ms
        self._used = used = before + charged
        self._unrounded.append(charged)
        if answer.fault is None:
            if ms <= limit and used <= self._total:
                return None
            if self._by_cpu and cpu is None:
                return self._in_time(ms, limit, before, self._allowance() - _half_a_unit(ms))
            return self._in_time(ms, limit, used, self._allowance())
        words = answer.detail or ""
        if answer.fault != "timeout" or (self._ends and LATE_END in words):
            return None
        if self._by_cpu and BY_CPU in words and self._total < float("inf"):
            # Without a measured CPU time of the last answer, nothing contradicts the words.
            if cpu is None or used >= self._total - self._allowance():
                return None
            return f"timed out by CPU time after {used:.12g} ms of it, {self._total:.12g} ms were allowed"
        return self._too_early(ms, limit, float("inf") if self._by_cpu else self._total - before)

    def _in_time(self, ms: float, limit: float, used: float, allowance: float) -> str | None:
        """The contradiction in an answer without a fault, or None. `allowance` is the rounding error of `used`."""
        if ms > limit + _half_a_unit(ms):
            return f"was charged {ms:.12g} ms, {limit:.12g} ms were allowed, and there is no fault"
        if used > self._total + allowance:
            time = f" of {BY_CPU}" if self._by_cpu else ""
            return f"was charged {used:.12g} ms{time} in all, {self._total:.12g} ms were allowed, and there is no fault"
        return None

    def _too_early(self, ms: float, own: float, left: float) -> str | None:
        """The contradiction in a timeout by wall time, or None."""
        if ms >= own or ms >= left or ms >= own - _half_a_unit(ms) or ms >= left - self._allowance():
            return None
        return f"timed out after {ms:.12g} ms, {min(own, left):.12g} ms were allowed"

    def _allowance(self) -> float:
        """The rounding error of the sum of all charges. Each charge is examined once, however often this is called."""
        self._allowed += sum(map(_half_a_unit, self._unrounded))
        self._unrounded.clear()
        return self._allowed


def _half_a_unit(time: float) -> float:
    """Half a unit of a time's last digit, or of its ones if it has no digits after the point."""
    exponent = Decimal(repr(time)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return 0.5 * 10.0 ** min(0, exponent) + _NANOSECOND
