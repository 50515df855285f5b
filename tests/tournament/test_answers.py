"""What a match of a certain place in the schedule must be, whoever reports it: a worker, a part or a ledger."""

from typing import Any

import pytest
from tournament.conftest import fault_of, row_of

from referee.tournament.answers import match_defect, void_row
from referee.tournament.figures.times import MOST_BUCKET
from referee.tournament.model import Competitor

SAVED = "games/000001-0.jsonl.gz"
FIELD = [Competitor(number, "abc"[number], f"content-{number}") for number in range(3)]


def played(*places: float) -> dict[str, Any]:
    """The match of 2, 0 and 1 with these places."""
    scores = [sum((other > place) + (other == place) / 2 for other in places) - 0.5 for place in places]
    seats = zip((2, 0, 1), places, scores, strict=True)
    return row_of(
        *({"number": number, "entrant": f"content-{number}", "name": "n", "place": place, "score": score, "points": 0}
          for number, place, score in seats),
        saved=SAVED, sha256="0" * 64,
    )  # fmt: skip


def defect(row: dict[str, Any]) -> str | None:
    return match_defect(row, 1, 0, [2, 0, 1], ["content-2", "content-0", "content-1"])


@pytest.mark.parametrize("places", [(1, 2, 3), (3, 1, 1), (2.5, 2.5, 1), (1, 1, 1), (2, 2, 2)])
def test_equals_have_the_first_of_their_places_or_the_mean(places: tuple[float, ...]) -> None:
    assert defect(played(*places)) is None


@pytest.mark.parametrize(("change", "why"), [
    ({"seats": []}, "seats: other entrants than in the schedule"),
    ({"saved": "../tournament.toml"}, f"saved: not {SAVED}, the file of this match"),
    ({"saved": "games/000001-1.jsonl.gz"}, f"saved: not {SAVED}, the file of this match"),
    ({"sha256": None}, "sha256: missing, although the game was saved"),
    ({"times": []}, "times: not one list for each seat"),
    ({"times": [[1], [], []]}, "times: no list of buckets and counts"),
    ({"times": [[2, 1, 1, 1], [], []]}, "times: no list of buckets and counts"),
    ({"times": [[1, 1, 1, 1], [], []]}, "times: no list of buckets and counts"),
    ({"times": [[MOST_BUCKET + 1, 1], [], []]}, "times: no list of buckets and counts"),
    ({"times": [[1, 0], [], []]}, "times: a count below 1"),
    ({"times": [[1, -1], [], []]}, "times: a count below 1"),
    ({"faults": [fault_of(3)]}, "faults: of seats that the match does not have"),
    ({"faults": [fault_of(0), fault_of(0)]}, "or two of one seat"),
    ({"reason": "void"}, "a void match has no places, faults and times"),
    ({"seat": 1}, "seats: not numbered from 0"),
    ({"number": 1}, "seats: other entrants than in the schedule, [2, 0, 1]"),
    ({"entrant": "x"}, "seats: other contents than those of the entrants"),
    ({"place": 3}, "seats: places that are no ranking, [3, 2, 3]"),
    ({"score": 1.0}, "seats: scores that do not follow from the places"),
    ({"place": None}, "seats: a place, score, points or time is missing"),
    ({"score": None}, "seats: a place, score, points or time is missing"),
    ({"points": None}, "seats: a place, score, points or time is missing"),
    ({"slowest_ms": None}, "seats: a place, score, points or time is missing"),
    ({"total_ms": None}, "seats: a place, score, points or time is missing"),
])  # fmt: skip
def test_a_match_that_cannot_have_been_played_so(change: dict[str, Any], why: str) -> None:
    row = played(1, 2, 3)
    (row if change.keys() <= row.keys() else row["seats"][0]).update(change)
    assert why in str(defect(row))


def test_a_void_match_has_its_seats_and_nothing_else() -> None:
    row = void_row([FIELD[2], FIELD[0], FIELD[1]], started="s", machine="m")
    assert defect(row) is None
    for change in ({"faults": [fault_of(0)]}, {"times": [[1, 1]] * 3}, {"saved": SAVED}):
        assert defect({**row, **change}) == "a void match has no places, faults and times"
