"""The Python SDK and the rules: drawn positions with their outcomes, and `run` as a real process."""

import ast
import copy
import pickle
import subprocess
import sys
import textwrap
import timeit
from pathlib import Path
from random import Random

import pytest

from referee.games.snakecore import rules, wire

SDK = Path(__file__).parents[2] / "sdk" / "python"
sys.path.insert(0, str(SDK))

from snake import ACTIONS, DIRECTIONS, Action, AreaInfo, Outcome, Python, neighbour  # noqa: E402


def request(drawing: str, *pythons: str) -> list[str]:
    """The lines of a request. A python is `x,y PATH` or `x,y PATH shield K`, and its path leads from the head to the tail."""
    rows = drawing.split()
    lines = [str(len(rows)), *rows]
    for python in pythons:
        chain, _, shield = python.partition(" shield ")
        start, _, steps = chain.partition(" ")
        x, y = map(int, start.split(","))
        cells = [(x, y)]
        for letter in steps:
            cells.append(neighbour(cells[-1], letter))
        lines.append(" ".join(map(str, [shield or 0, len(cells), *(number for cell in cells for number in cell)])))
    return lines


def board(drawing: str, *pythons: str) -> AreaInfo:
    return AreaInfo.parse(request(drawing, *pythons))


# The board of TestReading. Python 0 is in the first row, and its rival along the right edge.
SEEN = (
    """
    pbe.W
    .W..p
    R...b
    ..e.b
    b...R
    """,
    "0,0 RR",
    "4,1 DD shield 7",
)


class TestReading:
    def test_cells_are_x_to_the_right_and_y_downwards(self) -> None:
        area = board(*SEEN)
        assert area.size == 5
        assert area.is_inside((4, 4))
        assert not area.is_inside((5, 0))
        assert not area.is_inside((0, -1))
        assert area.is_wall((4, 0))
        assert not area.is_wall((0, 4))
        assert area.reactors == [(0, 2), (4, 4)]
        assert area.is_reactor((0, 2))
        assert area.is_empty((3, 0))
        assert not area.is_empty((2, 3))
        assert area.is_head((0, 0))
        assert area.is_head((4, 1))

    def test_a_block_is_linked_or_free_and_keeps_its_kind(self) -> None:
        area = board(*SEEN)
        assert area.free_blocks == [(2, 3), (0, 4)]
        assert area.free_energy == [(2, 3)]
        linked, free = (2, 0), (2, 3)
        assert area.is_block(linked)
        assert area.is_block(free)
        assert area.is_energy(linked)
        assert area.is_energy(free)
        assert not area.is_energy((1, 0))
        assert area.is_linked(linked)
        assert not area.is_linked(free)
        assert not area.is_linked((0, 0)), "a head is not a block"
        assert area.is_free_block(free)
        assert not area.is_free_block(linked)

    def test_cells_off_the_field_are_nothing(self) -> None:
        area = board(*SEEN)
        tests = [
            area.is_wall,
            area.is_reactor,
            area.is_empty,
            area.is_head,
            area.is_block,
            area.is_energy,
            area.is_linked,
            area.is_free_block,
        ]
        assert not any(test(cell) for test in tests for cell in [(-1, 0), (0, -3), (5, 5), (99, 2)])

    def test_pythons_are_me_and_then_the_rivals(self) -> None:
        area = board(*SEEN)
        me, rival = area.pythons
        assert area.me is me
        assert area.rivals == [rival]
        assert (me.index, me.shield, me.head, me.tail, me.length) == (0, 0, (0, 0), (2, 0), 3)
        assert me.cells == ((0, 0), (1, 0), (2, 0))
        assert me.body == ((1, 0), (2, 0))
        assert me.blocks == "be"
        assert (me.energy, me.value) == (1, 3)
        assert (rival.index, rival.shield, rival.blocks) == (1, 7, "bb")

    def test_owner_is_the_python_of_a_head_or_block(self) -> None:
        area = board(*SEEN)
        assert area.owner((2, 0)) == area.me
        assert area.owner((4, 1)) == area.rivals[0]
        assert area.owner((2, 3)) is None
        assert area.owner((3, 3)) is None

    def test_a_head_alone(self) -> None:
        me = board("p.. ... ...", "0,0").me
        assert (me.length, me.body, me.tail, me.blocks, me.value) == (1, (), (0, 0), "", 0)

    def test_any_other_character_is_empty(self) -> None:
        area = board("p?\N{CYRILLIC SMALL LETTER A} _w- B0\N{MIDDLE DOT}", "0,0")
        assert str(area) == "p..\n...\n..."

    def test_missing_cells_of_a_row_are_empty(self) -> None:
        assert str(AreaInfo.parse(["3", "p", "", "..b", "0 1 0 0"])) == "p..\n...\n..b"

    def test_windows_line_ends_and_a_first_line_getaction(self) -> None:
        lines = ["getAction", *request(*SEEN)]
        plain = AreaInfo.parse("\n".join(lines))
        crlf = AreaInfo.parse(line + "\r\n" for line in lines)
        assert str(plain) == str(crlf) == str(board(*SEEN)) == "\n".join(SEEN[0].split())
        assert plain.pythons == crlf.pythons == board(*SEEN).pythons

    @pytest.mark.parametrize("count", [0, 1, 3, 6, 7])
    def test_a_request_that_ends_too_early(self, count: int) -> None:
        with pytest.raises(ValueError, match="ends too early"):
            AreaInfo.parse(request(*SEEN)[:count])

    @pytest.mark.parametrize("line", ["0", "0 2 1 1", "0 1 1 1 1", "0 1 x y"])
    def test_an_invalid_line_of_a_python(self, line: str) -> None:
        with pytest.raises(ValueError, match=r"python's line|invalid literal"):
            AreaInfo.parse(["3", "...", ".p.", "...", line])

    def test_reading_a_large_board_is_quick(self) -> None:
        rows = [("p" if y in (3, 9) else ".") + "Wb.e..b" * 6 for y in range(43)]
        lines = request(" ".join(row[:41] for row in rows[:41]), "0,3", "0,9")
        assert min(timeit.repeat(lambda: AreaInfo.parse(lines), number=10, repeat=5)) / 10 < 0.002


