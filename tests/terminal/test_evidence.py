"""The lines in which a page shows the evidence of a move."""

from dataclasses import replace
from types import SimpleNamespace

from referee.contract.game import Fault, FaultKind
from referee.moments.evidence import Evidence
from referee.terminal import keys as k
from referee.terminal.bindings import Binding
from referee.terminal.board import Mode
from referee.terminal.evidence_lines import evidence_height, evidence_lines
from referee.terminal.page import compose
from referee.terminal.palette import DIM, Look, seat_ink
from referee.terminal.panel import panel_lines
from referee.terminal.viewer import Viewer

LOOK, ASCII = Look(), Look(colour=False, shades=False, ascii_only=True)
ASKED = Evidence(
    step=57, seat=1, ask="getAction", request=["a", "b", "c"], answer=["R"], fault=None, took=0.25, limit=1.0,
    log=["hm", "so"],
)  # fmt: skip


def texts(evidence: Evidence, width: int, height: int, look: Look = LOOK) -> list[str]:
    return [line.plain.rstrip() for line in evidence_lines(evidence, width, height, look)]


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
    assert texts(ASKED, 27, 10)[0] == " 2   step 57  250ms  ██░░░░", "no figure is cut"
    assert evidence_height(ASKED, 60, LOOK) == 7


def test_the_bar_of_the_time_has_the_ink_of_the_seat_and_the_rest_is_dim() -> None:
    evidence = Evidence(7, 1, "getAction", ["x"], ["L"], None, 0.5, 1.0)
    full, empty = evidence_lines(evidence, 80, 8, LOOK)[0].spans[-2:]
    assert (full.style, empty.style, full.end - full.start) == (seat_ink(1, LOOK), DIM, empty.end - empty.start)


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


def test_a_fault_is_told_whole_or_its_label_says_that_lines_are_left_out() -> None:
    fault = Fault(FaultKind.EXIT, "exited with status 1 after it had answered for a long time")
    lines = texts(replace(ASKED, answer=None, fault=fault), 40, 20)
    assert f"fault exit: {fault.detail} stderr" in " ".join(" ".join(lines).split())
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


def test_the_viewer_shows_the_evidence_of_the_seat_that_it_follows(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk()
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
    shown = texts(replace(ASKED, reasons=why, ahead=True), 60, 9)
    assert shown[0].startswith(" 2   next: step 57, getAction")
    assert shown[2:] == [
        "program… why 0", "         why 1", "         why 2", "         why 3", "stderr…  so", "request… b", "         c",
    ]  # fmt: skip
    alone = texts(replace(ASKED, reasons=why[:3], request=[], log=[]), 60, 5)
    assert alone[2:] == ["program  why 0", "         why 1", "         why 2"]
