"""How a seat of a match lost points, in sentences for the author of its bot, which name no file and no command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.analysis.accounts import Account, Stretch, bookings_of, largest
from referee.analysis.explanation import Explanation, SeatStory
from referee.analysis.seat_text import account_text, points, times


class Shortfall(NamedTuple):
    """How one seat lost points.

    Attributes:
        lines: harmless sentences. step: a step that shows it: the largest loss, or else the turning point; None without both.
    """

    lines: Sequence[str]
    step: int | None


def shortfall(explanation: Explanation, seat: int) -> Shortfall | None:
    """How this seat, from 0, lost points; None if it won alone, or is not ranked."""
    story = next((story for story in explanation.seats if story.seat == seat), None)
    best = explanation.seats[0] if explanation.seats else None
    if story is None or best is None:
        return None
    winners = [winner.seat for winner in explanation.seats if winner.rank == best.rank]
    if winners == [seat]:
        return None
    losses = [(group, largest(bookings_of(group), 1, explanation.steps)[0]) for group in story.accounts.losses()]
    turning = None if explanation.turning_point is None else explanation.turning_point.step
    lines = [
        *_result(explanation, story, best),
        *_losses(explanation, losses),
        *_nothing(explanation, story),
        *_lead(explanation),
    ]
    return Shortfall(lines, losses[0][1].first if losses else turning)


def _result(explanation: Explanation, story: SeatStory, best: SeatStory) -> Iterator[str]:
    yield f"It had {explanation.rank(story)}, with {points(story.score)}: {_sources(explanation, story)}."
    if story.rank != best.rank:
        yield f"{best.name} won with {points(best.score)}: {_sources(explanation, best)}."
    else:
        yield "It shared the first place."


def _sources(explanation: Explanation, story: SeatStory) -> str:
    """Where the points of a seat came from."""
    gains = [account for account in story.accounts.of("gain") if account.points]
    return ", ".join(account_text(explanation, account) for account in gains) or "it gained none"


def _losses(explanation: Explanation, losses: Sequence[tuple[Sequence[Account], Stretch]]) -> Iterator[str]:
    """Groups of accounts, each with its largest loss."""
    for group, stretch in losses:
        sums = ", ".join(account_text(explanation, account) for account in group)
        yield f"It lost: {sums}; {'most ' if len(bookings_of(group)) > 1 else ''}in {explanation.moment(stretch.first)}."


def _nothing(explanation: Explanation, story: SeatStory) -> Iterator[str]:
    accounts = story.accounts.of("nothing")
    if accounts:
        reasons = ", ".join(f"{account.what} {times(len(account.bookings))}" for account in accounts)
        first = min(account.bookings[0].step for account in accounts)
        yield f"Turns that came to nothing: {reasons}; the first in {explanation.moment(first)}."


def _lead(explanation: Explanation) -> Iterator[str]:
    turning = explanation.turning_point
    if turning is not None and turning.step:
        event = f": {turning.text}" if turning.text else ""
        yield f"{explanation.names[turning.seat]} led from {explanation.moment(turning.step)}, to the end{event}."
