"""The evidence of a move: the request, the answer, its time, and what the player wrote to stderr."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind
from referee.moments.evidence import MOST_LINES, Evidence, chosen, evidence_of
from referee.moments.timeline import Timeline
from referee.terminal import keys as k
from referee.terminal.bindings import Binding
from referee.terminal.board import Mode
from referee.terminal.evidence_lines import evidence_height, evidence_lines
from referee.terminal.page import compose
from referee.terminal.palette import Look
from referee.terminal.panel import panel_lines
from referee.terminal.viewer import Viewer

LOOK, ASCII = Look(), Look(colour=False, shades=False, ascii_only=True)
ASKED = Evidence(
    step=57,
    seat=1,
    ask="getAction",
    request=["a", "b", "c"],
    answer=["R"],
    fault=None,
    took=0.25,
    limit=1.0,
    log=["hm", "so"],
)


def of(saved: Any, step: int, seat: int, **more: Any) -> Evidence | None:
    return evidence_of(saved, Timeline(saved, saved.seats), step, seat, **more)


def asking(toy: SimpleNamespace, **more: Any) -> Any:
    """A saved walk whose requests have the step in them."""
    game = replace(toy.GAME, encode=lambda request: f"{request.ask}\nseat {request.seat}\n".encode(), **more)
    return toy.SavedWalk(game=game)


def texts(evidence: Evidence, width: int, height: int, look: Look = LOOK) -> list[str]:
    return [line.plain.rstrip() for line in evidence_lines(evidence, width, height, look)]


def test_the_evidence_of_a_step_is_what_was_asked_and_answered_in_it(toy: SimpleNamespace) -> None:
    saved = asking(toy)
    found = of(saved, 7, 0, logs=lambda step, seat: f"step {step}\n\tseat {seat}\n")
    assert found == Evidence(
        step=7, seat=0, ask="getAction", request=["getAction", "seat 0"], answer=["R"], fault=None, took=0.007, limit=1.0,
        log=["step 7", "    seat 0"],
    )  # fmt: skip
    assert saved.asked == [6]


def test_a_fault_stands_in_place_of_the_answer(toy: SimpleNamespace) -> None:
    saved, late = asking(toy), Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    saved.steps[6] = saved.steps[6]._replace(answers=[Answer(0, late, None, 1.0)])
    found = of(saved, 7, 0)
    assert found is not None
    assert (found.answer, found.fault, found.took) == (None, late, 1.0)


def test_a_seat_that_was_not_asked_has_no_evidence(toy: SimpleNamespace) -> None:
    saved = asking(toy)
    assert of(saved, 7, 1) is None
    saved.steps[6] = saved.steps[6]._replace(answers=[Answer(99, "R", "R", 0.1)])
    assert of(saved, 7, 0) is None
    assert of(saved, 7, 99) is None


def test_a_process_that_lives_for_one_turn_gets_its_whole_input(toy: SimpleNamespace) -> None:
    saved = asking(toy, encode_turn=lambda request: b"the whole turn\n")
    saved.entrants = [Entrant("A", "turn"), Entrant("B", "game")]
    requests = [found.request for found in (of(saved, 1, 0), of(saved, 2, 1)) if found]
    assert requests == [["the whole turn"], ["getAction", "seat 1"]]


def test_only_the_last_lines_of_a_long_request_are_kept(toy: SimpleNamespace) -> None:
    game = replace(toy.GAME, encode=lambda _request: b"\n".join(b"%d" % line for line in range(5000)) + b"\xff")
    found = of(toy.SavedWalk(game=game), 1, 0)
    assert found is not None
    assert (len(found.request), found.request[-1]) == (MOST_LINES, "4999\ufffd")


def test_the_limit_is_that_of_the_first_or_a_later_answer_or_what_is_left(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk(time=TimeControl(first=15.0, answer=1.0, total=0.01))  # answers take 1, 2, 3 … ms
    assert Timeline(saved, 2).limit(1, 0) == 0.01
    assert Timeline(saved, 2).limit(5, 0) == pytest.approx(0.01 - 0.001 - 0.003)
    assert Timeline(saved, 2).limit(99, 0) == 0.0
    by_cpu = toy.SavedWalk(time=TimeControl(first=15.0, answer=1.0, total=0.01, kind="cpu"))
    assert [Timeline(by_cpu, 2).limit(step, 1) for step in (2, 4)] == [15.0, 1.0]


@pytest.mark.parametrize(
    ("at", "follow", "move"),
    [(0, None, None), (0, 1, None), (1, 1, None), (7, None, (7, 0)), (7, 1, (6, 1)), (8, 1, (8, 1)), (100, 0, (99, 0))],
)
def test_evidence_is_of_the_last_move_of_the_followed_seat(
    toy: SimpleNamespace, at: int, follow: int | None, move: tuple[int, int] | None
) -> None:
    saved = toy.SavedWalk()
    assert chosen(saved, Timeline(saved, 2), at, follow) == move


def test_whole_evidence_has_its_time_first_and_its_request_last() -> None:
    assert texts(ASKED, 60, 10) == [
        " 2   step 57, getAction  250ms of 1.00s  █████░░░░░░░░░░░░░░",
        "answer   R",
        "stderr   hm",
        "         so",
        "request  a",
        "         b",
        "         c",
    ]
    assert texts(ASKED, 30, 10)[0] == " 2   step 57  250ms of 1.00s"
    assert evidence_height(ASKED, 60, LOOK) == 7


def test_with_few_lines_the_ends_of_request_and_log_are_shown() -> None:
    long = replace(ASKED, log=[f"log {n}" for n in range(9)], request=[f"row {n}" for n in range(9)])
    assert texts(long, 60, 6)[1:] == [
        "answer   R",
        "stderr…  log 7",
        "         log 8",
        "request… row 7",
        "         row 8",
    ]
    assert texts(long, 60, 6, ASCII)[2].startswith("stderr~")
    assert texts(replace(long, request=["one"]), 60, 6)[2:] == [
        "stderr…  log 6", "         log 7", "         log 8", "request  one",
    ]  # fmt: skip


def test_a_fault_is_told_whole() -> None:
    fault = Fault(FaultKind.EXIT, "exited with status 1 after it had answered for a long time")
    lines = texts(replace(ASKED, answer=None, fault=fault), 40, 20)
    assert lines[1:4] == [
        "fault    exit: exited with status 1",
        "         after it had answered for a",
        "         long time",
    ]


def test_the_label_of_a_fault_says_that_lines_are_left_out() -> None:
    fault = Fault(FaultKind.INVALID, "expected one of U L D R N A, got " + "x " * 90)
    assert texts(replace(ASKED, answer=None, fault=fault), 40, 7)[1] == "fault…   invalid: expected one of U L D"


def test_evidence_takes_the_lines_that_the_legend_leaves_and_e_gives_it_more(toy: SimpleNamespace) -> None:
    long = replace(ASKED, request=[f"row {n}" for n in range(40)])
    scene = toy.moment(toy.board(9, 9, 2), evidence=long)

    def rows(height: int, inspected: bool) -> int:
        lines = panel_lines(
            replace(scene, inspected=inspected), 60, height, LOOK, (Binding("?", "help", {}),), Mode.DOUBLE
        )
        return sum("row" in line.plain for line in lines)

    assert [rows(height, False) for height in (16, 24, 60)] == [0, 4, 10]
    assert [rows(height, True) for height in (16, 24, 60)] == [5, 13, 40]


def test_asked_for_evidence_gets_room_beside_a_smaller_board(toy: SimpleNamespace) -> None:
    scene = toy.moment(toy.board(31, 31, 4), evidence=ASKED)
    for inspected in (False, True):
        page = compose(replace(scene, inspected=inspected), 80, 40, LOOK, ())
        assert any("stderr" in line.plain for line in page) == inspected


@settings(deadline=None)
@given(
    st.integers(1, 200), st.integers(1, 40), st.sampled_from([LOOK, ASCII]),
    st.lists(st.text(max_size=60), max_size=9), st.lists(st.text(max_size=60), max_size=9), st.text(max_size=200),
    st.booleans(),
)  # fmt: skip
def test_evidence_never_exceeds_its_lines_and_is_escaped(
    width: int, height: int, look: Look, request: list[str], log: list[str], answer: str, failed: bool
) -> None:
    fault = Fault(FaultKind.EXIT, answer) if failed else None
    told = None if failed else answer.split("\n")
    lines = evidence_lines(replace(ASKED, request=request, log=log, answer=told, fault=fault), width, height, look)
    assert len(lines) <= height
    for line in lines:
        assert line.cell_len <= width
        assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in line.plain)
        assert not look.ascii_only or line.plain.isascii()


def test_the_viewer_shows_the_evidence_of_the_seat_that_it_follows(toy: SimpleNamespace) -> None:
    saved = asking(toy)
    viewer = Viewer(saved, LOOK, at=7, logs=lambda step, seat: f"log of step {step}")
    shown = "\n".join(line.plain for line in viewer.page(120, 40))
    assert " 1   step 7, getAction  7.00ms of 1.00s" in shown
    assert "log of step 7" in shown
    for key in (k.TAB, k.TAB):
        viewer.press(key)
    assert any("log of step 6" in line.plain for line in viewer.page(120, 40))
    asked = len(saved.asked)
    viewer.press(k.RIGHT)
    viewer.press(k.LEFT)
    viewer.page(120, 40)
    assert len(saved.asked) == asked  # the same move: nothing is asked again


def test_reasons_come_before_the_request_and_leave_it_some_lines() -> None:
    why = [f"why {n}" for n in range(9)]
    told = texts(replace(ASKED, reasons=why, ahead=True), 60, 9)
    assert told[0].startswith(" 2   next: step 57, getAction")
    assert told[2:] == [
        "program… why 0", "         why 1", "         why 2", "         why 3", "stderr…  so", "request… b", "         c",
    ]  # fmt: skip
    alone = texts(replace(ASKED, reasons=why[:3], request=[], log=[]), 60, 5)
    assert alone[2:] == ["program  why 0", "         why 1", "         why 2"]
