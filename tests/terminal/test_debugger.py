"""The debugger stops before each turn of the followed seat, and shows why a program moved."""

from types import SimpleNamespace
from typing import Any

from terminal.scripted import press

from referee.contract.frame import Sheet
from referee.contract.game import Request
from referee.moments.evidence import Decision
from referee.terminal import keys as k
from referee.terminal.palette import Look
from referee.terminal.viewer import Viewer

LOOK = Look()


def explain(_request: Request[Any]) -> Decision:
    return Decision("R", [Sheet("it sees", (), ["possible moves: R", "map 2 decides"])])


def stops(viewer: Viewer, most: int) -> list[int]:
    """Where playing stops, again and again."""
    steps = []
    for now in range(most):
        press(viewer, k.SPACE)
        viewer.tick(float(2 * now))
        viewer.tick(2 * now + 1.9)
        assert not viewer.playing
        steps.append(viewer.at)
    return steps


def test_d_stops_before_each_turn_of_the_followed_seat(toy: SimpleNamespace) -> None:
    viewer = Viewer(toy.SavedWalk(seats=3, length=10), LOOK, speed=0.0, at=0)
    press(viewer, k.TAB, k.TAB, "d")
    assert viewer.page(80, 24)[-1].plain == "playing stops before each turn of seat 2"
    assert stops(viewer, 4) == [1, 4, 7, 10]
    press(viewer, "d", k.HOME)
    assert stops(viewer, 1) == [10]


def test_d_follows_the_seat_to_move_if_none_is_followed(toy: SimpleNamespace) -> None:
    viewer = Viewer(toy.SavedWalk(seats=3, length=10), LOOK, at=5, speed=0.0)
    press(viewer, "d")
    assert viewer.follow == 2
    assert stops(viewer, 2) == [8, 10]


def test_another_seat_does_not_move_the_match_backwards(toy: SimpleNamespace) -> None:
    viewer = Viewer(toy.SavedWalk(seats=8, length=40), LOOK, speed=1.0)
    press(viewer, k.TAB, "d")
    viewer.tick(0.0)
    viewer.tick(5.0)
    assert viewer.at == 5
    press(viewer, k.TAB)  # its turn was step 2
    viewer.tick(6.0)
    viewer.tick(7.0)
    assert viewer.at == 6


def test_at_a_stop_the_turn_that_comes_next_is_shown_with_its_reasons(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk()
    viewer = Viewer(saved, LOOK, at=3, explainers={1: explain})
    before = "\n".join(line.plain for line in viewer.page(120, 40))
    assert " 1   step 3, getAction" in before
    assert "map 2 decides" not in before
    press(viewer, k.TAB, k.TAB, "d")
    page = "\n".join(line.plain for line in viewer.page(120, 40))
    assert " 2   next: step 4, getAction" in page
    assert "program  possible moves: R" in page
    assert saved.asked[-1] == 3  # the step that comes next is not played


def test_a_program_is_not_explained_while_the_match_plays(toy: SimpleNamespace) -> None:
    calls = []

    def counted(request: Request[Any]) -> Decision:
        calls.append(request.seat)
        return explain(request)

    viewer = Viewer(toy.SavedWalk(), LOOK, at=3, explainers={0: counted})
    press(viewer, k.SPACE)
    viewer.page(80, 24)
    assert not calls
    press(viewer, k.SPACE)
    viewer.page(80, 24)
    viewer.page(120, 40)
    assert calls == [0]
