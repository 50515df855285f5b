"""Bots for ants in Python: memory of any type, invalid answers, output, names, and exceptions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sdk.ants import asking
from sdk.ants.asking import SDK, Asked, answers
from sdk.snakes import PlayGetAction

HEAD = "from InterGetAction import *\n"
STAY = 'AntAction(ActionType["PUT"], False, 0)'
PLAIN = Asked(memory=bytes(range(32)))
EACH_WAY = pytest.mark.parametrize("command", [["-m", "PlayGetAction"], ["GetAction.py"]], ids=" ".join)


def body(*lines: str, before: str = "") -> str:
    return f"{HEAD}{before}\ndef GetAction(ant, sensors):\n" + "".join(f"    {line}\n" for line in lines)


def answer_of(folder: Path, *lines: str, before: str = "") -> str:
    (answer,) = answers(asking.python(folder, body(*lines, before=before)), PLAIN)
    return answer


def failed(folder: Path, *lines: str, before: str = "") -> str:
    """The last line of the log of a bot that crashes before its first answer."""
    program = asking.python(folder, body(*lines, before=before))
    done = program.run(PLAIN.text.encode())
    assert (done.returncode, done.stdout) == (1, b"")
    log = done.stderr.decode()
    assert log.startswith("Traceback")
    return log.splitlines()[-1]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("ant.memory = [7] * 32", "07" * 32),
        ("ant.memory = [1, 2, 3]", "010203" + "00" * 29),
        ("ant.memory = (number for number in range(300, 332))", bytes(range(44, 76)).hex()),
        ("ant.memory.append(9)", bytes(range(32)).hex()),
        ("del ant.memory[:]", "00" * 32),
        ("ant.memory[0:5] = [256, -1, -257, 10**30, 255]", "00ffff00ff" + bytes(range(5, 32)).hex()),
        ("ant.memory[0:5] = [3.9, -0.5, -1.5, True, 258.0]", "0300ff0102" + bytes(range(5, 32)).hex()),
        ("pass", bytes(range(32)).hex()),
    ],
)
def test_the_memory_that_is_kept(change: str, expected: str, tmp_path: Path) -> None:
    assert answer_of(tmp_path, change, f"return {STAY}") == f"9 0 0 {expected}"


@given(st.lists(st.integers() | st.floats(-1e9, 1e9), max_size=40))
def test_numbers_in_memory_are_kept_modulo_256(numbers) -> None:
    memory = bytes.fromhex(PlayGetAction._hex(numbers).decode())
    assert list(memory) == [int(number) % 256 for number in numbers[:32]] + [0] * (32 - len(numbers))


@pytest.mark.parametrize(
    "change",
    ["ant.memory[3] = '7'", "ant.memory = None"],
)
def test_an_invalid_memory_ends_the_bot(change: str, tmp_path: Path) -> None:
    assert failed(tmp_path, change, f"return {STAY}").startswith("TypeError: ")


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ('AntAction(ActionType["BITE_RIGHT"], True, -2147483648)', "7 1 -2147483648"),
        ("AntAction(8, 1, 2147483647)", "8 1 2147483647"),
        ("AntAction(-3, [], 5)", "-3 0 0"),
        ("AntAction(0, False, 2**40)", "0 0 0"),
        ("AntAction(_actionType=3, _putSmel=False, _smell=1)", "3 0 0"),
        ('type("Own", (), {"actionType": 2, "putSmell": True, "smell": 4})', "2 1 4"),
    ],
)
def test_valid_actions(action: str, answer: str, tmp_path: Path) -> None:
    assert answer_of(tmp_path, f"return {action}") == f"{answer} {PLAIN.memory.hex()}"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("None", "TypeError: GetAction must return an AntAction, it returned None"),
        (
            'AntAction("MOVE_UP", False, 0)',
            "TypeError: actionType of an AntAction must be a whole number, not 'MOVE_UP'",
        ),
        ("AntAction(3, True, 0.5)", "TypeError: smell of an AntAction must be a whole number, not 0.5"),
        ("AntAction(3, True, 2**31)", "ValueError: smell of an AntAction must fit into 32 bits, unlike 2147483648"),
        (
            "AntAction(-2**31 - 1, True, 0)",
            "ValueError: actionType of an AntAction must fit into 32 bits, unlike -2147483649",
        ),
        ("[].pop()", "IndexError: pop from empty list"),
    ],
)
def test_an_invalid_action_ends_the_bot(action: str, words: str, tmp_path: Path) -> None:
    assert failed(tmp_path, f"return {action}") == words


@EACH_WAY
def test_the_log_shows_the_line_that_failed(command: list[str], tmp_path: Path) -> None:
    program = asking.python(tmp_path, body("if ant.hasFood: return [].pop()", f"return {STAY}"), *command)
    done = program.run((PLAIN.text + Asked(food=True).text + PLAIN.text).encode())
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 1), (
        "there is an answer to the request before the failure, and none after it"
    )
    assert b'GetAction.py", line 4, in GetAction' in done.stderr
    assert done.stderr.endswith(b"IndexError: pop from empty list\n")


@EACH_WAY
def test_output_goes_to_the_log(command: list[str], tmp_path: Path) -> None:
    lines = ['print("a")', "import os, sys", 'sys.stdout.write("b\\n")', 'os.write(1, b"c\\n")', 'os.system("echo d")']
    source = body(
        *lines, 'sys.__stdout__.write("e\\n"); sys.__stdout__.flush()', f"return {STAY}", before="print('first')\n"
    )
    done = asking.python(tmp_path, source, *command).run(("getName\n" + PLAIN.text * 2).encode())
    assert done.returncode == 0
    assert done.stdout.decode() == "\n" + f"9 0 0 {PLAIN.memory.hex()}\n" * 2
    assert sorted(done.stderr.decode().split()) == sorted(["first", *"abcde" * 2])


def test_output_before_a_kill_is_in_the_log(tmp_path: Path) -> None:
    program = asking.python(tmp_path, body("print('before')", "import os", "os.kill(os.getpid(), 9)"))
    assert program.run(PLAIN.text.encode()).stderr == b"before\n"


class TestNames:
    @pytest.mark.parametrize("name", ["Ada", "Жук " * 8, "x" * 32, ""])
    def test_a_name_in_the_source_overrides_the_manifest(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "bot.toml").write_text('name = "another"\n')
        assert answers(asking.python(tmp_path, body(f"return {STAY}", before=f"NAME = {name!r}")), "getName\n") == [
            name
        ]

    @pytest.mark.parametrize("name", ["x" * 33, "Жук " * 9, "a\n", "a\x1b[1m", "a\x85", 5, b"x"])
    def test_an_invalid_name_ends_the_bot(self, name: object, tmp_path: Path) -> None:
        program = asking.python(tmp_path, body(f"return {STAY}", before=f"NAME = {name!r}"))
        done = program.run(b"getName\n")
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"ValueError" in done.stderr


class TestWithoutTheReferee:
    def test_another_program_may_import_the_modules(self, tmp_path: Path) -> None:
        """Only a program named GetAction.py starts to play by itself."""
        asking.python(tmp_path, body(f"return {STAY}"))
        text = "import InterGetAction, GetAction, PlayGetAction\nprint(GetAction.GetAction(None, None).actionType)\n"
        (tmp_path / "test_mine.py").write_text(text)
        program = asking.python(tmp_path, body(f"return {STAY}"), "test_mine.py")
        assert program.run(b"getName\n").stdout == b"9\n"

    @pytest.mark.parametrize("theirs", ["a copy", "the contest's"])
    def test_a_copy_of_the_module_beside_the_bot_is_harmless(self, theirs: str, tmp_path: Path) -> None:
        text = (SDK / "python" / "InterGetAction.py").read_text(encoding="utf-8")
        if theirs == "the contest's":
            text = text.partition("\nif os.path")[0] + "\nOURS = 1\n"
        (tmp_path / "InterGetAction.py").write_text(text, encoding="utf-8")
        source = body(
            "assert type(ant).__module__ == type(sensors[0][0]).__module__ == 'InterGetAction'", f"return {STAY}"
        )
        assert answers(asking.python(tmp_path, source), PLAIN) == [f"9 0 0 {PLAIN.memory.hex()}"]

    def test_all_names_of_the_contest_exist(self) -> None:
        code = (
            "from InterGetAction import *\n"
            "ant, sensor = Ant([0] * 32, True, 2), Sensor(1, 2, 3, 4, 5, 6, 7, 8)\n"
            "action = AntAction(ActionType['GET'], True, 5)\n"
            "print(sorted(ActionType, key=ActionType.get), ant.hasFood, len(ant.memory))\n"
            "print(sensor.smell, sensor.smellIntensity, sensor.isFriend, sensor.isEnemy, end=' ')\n"
            "print(sensor.isMyHill, sensor.isEnemyHill, sensor.isFood, sensor.isWall)\n"
            "print(action.actionType, action.putSmell, action.smell)\n"
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={"PYTHONPATH": str(SDK / "python"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True, text=True, timeout=asking.TIME_LIMIT, check=True,
        )  # fmt: skip
        words = [f"{verb}_{direction}" for verb in ("MOVE", "BITE") for direction in ("UP", "LEFT", "DOWN", "RIGHT")]
        assert done.stdout == f"{[*words, 'GET', 'PUT']} True 32\n1 2 3 4 5 6 7 8\n8 True 5\n"
