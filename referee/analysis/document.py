"""An explanation as the JSON document of `referee explain --json`. Seats count from 0, times are in seconds."""

from __future__ import annotations

from typing import Any, Final

from referee.analysis.accounts import Account, largest
from referee.analysis.explanation import MARKS, Explanation, SeatStory
from referee.analysis.times import AnswerTime, Failure

MOST: Final = 5
"""How many of the largest changes of an account are in the document."""


def document(explanation: Explanation, seat: int | None = None) -> dict[str, Any]:
    """The document; `seat` is the seat to explain, from 0, or None for all."""
    turning = explanation.turning_point
    return {
        "game": explanation.game.name,
        "reason": explanation.reason,
        "rounds": explanation.rounds,
        "steps": explanation.steps,
        "turning_point": None if turning is None else turning._asdict(),
        "leads": [change._asdict() for change in explanation.leads],
        "seats": [_seat(explanation, story) for story in explanation.seats if seat is None or story.seat == seat],
    }


def _seat(explanation: Explanation, story: SeatStory) -> dict[str, Any]:
    accounts, times = story.accounts, story.times
    return {
        "seat": story.seat,
        "name": story.name,
        "rank": story.rank,
        "points": story.score,
        "disqualified": story.disqualified,
        "led": round(story.led, 6),
        "progress": [{"percent": at, "points": points} for at, points in zip(MARKS, story.progress, strict=True)],
        "start": accounts.start,
        "gains": [_account(explanation, account) for account in accounts.of("gain")],
        "losses": [_account(explanation, account) for account in accounts.of("loss")],
        "nothing": [_account(explanation, account) for account in accounts.of("nothing")],
        "time": {
            "nearest": round(times.nearest(), 6),
            "total": round(times.clock.used, 6),
            "first": None if times.first is None else _timed(times.first),
            "slowest": [_timed(timed) for timed in times.slowest()],
        },
        "faults": [_fault(fault) for fault in times.failures],
    }


def _account(explanation: Explanation, account: Account) -> dict[str, Any]:
    return {
        "what": account.what,
        "points": account.points,
        "amount": account.amount,
        "times": len(account.bookings),
        "rivals": [{"seat": seat, "amount": amount} for seat, amount in account.rivals().items()],
        "largest": [
            {"first": it.first, "last": it.last, "amount": it.amount, "text": explanation.words(it)}
            for it in largest(account.bookings, MOST, explanation.steps)
        ],
    }


def _fault(fault: Failure) -> dict[str, Any]:
    document = fault._asdict()
    del document["place"]  # for people: it follows from the ranks
    return {**document, "seconds": round(fault.seconds, 6)}


def _timed(timed: AnswerTime) -> dict[str, Any]:
    return {"step": timed.step, "seconds": round(timed.seconds, 6), "limit": timed.limit}
