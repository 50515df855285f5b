"""Where points came from: the effects of all steps, booked by seat, and their sums.

1. A game says what a step meant (`Game.effects`). The unexplained rest of a change of points is booked as `OTHER`. So the points
   of a seat at the start, its gains and its losses add up to its points at the end, whatever a game says.
2. Equal amounts have no largest one. If all gains are a single point, as in ants, the best stretch of the match is shown
   instead: the match is cut into `STRETCHES` parts of equal length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isclose
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.contract.game import Effect

OTHER: Final = "points"
"""The source of points that the game does not name."""
STRETCHES: Final = 20

Side: TypeAlias = Literal["gain", "loss", "nothing"]


class Booking(NamedTuple):
    """An effect of a step."""

    step: int
    effect: Effect

    @property
    def side(self) -> Side:
        """Whether the seat gained by it, lost by it, or lost a turn."""
        if self.effect.kind == "points":
            return "gain" if self.effect.amount > 0 else "loss"
        return self.effect.kind


class Stretch(NamedTuple):
    """One booking, or all of one kind in a part of the match: first and last step, their sum, and the first effect."""

    first: int
    last: int
    times: int
    amount: float
    effect: Effect


@dataclass(slots=True)
class Account:
    """All bookings of a seat on one side with the same source, loss or reason."""

    side: Side
    what: str
    points: bool
    bookings: list[Booking] = field(default_factory=list)

    @property
    def amount(self) -> float:
        """The sum; negative for points that were lost."""
        return sum(booking.effect.amount for booking in self.bookings)

    def rivals(self) -> dict[int, float]:
        """The part of each rival, the largest first."""
        parts: dict[int, float] = {}
        for booking in self.bookings:
            effect = booking.effect
            if effect.rival is not None:
                parts[effect.rival] = parts.get(effect.rival, 0) + effect.amount
        return dict(sorted(parts.items(), key=lambda part: -abs(part[1])))


class SeatAccounts:
    """The accounts of one seat."""

    def __init__(self, seat: int, start: float) -> None:
        """Begin with the points at the start."""
        self.start = start
        self._seat = seat
        self._accounts: dict[tuple[Side, str], Account] = {}

    def book(self, step: int, effects: Iterable[Effect], change: float) -> None:
        """Book the effects that a step had on this seat, and the rest of the change of its points."""
        total = 0.0
        for effect in effects:
            total += effect.amount if effect.kind == "points" else 0
            self._add(Booking(step, effect))
        if not isclose(total, change, abs_tol=1e-9):
            self._add(Booking(step, Effect(self._seat, "points", OTHER, change - total)))

    def of(self, side: Side) -> list[Account]:
        """The accounts of a side: points first, then the largest sum first."""
        accounts = [account for account in self._accounts.values() if account.side == side]
        return sorted(accounts, key=lambda account: (not account.points, -abs(account.amount)))

    def losses(self) -> list[list[Account]]:
        """The accounts of losses in groups: lost points together, then each other loss."""
        accounts = self.of("loss")
        groups = [[account for account in accounts if account.points]]
        groups += [[account] for account in accounts if not account.points]
        return [group for group in groups if group]

    def _add(self, booking: Booking) -> None:
        key = booking.side, booking.effect.what
        account = self._accounts.setdefault(key, Account(*key, booking.effect.kind == "points"))
        account.bookings.append(booking)


def bookings_of(accounts: Iterable[Account]) -> list[Booking]:
    """The bookings of several accounts in the order of steps."""
    return sorted(chain(*(account.bookings for account in accounts)), key=lambda booking: booking.step)


def largest(bookings: Sequence[Booking], most: int, last: int) -> list[Stretch]:
    """The largest of these bookings, at most `most`; or if all are equal, the best stretches (theory, point 2)."""
    sizes = {round(booking.effect.amount, 9) for booking in bookings}
    stretches = [[booking] for booking in bookings]
    if len(sizes) == 1 and len(bookings) > most:
        parts: dict[tuple[int, str], list[Booking]] = {}
        for booking in bookings:
            parts.setdefault((booking.step * STRETCHES // (last + 1), booking.effect.what), []).append(booking)
        stretches = list(parts.values())
    sums = [
        Stretch(part[0].step, part[-1].step, len(part), sum(it.effect.amount for it in part), part[0].effect)
        for part in stretches
    ]
    return sorted(sums, key=lambda stretch: (-abs(stretch.amount), stretch.first))[:most]