class TestPython:
    """A python is an immutable value, which boards share."""

    ONE = Python(1, 2, ((3, 4), (3, 5)), "e")

    def test_it_is_immutable(self) -> None:
        for name in ("index", "shield", "cells", "blocks", "another"):
            with pytest.raises(AttributeError, match=f"the {name} of a python cannot be changed"):
                setattr(self.ONE, name, 0)
            with pytest.raises(AttributeError, match=f"the {name} of a python cannot be changed"):
                delattr(self.ONE, name)
        with pytest.raises(AttributeError):
            self.ONE.length = 7  # type: ignore[misc]
        assert (self.ONE.index, self.ONE.shield, self.ONE.cells, self.ONE.blocks) == (1, 2, ((3, 4), (3, 5)), "e")

    def test_equal_pythons_have_equal_hashes(self) -> None:
        assert len({Python(1, 2, ((3, 4), (3, 5)), "e"), self.ONE}) == 1
        for other in (
            Python(0, 2, ((3, 4), (3, 5)), "e"),
            Python(1, 1, ((3, 4), (3, 5)), "e"),
            Python(1, 2, ((3, 4), (2, 4)), "e"),
            Python(1, 2, ((3, 4), (3, 5)), "b"),
            (1, 2, ((3, 4), (3, 5)), "e"),
        ):
            assert other != self.ONE

    def test_copies_are_equal(self) -> None:
        assert copy.deepcopy(self.ONE) == pickle.loads(pickle.dumps(self.ONE)) == self.ONE
        area = board(".... pbe. .... ....", "0,1 RR")
        assert copy.deepcopy(area).me == area.me

    def test_its_repr_is_an_expression(self) -> None:
        assert repr(self.ONE) == "Python(index=1, shield=2, cells=((3, 4), (3, 5)), blocks='e')"
        assert eval(repr(self.ONE)) == self.ONE


