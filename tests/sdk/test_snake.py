"""What only the Python SDK has: immutable values, and its own messages from `run`.

The vectors (test_vectors.py) and the dialogue (test_dialogue.py) test it with all others.
"""

import ast
import copy
import pickle
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sdk.programs import ROOT
from sdk.snakes import ACTIONS, DIRECTIONS, Action, AreaInfo, Outcome, Python, neighbour

SDK = ROOT / "sdk" / "python"


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


def test_a_request_is_a_text_or_lines() -> None:
    lines = request("pbe b.W ..p", "0,0 RR", "2,2 shield 7")
    plain = AreaInfo.parse("\n".join(["getAction", *lines]))
    crlf = AreaInfo.parse(line + "\r\n" for line in lines)
    assert str(plain) == str(crlf) == "pbe\nb.W\n..p"
    assert plain.pythons == crlf.pythons == [Python(0, 0, ((0, 0), (1, 0), (2, 0)), "be"), Python(1, 7, ((2, 2),), "")]
    with pytest.raises(ValueError, match="ends too early"):
        AreaInfo.parse(lines[:-1])


class TestPython:
    """A python is an immutable value, which boards share."""

    ONE = Python(1, 2, ((3, 4), (3, 5)), "e")

    def test_it_is_immutable(self) -> None:
        for name in ("index", "shield", "cells", "blocks", "another"):
            with pytest.raises(AttributeError, match=f"the {name} of a python cannot be changed"):
                setattr(self.ONE, name, 0)
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
    """What an action would lead to."""

    def test_it_is_a_tuple_with_names(self) -> None:
        bite = Outcome("bite", (2, 0), points=2, victim=1)
        kind, target, points, why, victim = bite
        assert (kind, target, points, why, victim) == (bite.kind, bite.target, bite.points, bite.why, bite.victim)
        assert bite == ("bite", (2, 0), 2, "", 1)
        assert copy.deepcopy(bite) == pickle.loads(pickle.dumps(bite)) == eval(repr(bite)) == bite
        with pytest.raises(AttributeError):
            bite.kind = "eat"

    def test_the_letters(self) -> None:
        assert ACTIONS == "ULDRNA"
        assert DIRECTIONS == {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
        assert Action.UP + Action.LEFT + Action.DOWN + Action.RIGHT + Action.WAIT + Action.SHIELD == ACTIONS
        assert [neighbour((5, 5), letter) for letter in "ULDR"] == [(5, 4), (4, 5), (5, 6), (6, 5)]
        with pytest.raises(ValueError, match="'X' is not one of U L D R N A"):
            board("p.. ... ...", "0,0").outcome("X")


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
    environ = {"PYTHONPATH": str(SDK), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, str(bot)], input=stdin, capture_output=True, timeout=60, check=False, env=environ
    )


def ask(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


class TestRun:
    ACTION = ("getAction", *request("... .pb ...", "1,1"))

    def test_the_bot_of_ten_lines_from_the_docstring(self, tmp_path: Path) -> None:
        shown = textwrap.indent(textwrap.dedent(TEN_LINES).strip(), "    ")
        assert shown in (SDK / "snake.py").read_text(encoding="utf-8")
        full = ("getAction", *request("bbbb p.b. R... ....", "0,1 URRR"))
        done = play(tmp_path, TEN_LINES, ask("getName", *self.ACTION, *full, "getName"))
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == b"Ten Lines\nR\nD\nTen Lines\n"

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

    @pytest.mark.parametrize("answer", ["'X'", "'u'", "''", "'UU'", "None", "(0, 1)"])
    def test_an_answer_that_is_not_an_action(self, tmp_path: Path, answer: str) -> None:
        source = f"import snake; snake.run('Wrong', lambda area: {answer})"
        done = play(tmp_path, source, ask("getName", *self.ACTION))
        assert (done.returncode, done.stdout) == (1, b"Wrong\n")
        assert f"choose must return one of U L D R N A, it returned {answer}" in done.stderr.decode()

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


PROGRAMS = [path for folder in ("sdk/python", "bots") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_program_needs_no_syntax_newer_than_python_3_9(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 9))  # finds most of it, but not the following
    assert not re.search(r"\w\[\w+ :=", source), "3.9 wants parentheses around an assignment within an index"


def test_the_sdk_is_one_file() -> None:
    tree = ast.parse((SDK / "snake.py").read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [])
    }
    assert imported <= set(sys.stdlib_module_names), "authors copy one file"


@pytest.mark.parametrize("module", ["snake", "InterGetAction", "PlayGetAction"])
def test_a_bot_starts_without_the_large_modules(module: str) -> None:
    code = f"import sys; import {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env={"PYTHONPATH": str(SDK)}, capture_output=True, text=True, check=True
    )
    large = {"collections", "contextlib", "dataclasses", "enum", "functools", "re", "typing"}
    assert large.isdisjoint(done.stdout.split())
    assert module in done.stdout.split()
