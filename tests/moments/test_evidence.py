"""The evidence of a move: the request, the answer, its time, what the player wrote to stderr, and why a program moved."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from referee.contract.clock import TimeControl
from referee.contract.frame import Patch, Sheet
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Request
from referee.moments.evidence import MOST_COLUMNS, MOST_LINES, Decision, Evidence, choose_evidence, evidence_of, reasons
from referee.moments.timeline import Timeline


def of(saved: Any, step: int, seat: int, **more: Any) -> Evidence | None:
    return evidence_of(Timeline(saved), step, seat, **more)


def asking(toy: SimpleNamespace, **more: Any) -> Any:
    """A saved walk whose requests have the step in them."""
    game = replace(toy.GAME, encode=lambda request: f"{request.ask}\nseat {request.seat}\n".encode(), **more)
    return toy.SavedWalk(game=game)


def test_the_evidence_of_a_step_is_what_was_asked_and_answered_in_it(toy: SimpleNamespace) -> None:
    saved = asking(toy)
    evidence = of(saved, 7, 0, logs=lambda step, seat: f"step {step}\n\tseat {seat}\n")
    assert evidence == Evidence(
        step=7, seat=0, ask="getAction", request=["getAction", "seat 0"], answer=["R"], fault=None, took=0.007, limit=1.0,
        log=["step 7", "    seat 0"],
    )  # fmt: skip
    assert saved.asked == [0, 6]


def test_a_fault_stands_in_place_of_the_answer(toy: SimpleNamespace) -> None:
    saved, late = asking(toy), Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    saved.steps[6] = saved.steps[6]._replace(answers=[Answer(0, late, None, 1.0)])
    evidence = of(saved, 7, 0)
    assert (evidence.answer, evidence.fault, evidence.took) == (None, late, 1.0)


def test_a_seat_that_was_not_asked_has_no_evidence(toy: SimpleNamespace) -> None:
    saved = asking(toy)
    assert of(saved, 7, 1) is None
    saved.steps[6] = saved.steps[6]._replace(answers=[Answer(99, "R", "R", 0.1)])
    assert of(saved, 7, 0) is None
    assert of(saved, 7, 99) is None


def test_a_process_that_lives_for_one_turn_gets_its_whole_input(toy: SimpleNamespace) -> None:
    saved = asking(toy, encode_turn=lambda request: b"the whole turn\n")
    saved.entrants = [Entrant("A", "turn"), Entrant("B", "game")]
    requests = [evidence.request for evidence in (of(saved, 1, 0), of(saved, 2, 1)) if evidence]
    assert requests == [["the whole turn"], ["getAction", "seat 1"]]


def test_only_the_last_lines_of_a_long_request_are_kept(toy: SimpleNamespace) -> None:
    game = replace(toy.GAME, encode=lambda _request: b"\n".join(b"%d" % line for line in range(5000)) + b"\xff")
    evidence = of(toy.SavedWalk(game=game), 1, 0)
    assert (len(evidence.request), evidence.request[-1]) == (MOST_LINES, "4999\ufffd")


def test_reasons_have_a_cap(toy: SimpleNamespace) -> None:
    evidence = evidence_of(Timeline(toy.SavedWalk()), 1, 0, why=lambda *_: ["x" * 5000] * 5000)
    assert list(map(len, evidence.reasons)) == [MOST_COLUMNS] * MOST_LINES


def test_the_limit_is_that_of_the_first_or_a_later_answer_or_what_is_left(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk(time=TimeControl(first=15.0, answer=1.0, total=0.01))  # answers take 1, 2, 3 … ms
    assert Timeline(saved).limit(1, 0) == 0.01
    assert Timeline(saved).limit(5, 0) == pytest.approx(0.01 - 0.001 - 0.003)
    assert Timeline(saved).limit(99, 0) == 0.0
    by_cpu = toy.SavedWalk(time=TimeControl(first=15.0, answer=1.0, total=0.01, kind="cpu"))
    assert [Timeline(by_cpu).limit(step, 1) for step in (2, 4)] == [15.0, 1.0]


@pytest.mark.parametrize(
    ("at", "follow", "move"),
    [(0, None, None), (0, 1, None), (1, 1, None), (7, None, (7, 0)), (7, 1, (6, 1)), (8, 1, (8, 1)), (100, 0, (99, 0))],
)
def test_evidence_is_of_the_last_move_of_the_followed_seat(toy, at, follow, move):
    saved = toy.SavedWalk()
    assert choose_evidence(Timeline(saved), at, follow) == move


SHEETS = [
    Sheet("it sees", [[Patch("S0")]], ["possible moves: R", "map 2 decides"]),
    Sheet("map 1: does not fit", [[Patch("A1")]], ["not near"]),
    Sheet("map 2: decides", (), ["R rates 12"], fired=True),
    Sheet("map 2, goes R: fits", [[Patch("--"), Patch("B2")]], ["it holds"], fired=True),
]
FIRED = [
    "possible moves: R", "map 2 decides", "map 2: decides", "  R rates 12", "map 2, goes R: fits", "  -- B2", "  it holds",
]  # fmt: skip


def explain(_request: Request[Any]) -> Decision:
    return Decision("R", SHEETS)


def test_the_parts_that_decided_are_told() -> None:
    assert reasons({0: explain}, Request(0, "getAction", None), "R") == FIRED


@pytest.mark.parametrize(("recorded", "has"), [("L", "L"), (None, "no answer")])
def test_another_program_than_that_of_the_match_is_told(recorded: str | None, has: str) -> None:
    first, *others = reasons({0: explain}, Request(0, "getAction", None), recorded)
    assert first == f"this is not the program of the match: it answers R, the saved game has {has}"
    assert others == FIRED


def test_a_name_and_a_seat_without_a_program_have_no_reasons() -> None:
    assert reasons({0: explain}, Request(0, "getName", None), "Bee") == []
    assert reasons({0: explain}, Request(1, "getAction", None), "R") == []
