"""What a seat of a match lost points to, in sentences for the author of its bot. They name no file and no command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.analysis.explanation import Explanation, SeatStory
from referee.analysis.ledger import Stretch, largest
from referee.analysis.seat_text import bookings_of, loss_groups, place, points, summed, times
from referee.moments.wording import number


class Shortfall(NamedTuple):
    """What one seat lost points to.

    Attributes:
        lines: harmless sentences. step: a step that shows it: the largest loss, or else the turning point; None without both.
    """

    lines: Sequence[str]
    step: int | None


def shortfall(found: Explanation, seat: int) -> Shortfall | None:
    """What this seat, from 0, lost points to; None if it was alone in the first place, or is not ranked."""
    story = next((story for story in found.seats if story.seat == seat), None)
    best = found.seats[0] if found.seats else None
    if story is None or best is None or (story.rank == best.rank and _alone(found)):
        return None
    largest_losses = [largest(bookings_of(group), 1, found.steps)[0] for group in loss_groups(story.ledger)]
    turning = None if found.turning_point is None else found.turning_point.step
    lines = [*_result(found, story, best), *_losses(found, story, largest_losses), *_nothing(found, story)]
    return Shortfall(
        [*lines, *_drought(found, story), *_lead(found)], largest_losses[0].first if largest_losses else turning
    )


def _alone(found: Explanation) -> bool:
    return len(found.seats) < 2 or found.seats[1].rank != found.seats[0].rank


def _result(found: Explanation, story: SeatStory, best: SeatStory) -> Iterator[str]:
    yield f"It had rank {number(story.rank)} of {len(found.seats)}, with {points(story.points)}: {_sources(found, story)}."
    if story.rank != best.rank:
        yield f"{best.name} won with {points(best.points)}: {_sources(found, best)}."
    else:
        yield "It shared the first place."


def _sources(found: Explanation, story: SeatStory) -> str:
    """Where the points of a seat came from."""
    gains = [account for account in story.ledger.accounts("gain") if account.points]
    return ", ".join(summed(found, account) for account in gains) or "it gained none"


def _losses(found: Explanation, story: SeatStory, most: Sequence[Stretch]) -> Iterator[str]:
    for group, stretch in zip(loss_groups(story.ledger), most, strict=True):
        told = ", ".join(summed(found, account) for account in group)
        yield f"It lost: {told}; {'most ' if len(bookings_of(group)) > 1 else ''}in {place(found, stretch.first)}."


def _nothing(found: Explanation, story: SeatStory) -> Iterator[str]:
    accounts = story.ledger.accounts("nothing")
    if accounts:
        told = ", ".join(f"{account.what} {times(len(account.bookings))}" for account in accounts)
        first = min(account.bookings[0].step for account in accounts)
        yield f"Turns that came to nothing: {told}; the first in {place(found, first)}."


def _drought(found: Explanation, story: SeatStory) -> Iterator[str]:
    first, last = story.ledger.drought(found.steps)
    if 0 < last - first < found.steps:
        begin = f"from {place(found, first)}" if first else "from the start"
        end = "to the end" if last == found.steps else f"to {place(found, last)}"
        yield f"Longest without a gain: {begin}, {end}."


def _lead(found: Explanation) -> Iterator[str]:
    turning = found.turning_point
    if turning is not None and turning.step:
        told = f": {turning.text}" if turning.text else ""
        yield f"{found.names[turning.seat]} led from {place(found, turning.step)}, to the end{told}."
