"""Mistakes of a game: the message says what it returned, and what the contract expects; a call that hangs is ended."""

import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from referee import games
from referee.contract.game import Outcome, Request
from referee.contract.ranking import Ranked
from referee.errors import GameError
from referee.match import contract_check as contract
from referee.match import watchdog
from referee.match.watchdog import SECONDS, TICKS, limit_calls

FIRST, SECOND = Ranked(0, "Ann", 1, 3, None), Ranked(1, "Ben", 2, 0.5, "timeout")
RESULT = Outcome("rounds", 7, [FIRST, SECOND])


def test_what_keeps_the_contract_passes() -> None:
    assert contract.wrong_lines(b"getName\n") is None
    assert contract.wrong_requests([Request(1, "getAction", None), Request(0, "getAction", None)], 2) is None
    assert contract.wrong_requests([], 2) is None
    assert (
        contract.wrong_events([{"event": "moved", "seat": 1}, {"event": "rain"}, {"event": "rain", "seat": None}], 2)
        is None
    )
    assert contract.wrong_events(({"event": "rain", "at": [1, 1.0, -0.0, True, 2**70]},), 2) is None
    assert contract.wrong_result(RESULT, 2) is None
    assert contract.no_position({}) is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("getName\n", "'getName\\n' instead of bytes"),
        (None, "None instead of bytes"),
        (b"move", "not end with a line feed"),
    ],
)
def test_a_request_is_whole_lines_of_bytes(data: Any, why: str) -> None:
    assert why in str(contract.wrong_lines(data))


@pytest.mark.parametrize(
    ("due", "why"),
    [
        (None, "`requests` returned None"),
        ([0], r"`requests` returned [0] instead of a list of `Request`s"),
        ([Request(2, "getName", None)], "for the seats [2]: each may be asked once, and the seats are 0 to 1"),
        ([Request([0], "getName", None)], "for the seats [[0]]: each"),  # type: ignore[arg-type]
        ([Request(0, "getName", None)] * 2, "for the seats [0, 0]: each"),
    ],
)
def test_requests_are_at_most_one_for_each_seat(due: Any, why: str) -> None:
    assert why in str(contract.wrong_requests(due, 2))


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (None, "`advance` returned None"),
        ({"event": "moved"}, "`advance` returned {'event': 'moved'} instead of a list"),
        ([("moved", 1)], "('moved', 1) is no event"),
        ([{"event": "moved", "seat": 2}], "its event 'moved' has the seat 2, and the seats are 0 to 1"),
        ([{"event": "moved", "at": {1}}], "its events cannot be saved as JSON: Object of type set is not JSON serializable"),
        ([{"event": "moved", "at": [(1, 2)]}], "its events cannot be saved as JSON: use lists instead of tuples"),
        ([{"event": "moved", "by": float("nan")}], "its events cannot be saved as JSON: Out of range float values"),
        ([{"event": "moved", "by": "\ud800"}], "its events cannot be saved as JSON: 'utf-8' codec can't encode character"),
    ],
)  # fmt: skip
def test_events_are_a_list_of_objects(events: Any, why: str) -> None:
    assert why in str(contract.wrong_events(events, 2))


def test_a_position_is_an_object() -> None:
    assert contract.no_position([1]) == "`position` returned [1] instead of an object"


def test_a_position_that_json_changes_is_refused_in_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = SimpleNamespace(name="tron", version="0.1.0")
    state: Any = SimpleNamespace(seats=2, position=lambda: {"at": (1, 2)})
    monkeypatch.setattr("referee.games.plugin", lambda _name: game)
    with pytest.raises(GameError, match=r"tron 0.1.0 in step 0: its position cannot be saved as JSON: use lists"):
        contract.checked_state(state, game).position()


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        ({"reason": "rounds"}, "instead of an `Outcome`"),
        (replace(RESULT, ranking=[(0, 1)]), "instead of an `Outcome` with a ranking of `Ranked`"),
        (replace(RESULT, rounds=None), "the reason and the rounds of its result are ('rounds', None)"),
        (replace(RESULT, ranking=[replace(FIRST, score=float("nan"))]), "seat 0 has the rank 1 and the score nan"),
        (replace(RESULT, ranking=[FIRST, FIRST]), "its ranking is of the seats [0, 0]"),
        (replace(RESULT, ranking=[SECOND, FIRST]), "its ranking is not the best first: the places are [2, 1]"),
    ],
)
def test_a_result_ranks_seats_by_numbers_the_best_first(outcome: Any, why: str) -> None:
    assert why in str(contract.wrong_result(outcome, 2))


def call_of(file: str) -> FrameType:
    """The frame of a call of code in that file."""
    names = {"sys": sys}
    exec(compile("frame = sys._getframe()", file, "exec"), names)
    return names["frame"]


def test_a_call_is_ended_at_the_first_tick_after_five_seconds_and_another_call_begins_anew(monkeypatch) -> None:
    monkeypatch.setattr(watchdog.games, "plugin", lambda _name: SimpleNamespace(folder=Path("/games/tron")))
    monkeypatch.setattr(signal, "setitimer", lambda _timer, *seconds: seconds)
    with limit_calls(games.find("ava")):
        tick = signal.getsignal(signal.SIGALRM)
        short, long = call_of("/games/tron/rules.py"), call_of("/games/tron/rules.py")
        elsewhere = call_of("/elsewhere.py")
        for frame in [short] * TICKS + [elsewhere] * 2 * TICKS + [long] * TICKS:
            tick(signal.SIGALRM, frame)
        with pytest.raises(TimeoutError, match=f"longer than {SECONDS:g} s"):
            tick(signal.SIGALRM, long)
