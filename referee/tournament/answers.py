"""Strict models of a worker's report of a match, and checks of such reports. Pure.

`match_defect` checks a match against the schedule: its seats, the file that it names, and whether its places are a ranking. The
coordinator checks reports of workers with it, `merge` checks parts, and every reader checks its ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import isclose
from typing import Annotated, Any, Final, TypeVar, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from referee.contract.game import FaultName
from referee.text.strict import explain
from referee.tournament.figures.times import MOST_BUCKET
from referee.tournament.model import Competitor, SeatScore, saved_name, scores

VOID: Final = "void"
"""The reason of a match that failed for a cause outside the bots, or that was given up."""
TRIES: Final = 3
"""After so many failed tries a match is void."""
Item = TypeVar("Item")
_CACHED: Final = ConfigDict(cache_strings="keys")
STRICT: Final = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True, **_CACHED)

Number = Annotated[int, Field(ge=0, le=10_000_000)]
Seats = Annotated[list[Item], Field(min_length=1, max_length=1000)]
Text = Annotated[str, Field(max_length=100_000)]
Figure = Annotated[int, Field(ge=-(10**15), le=10**15)] | Annotated[float, Field(ge=-1e15, le=1e15)]
Time = Annotated[float, Field(ge=0, le=1e12)] | Annotated[int, Field(ge=0, le=10**12)]
Place = Annotated[int, Field(ge=1, le=1000)] | Annotated[float, Field(ge=1, le=1000)]
Score = Annotated[float, Field(ge=0, le=1000)] | Annotated[int, Field(ge=0, le=1000)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=-1, le=10_000_000)]


@with_config(STRICT)
class StrictRow(TypedDict):
    """Base of the models of rows: strict, and without other keys."""


class SeatRow(StrictRow):
    """A seat of a match. `called` is the name that the player answered; times are in milliseconds."""

    seat: Number
    number: Number
    entrant: Text
    name: Text
    called: Text | None
    place: Place | None
    score: Score | None
    points: Figure | None
    disqualified: FaultName | None
    first_ms: Time | None
    slowest_ms: Time | None
    total_ms: Time | None


class FaultFacts(StrictRow):
    """The evidence of a fault, but for what the player wrote to stderr."""

    seat: Number
    kind: FaultName
    detail: Text
    step: Number
    round: Number
    request: Text
    ms: Time


class FaultRow(FaultFacts):
    """The evidence of a fault."""

    stderr: Annotated[list[Text], Field(max_length=100)]


class MatchFacts(StrictRow):
    """What all forms of a match have in common: how it was played."""

    reason: Text
    seconds: Time
    started: Text
    machine: Text
    saved: Text | None
    sha256: Digest | None


class Played(MatchFacts):
    """A match as a worker reports it (`jobs.JobRunner.play`)."""

    seats: Seats[SeatRow]
    faults: Annotated[list[FaultRow], Field(max_length=1000)]
    times: Seats[list[Count]]


class Answer(StrictRow, total=False):
    """What a worker answers to a job; it has one of these keys (`worker.py`)."""

    row: Played
    failed: Text
    stop: Text


@cache
def _answers() -> TypeAdapter[list[Answer]]:
    return TypeAdapter(list[Answer], config=_CACHED)


def answers_of(data: bytes) -> list[Answer]:
    """The answers of a worker, from a JSON list of them.

    Raises:
        ValueError: they have another form.
    """
    try:
        answers = _answers().validate_json(data)
    except ValidationError as failed:
        raise ValueError(explain(failed)) from None
    if any(len(answer) != 1 for answer in answers):
        raise ValueError("an answer must have one of the keys row, failed and stop")
    return answers


def seat_score(seat: SeatRow) -> SeatScore:
    """How a seat did in a match that was played."""
    place, score, points = (cast(float, seat[key]) for key in ("place", "score", "points"))  # `match_defect`
    return SeatScore(seat["number"], place, score, points, seat["disqualified"])


def void_row(entrants: Iterable[Competitor], *, started: str, machine: str) -> dict[str, Any]:
    """A match that is void, as `Played` has those that were played; the entrants are in their seats."""
    nothing: dict[str, Any] = dict.fromkeys(SeatRow.__annotations__)
    seats = [
        nothing | {"seat": seat, "number": entrant.number, "entrant": entrant.content, "name": entrant.name}
        for seat, entrant in enumerate(entrants)
    ]
    return {"seats": seats, "reason": VOID, "seconds": 0, "started": started, "machine": machine,
            "saved": None, "sha256": None, "faults": [], "times": []}  # fmt: skip


def match_defect(
    row: Mapping[str, Any], series: int, seating: int, numbers: Sequence[int], contents: Sequence[str] | None = None
) -> str | None:
    """What is wrong with a match of a certain place in the schedule; None if it may have been played so.

    Args:
        row: a `Played` or a `MatchRow`. series, seating: its key. numbers: the entrants of its seats.
        contents: those of its seats, if they are known.
    """
    seats = row["seats"]
    if [seat["seat"] for seat in seats] != list(range(len(seats))):
        return "seats: not numbered from 0"
    if [seat["number"] for seat in seats] != list(numbers):
        return f"seats: other entrants than in the schedule, {list(numbers)}"
    if contents is not None and [seat["entrant"] for seat in seats] != list(contents):
        return "seats: other contents than those of the entrants"
    if row["saved"] not in (None, saved_name(series, seating)):
        return f"saved: not {saved_name(series, seating)}, the file of this match"
    places = [seat["place"] for seat in seats]
    if row["reason"] == VOID:
        wrong = any(place is not None for place in places) or row["faults"] or row["times"] or row["saved"]
        return "a void match has no places, faults and times" if wrong else None
    if row["saved"] is not None and row["sha256"] is None:
        return "sha256: missing, although the game was saved"
    for seat in seats:
        if None in (seat["place"], seat["score"], seat["points"], seat["slowest_ms"], seat["total_ms"]):
            return "seats: a place, score, points or time is missing"
    return _ranking_defect(places, [seat["score"] for seat in seats]) or _evidence_defect(row, len(seats))


def _ranking_defect(places: Sequence[float], actual: Sequence[float]) -> str | None:
    expected = scores(places)
    most = len(places) + 0.5
    for place, score in zip(places, expected, strict=True):
        # The place of equals is the first of theirs, or the mean of theirs: most - score.
        if place != most - score - 0.5 and place != most - score - places.count(place) / 2:
            return f"seats: places that are no ranking, {list(places)}"
    if expected != actual and not all(map(isclose, expected, actual)):
        return "seats: scores that do not follow from the places"
    return None


def _evidence_defect(row: Mapping[str, Any], seats: int) -> str | None:
    if row["faults"]:
        at_fault = [fault["seat"] for fault in row["faults"]]
        if len(set(at_fault)) != len(at_fault) or max(at_fault) >= seats:
            return "faults: of seats that the match does not have, or two of one seat"
    if len(row["times"]) != seats:
        return "times: not one list for each seat"
    for numbers in row["times"]:
        buckets = numbers[::2]
        if len(numbers) % 2 or buckets != sorted(set(buckets)) or (buckets and buckets[-1] > MOST_BUCKET):
            return "times: no list of buckets and counts"
        if 0 in numbers[1::2] or -1 in numbers[1::2]:
            return "times: a count below 1"
    return None