class TestOutcome:
    """Rules 8 to 15: the outcome of an action, without playing it."""

    def test_it_is_a_tuple_with_names(self) -> None:
        bite = Outcome("bite", (2, 0), points=2, victim=1)
        kind, target, points, why, victim = bite
        assert (kind, target, points, why, victim) == (bite.kind, bite.target, bite.points, bite.why, bite.victim)
        assert bite == ("bite", (2, 0), 2, "", 1)
        assert copy.deepcopy(bite) == pickle.loads(pickle.dumps(bite)) == eval(repr(bite)) == bite
        with pytest.raises(AttributeError):
            bite.kind = "eat"

    def test_rule_8_the_letters(self) -> None:
        assert ACTIONS == "ULDRNA"
        assert DIRECTIONS == {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
        assert Action.UP + Action.LEFT + Action.DOWN + Action.RIGHT + Action.WAIT + Action.SHIELD == ACTIONS
        assert [neighbour((5, 5), letter) for letter in "ULDR"] == [(5, 4), (4, 5), (5, 6), (6, 5)]
        with pytest.raises(ValueError, match="'X' is not one of U L D R N A"):
            board("p.. ... ...", "0,0").outcome("X")

    def test_rule_8_wait(self) -> None:
        assert board("... .p. ...", "1,1").outcome("N") == Outcome("wait", (1, 1))

    def test_rule_9_an_empty_cell(self) -> None:
        assert board("... .p. ...", "1,1").outcome("U") == Outcome("move", (1, 0))

    def test_rule_10_a_free_block(self) -> None:
        assert board("... epb ...", "1,1").outcome("L") == Outcome("eat", (0, 1))

    def test_rule_11_the_bitten_block_counts(self) -> None:
        area = board("bbbb p... ..p. ....", "2,2", "0,1 URRR")
        assert area.outcome("U").kind == "move"
        area = board("bbbb p.p. .... ....", "2,1", "0,1 URRR")
        assert area.outcome("U") == Outcome("bite", (2, 0), points=2, victim=1)

    def test_rule_11_a_bite_into_oneself_scores_nothing(self) -> None:
        area = board("bbb. bpb. .... ....", "1,1 RULLD")
        assert area.outcome("U") == Outcome("bite", (1, 0), points=0, victim=0)
        assert area.outcome("R") == Outcome("bite", (2, 1), points=0, victim=0)

    @pytest.mark.parametrize("shield", ["", " shield 5"])
    def test_rule_12_a_head_may_enter_the_cell_that_its_tail_leaves(self, shield: str) -> None:
        area = board("bb. bp. ...", "1,1 ULD" + shield)
        assert area.outcome("L") == Outcome("move", (0, 1))

    def test_rule_13_a_reactor(self) -> None:
        assert board("Rpbbb ..... ..... ..... .....", "1,0 RRR").outcome("L") == Outcome("deliver", (0, 0), points=6)
        assert board("Rp. ... ...", "1,0").outcome("L") == Outcome("deliver", (0, 0), points=0)

    def test_rule_14_the_shield(self) -> None:
        assert board("pbe ... ...", "0,0 RR").outcome("A") == Outcome("shield", (0, 0))

    @pytest.mark.parametrize(
        ("drawing", "pythons", "action", "target", "why"),
        [
            ("p.. ... ...", ["0,0"], "U", (0, -1), "edge"),
            ("p.. ... ...", ["0,0"], "L", (-1, 0), "edge"),
            ("pW. ... ...", ["0,0"], "R", (1, 0), "wall"),
            ("pp. ... ...", ["0,0", "1,0"], "R", (1, 0), "head"),
            ("pbb .p. ...", ["0,0", "1,1 UR shield 2"], "R", (1, 0), "shield"),
            ("pbp ... ...", ["0,0", "2,0 L"], "R", (1, 0), "tail"),
            ("pbp ... ...", ["0,0", "2,0 L shield 2"], "R", (1, 0), "tail"),
            ("bbb bpb ...", ["1,1 RULLD shield 1"], "U", (1, 0), "shield"),
            ("pbb ... ...", ["0,0 RR"], "A", (0, 0), "no-energy"),
        ],
    )
    def test_rule_15_infeasible(
        self, drawing: str, pythons: list[str], action: str, target: tuple[int, int], why: str
    ) -> None:
        assert board(drawing, *pythons).outcome(action) == Outcome("skip", target, why=why)

    def test_can_move_tells_whether_the_head_would_move(self) -> None:
        area = board("Wb. RpW .p.", "1,1", "1,2")
        assert [letter for letter in DIRECTIONS if area.can_move(letter)] == ["U"]
        assert area.can_move("L", python=1)

    def test_rule_7_only_my_clock_has_gone_down_before_the_request(self) -> None:
        mine = board("bbb bpb ...", "1,1 RULLD shield 1")
        assert mine.outcome("U").why == "shield", (
            "my counter has already gone down: a 1 still protects me, also from myself"
        )
        theirs = board("p... bbb. bpb. ....", "0,0", "1,2 RULLD shield 1")
        assert theirs.outcome("D").why == "shield", "their 1 protects them in my turn"
        assert theirs.outcome("U", python=1).kind == "bite", (
            "their counter goes down first, so nothing protects them from themselves"
        )


def drawn(area: AreaInfo) -> list[str]:
    return str(area).splitlines()


class TestAfter:
    """The board after an action."""

    def test_rule_9_each_block_follows(self) -> None:
        area = board(".... pbe. .... ....", "0,1 RR").after("U")
        assert drawn(area) == ["p...", "be..", "....", "...."]
        assert area.me == Python(0, 0, ((0, 0), (0, 1), (1, 1)), "be")

    def test_rule_10_the_eaten_block_becomes_the_first(self) -> None:
        area = board("e... pbb. .... ....", "0,1 RR").after("U")
        assert drawn(area) == ["p...", "ebb.", "....", "...."]
        assert area.me == Python(0, 0, ((0, 0), (0, 1), (1, 1), (2, 1)), "ebb")
        assert area.free_blocks == []

    def test_rule_11_the_chain_breaks_and_the_rest_is_free(self) -> None:
        area = board("bbeb p.pb .... ....", "2,1 R", "0,1 URRR").after("U")
        assert drawn(area) == ["bbpb", "p.eb", "....", "...."]
        assert area.me == Python(0, 0, ((2, 0), (2, 1), (3, 1)), "eb")
        assert area.rivals == [Python(1, 0, ((0, 1), (0, 0), (1, 0)), "bb")]
        assert area.free_blocks == [(3, 0)]

    def test_rule_11_a_bite_into_oneself(self) -> None:
        area = board("bee. bpb. .... ....", "1,1 RULLD").after("U")
        assert drawn(area) == ["bpe.", "beb.", "....", "...."]
        assert area.me == Python(0, 0, ((1, 0), (1, 1), (2, 1), (2, 0)), "ebe")
        assert area.free_blocks == [(0, 0), (0, 1)]

    def test_rule_11_a_bite_into_ones_own_first_block_leaves_one(self) -> None:
        area = board("peb ... ...", "0,0 RR").after("R")
        assert drawn(area) == ["epb", "...", "..."]
        assert area.me == Python(0, 0, ((1, 0), (0, 0)), "e")

    def test_rule_12_head_and_tail_swap(self) -> None:
        area = board("pb. ... ...", "0,0 R").after("R")
        assert drawn(area) == ["bp.", "...", "..."]
        assert area.me == Python(0, 0, ((1, 0), (0, 0)), "b")

    def test_rule_12_a_ring_turns(self) -> None:
        area = board("pb. be. ...", "0,0 RDL shield 3").after("D")
        assert drawn(area) == ["be.", "pb.", "..."]
        assert area.me == Python(0, 3, ((0, 1), (0, 0), (1, 0), (1, 1)), "beb")

    def test_rule_13_only_the_head_remains(self) -> None:
        area = board("Rpb b.b ...", "1,0 RD shield 4").after("L")
        assert drawn(area) == ["Rp.", "b..", "..."]
        assert area.me == Python(0, 4, ((1, 0),), "")

    def test_rule_14_the_nearest_energy_block_is_removed_from_the_chain(self) -> None:
        area = board("pbeb ...e .... ....", "0,0 RRRD shield 2").after("A")
        assert drawn(area) == ["pbbe", "....", "....", "...."]
        assert area.me == Python(0, 12, ((0, 0), (1, 0), (2, 0), (3, 0)), "bbe")

    @pytest.mark.parametrize("action", ["U", "A", "N"])
    def test_rule_15_a_skipped_turn_changes_nothing(self, action: str) -> None:
        before = board("pbb ... ...", "0,0 RR")
        after = before.after(action)
        assert (drawn(after), after.pythons) == (drawn(before), before.pythons)

    def test_the_original_board_does_not_change(self) -> None:
        area = board("bb.. p.p. .... ....", "2,1", "0,1 UR")
        before = (str(area), list(area.pythons))
        area.after("U").after("L", python=1)
        assert (str(area), area.pythons) == before

    def test_python_0_stays_the_first_when_another_acts(self) -> None:
        area = board(".bb p.. .p.", "0,1", "1,2").after("R", python=1)
        assert drawn(area) == [".bb", "p..", "..p"]
        assert area.me.head == (0, 1)

    def test_rule_7_clocks_go_down_when_a_turn_begins(self) -> None:
        area = board("p.. ... ..p", "0,0 shield 2", "2,2 shield 2")
        shields = []
        for python in (0, 1, 0, 1, 0):
            area = area.after("N", python)
            shields.append([python.shield for python in area.pythons])
        assert shields == [[2, 2], [2, 1], [1, 1], [1, 0], [0, 0]], "mine went down before the request"

    def test_rule_7_a_shield_protects_for_ten_moves_of_its_python(self) -> None:
        area = board("pbe .p. ...", "0,0 RR", "1,1").after("A")
        assert area.outcome("U", python=1).why == "tail"
        area = board("pbbe .p.. .... ....", "0,0 RRR", "1,1").after("A")
        for _ in range(9):
            assert area.outcome("U", python=1).why == "shield"
            area = area.after("N", python=1).after("N")
        assert area.me.shield == 1
        assert area.outcome("U", python=1).why == "shield"
        assert area.after("N").outcome("U", python=1).kind == "bite", "the shield ends before the eleventh move"


WAYS = """
    p.W.R
    ..W..
    ...bb
    WWW.W
    ..W..
    """


class TestPaths:
    def test_distances_count_moves(self) -> None:
        distances = board("p.W .WW ...", "0,0").distances((0, 0))
        assert distances == {(0, 0): 0, (1, 0): 1, (0, 1): 1, (0, 2): 2, (1, 2): 3, (2, 2): 4}

    def test_paths_lead_through_free_blocks_and_end_at_reactors(self) -> None:
        distances = board("pbR. .WW. .WW. .W..", "0,0").distances((0, 0))
        assert distances[(2, 0)] == 2
        assert (3, 0) not in distances

    def test_paths_end_at_heads_and_linked_blocks(self) -> None:
        distances = board("p.pb. WWWW. ..... ..... .....", "0,0", "2,0 R").distances((0, 0))
        assert distances == {(0, 0): 0, (1, 0): 1, (2, 0): 2}

    def test_paths_lead_through_my_tail_but_not_my_body(self) -> None:
        ring = board("pb. bb. ...", "0,0 RDL").distances((0, 0))
        assert ring[(0, 2)] == 2, "through the tail"
        straight = board("pbb WW. ...", "0,0 RR")
        assert straight.distances((0, 0)) == {(0, 0): 0, (1, 0): 1}

    def test_distances_from_any_cell(self) -> None:
        area = board(WAYS, "0,0")
        assert area.distances((0, 4)) == {(0, 4): 0, (1, 4): 1}
        assert area.distances((3, 4))[(0, 0)] == 7
        with pytest.raises(ValueError, match=r"\(5, 0\) is off the field of 5 x 5"):
            area.distances((5, 0))

    def test_a_path_omits_its_start_and_includes_its_end(self) -> None:
        area = board(WAYS, "0,0")
        assert area.path((0, 2)) == [(0, 1), (0, 2)]
        assert area.path((4, 0), start=(3, 2)) == [(3, 1), (3, 0), (4, 0)]
        assert area.path((0, 0)) == []
        assert area.path((0, 4)) == [], "no path"
        assert area.path((9, 9)) == [], "off the field"

    def test_a_step_towards_the_nearest_goal(self) -> None:
        area = board(WAYS, "0,0")
        assert area.step_towards([(4, 0), (1, 0)]) == "R"
        assert area.step_towards(area.free_blocks) == "D"
        assert area.step_towards([(0, 4), (2, 0)]) == "N", "out of reach"
        assert board("... .p. ...", "1,1").step_towards([]) == "N"
        assert area.step_towards([(0, 0)]) == "N", "I am there already"

    def test_a_step_towards_a_reactor_beside_me_delivers(self) -> None:
        area = board("pb. R.. ...", "0,0 R")
        assert area.outcome(area.step_towards(area.reactors)).kind == "deliver"

    def test_ties_are_broken_the_same_way_every_time(self) -> None:
        area = board(".b. bpb .b.", "1,1")
        assert {area.step_towards(cells) for cells in (area.free_blocks, area.free_blocks[::-1])} == {"L"}
        around = board("..... pW... ..... ..... .....", "0,1")
        assert around.step_towards([(2, 1)]) == "U", "up and down are equally long"

    def test_the_first_step_goes_to_the_first_goal_that_can_be_reached(self) -> None:
        open_field = board("b..p .... .... ...R", "3,0")
        assert open_field.first_step(open_field.free_blocks, open_field.reactors) == "L"
        assert open_field.first_step(open_field.reactors, open_field.free_blocks) == "D"
        walled = board("b..p .... ..WW ..WR", "3,0")
        assert walled.first_step(walled.reactors, walled.free_blocks) == "L", "the reactor is out of reach"
        assert walled.first_step([(2, 2)], [], [walled.me.head], iter(walled.free_blocks)) == "L"

    def test_the_first_step_without_a_goal_in_reach_is_any_move(self) -> None:
        area = board("WWW bpW W.W", "1,1")
        assert area.first_step() == area.first_step([], [(0, 0)]) == area.any_move() == "D"

    @pytest.mark.parametrize(
        ("drawing", "pythons", "letter"),
        [
            pytest.param("W.. .p. ...", ["1,1"], "U", id="the first of many"),
            pytest.param("WWW .p. ...", ["1,1"], "L", id="the first that is open"),
            pytest.param("WbW bp. WbW", ["1,1"], "R", id="an empty cell before free blocks"),
            pytest.param("WWW bpW WbW", ["1,1"], "L", id="a free block"),
            pytest.param("pbb WpW ...", ["0,0", "1,1 UR"], "R", id="a bite"),
            pytest.param("pbb Wpb ...", ["0,0", "1,1 RUL"], "N", id="no bite of a tail"),
            pytest.param("pbb WpW ...", ["0,0", "1,1 UR shield 3"], "N", id="no bite through a shield"),
            pytest.param("bbb bpb bbb", ["1,1 RDLLUURR"], "U", id="a bite into oneself"),
            pytest.param("pb. WW. ...", ["0,0 R"], "R", id="the own tail"),
            pytest.param("WRW WpW WWW", ["1,1"], "N", id="a reactor is not entered"),
            pytest.param("p", ["0,0"], "N", id="nowhere to go"),
        ],
    )
    def test_any_move(self, drawing: str, pythons: "list[str]", letter: str) -> None:
        assert board(drawing, *pythons).any_move() == letter


TEN_LINES = """
    from snake import AreaInfo, run


    def choose(area: AreaInfo) -> str:
        if area.me.length > 4 or not area.free_blocks:
            return area.step_towards(area.reactors)
        return area.step_towards(area.free_blocks)


    run("Ten Lines", choose)
"""


def play(tmp_path: Path, source: str, stdin: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Run a bot in its own process, with snake.py on its path, as the referee does."""
    bot = tmp_path / "bot.py"
    bot.write_text(textwrap.dedent(source), encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(bot)],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": str(SDK), "PYTHONDONTWRITEBYTECODE": "1"},
    )


def ask(*lines: str, end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


class TestRun:
    ACTION = ("getAction", *request("... .pb ...", "1,1"))

    def test_the_bot_of_ten_lines_from_the_docstring(self, tmp_path: Path) -> None:
        shown = textwrap.indent(textwrap.dedent(TEN_LINES).strip(), "    ")
        assert shown in (SDK / "snake.py").read_text(encoding="utf-8")
        full = ("getAction", *request("bbbb p.b. R... ....", "0,1 URRR"))
        done = play(tmp_path, TEN_LINES, ask("getName", *self.ACTION, *full, "getName"))
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == b"Ten Lines\nR\nD\nTen Lines\n"

    def test_windows_line_ends(self, tmp_path: Path) -> None:
        done = play(tmp_path, TEN_LINES, ask("getName", *self.ACTION, end="\r\n"))
        assert (done.returncode, done.stdout) == (0, b"Ten Lines\nR\n")

    @pytest.mark.parametrize("count", [0, 1, 2, 4, 5])
    def test_the_end_of_input_ends_the_bot_without_output(self, tmp_path: Path, count: int) -> None:
        done = play(tmp_path, TEN_LINES, ask(*self.ACTION[:count]))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def test_every_answer_is_flushed(self, tmp_path: Path) -> None:
        (tmp_path / "bot.py").write_text(textwrap.dedent(TEN_LINES), encoding="utf-8")
        with subprocess.Popen(
            [sys.executable, str(tmp_path / "bot.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(SDK)},
        ) as bot:
            assert bot.stdin is not None
            assert bot.stdout is not None
            for text, answer in [(ask("getName"), b"Ten Lines\n"), (ask(*self.ACTION), b"R\n")]:
                bot.stdin.write(text)
                bot.stdin.flush()
                assert bot.stdout.readline() == answer

    def test_print_goes_to_the_log(self, tmp_path: Path) -> None:
        source = """
            from snake import run

            def choose(area):
                print("turn", area.turn)
                print(area)
                return "N"

            run("Чей-то питон", choose)
            print("the end")
        """
        done = play(tmp_path, source, ask("getName", *self.ACTION, *self.ACTION))
        assert done.stdout == "Чей-то питон\nN\nN\nthe end\n".encode()
        assert done.stderr.decode().split() == ["turn", "1", "...", ".pb", "...", "turn", "2", "...", ".pb", "..."]

    def test_an_exception_is_shown_and_ends_the_program(self, tmp_path: Path) -> None:
        source = """
            from snake import run

            def choose(area):
                return area.rivals[0].head

            run("Alone", choose)
        """
        done = play(tmp_path, source, ask("getName", *self.ACTION))
        assert (done.returncode, done.stdout) == (1, b"Alone\n")
        assert b"Traceback" in done.stderr
        assert b"IndexError" in done.stderr

    @pytest.mark.parametrize("answer", ["'X'", "'u'", "''", "'UU'", "None", "(0, 1)"])
    def test_an_answer_that_is_not_an_action(self, tmp_path: Path, answer: str) -> None:
        source = f"import snake; snake.run('Wrong', lambda area: {answer})"
        done = play(tmp_path, source, ask("getName", *self.ACTION))
        assert (done.returncode, done.stdout) == (1, b"Wrong\n")
        assert f"choose must return one of U L D R N A, it returned {answer}" in done.stderr.decode()

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("x" * 33, "longer than 32 characters: 33"),
            ("я" * 33, "longer than 32 characters: 33"),
            (r"a\tb", "contains a control character"),
            (r"a\x9b", "contains a control character"),
        ],
    )
    def test_a_name_that_the_protocol_forbids(self, tmp_path: Path, name: str, reason: str) -> None:
        done = play(tmp_path, f'import snake; snake.run("{name}", lambda area: "N")', ask("getName"))
        assert (done.returncode, done.stdout) == (1, b"")
        assert "ValueError: the name" in done.stderr.decode()
        assert reason in done.stderr.decode()

    @pytest.mark.parametrize("name", ["", "x" * 32, "🐍" * 32])
    def test_names_of_0_and_32_characters(self, tmp_path: Path, name: str) -> None:
        done = play(tmp_path, f'import snake; snake.run("{name}", lambda area: "N")', ask("getName"))
        assert (done.returncode, done.stdout.decode()) == (0, name + "\n")

    def test_an_unknown_request(self, tmp_path: Path) -> None:
        done = play(tmp_path, TEN_LINES, ask("getMove"))
        assert (done.returncode, done.stdout) == (1, b"")
        assert "unknown request: b'getMove\\n'" in done.stderr.decode()

    def test_the_clocks_count_down_in_the_bot(self, tmp_path: Path) -> None:
        source = """
            from snake import run

            def choose(area):
                began = area.time_left, area.answer_time_left(), area.after("N").answer_time_left()
                while area.time_left > began[0] - 0.05:
                    pass
                print(*began)
                return "N"

            run("Clock", choose)
        """
        done = play(tmp_path, source, ask(*self.ACTION, *self.ACTION))
        first, second = [tuple(map(float, line.split())) for line in done.stderr.decode().splitlines()]
        assert 119 < first[0] <= 120
        assert 14 < first[1] <= 15, "the first answer has 15 s"
        assert 0.5 < second[1] <= 1
        assert second[0] < first[0] - 0.05, "120 s for all answers together"
        assert 0 <= second[1] - second[2] < 0.5, "a board from `after` has the clock of its request"


@pytest.mark.parametrize("seed", range(4))
def test_the_sdk_agrees_with_the_referees_rules(seed: int) -> None:
    """Games of random letters: before each turn the SDK predicts the event and the board, and the rules confirm them."""
    dice = Random(seed)
    rows = [[dice.choice("....Wbbe") for _ in range(9)] for _ in range(9)]
    rows[4][4] = "R"
    corners = [(0, 0), (8, 0), (8, 8), (0, 8)]
    for x, y in corners:
        rows[y][x] = "."
    pythons = [{"cells": [list(corner)]} for corner in corners]
    setup = {"size": 9, "rounds": 150, "field": ["".join(row) for row in rows], "pythons": pythons}
    state = rules.start(setup, seed)
    for _ in corners:
        state.advance(["anyone"])
    while state.requests():
        (asked,) = state.requests()
        area = AreaInfo.parse(wire.encode(asked).decode())
        action = dice.choice("UULLDDRRNA")
        predicted, after = area.outcome(action), area.after(action)
        event, *returns = state.advance([action])
        assert predicted.kind == event["event"]
        assert predicted.points == event.get("points", 0)
        assert predicted.why == event.get("why", "")
        field = [list(row) for row in state.board.field_rows()]
        for block in returns:
            x, y = block["at"]
            assert field[y][x] == block["kind"]
            field[y][x] = "."
        for python in after.pythons:
            truth = state.board.pythons[(asked.seat + python.index) % len(corners)]
            assert python.shield == truth.shield
            assert python.cells == tuple(state.board.xy(cell) for cell in truth.cells)
            assert python.blocks == bytes(truth.kinds).decode()
            for (x, y), kind in zip(python.cells, "p" + python.blocks, strict=True):
                field[y][x] = kind
        assert drawn(after) == ["".join(row) for row in field]


def test_the_file_needs_nothing_newer_than_python_3_9() -> None:
    source = (SDK / "snake.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [])
    }
    assert imported <= set(sys.stdlib_module_names), (
        "snake.py must need nothing but the standard library, because authors copy one file"
    )


@pytest.mark.parametrize("module", ["snake", "InterGetAction", "PlayGetAction"])
def test_a_bot_starts_without_the_large_modules(module: str) -> None:
    code = f"import sys; import {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env={"PYTHONPATH": str(SDK)}, capture_output=True, text=True, check=True
    )
    large = {"collections", "contextlib", "dataclasses", "enum", "functools", "re", "typing"}
    assert large.isdisjoint(done.stdout.split())
    assert module in done.stdout.split()
