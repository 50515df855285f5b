"""The report about a player that failed, made from its log and from the kind of bot."""

from __future__ import annotations

import re
import shlex

import pytest

from referee import bots as bot_room
from referee.cli.faults import fault_lines
from referee.game import Fault, FaultKind
from referee.sandbox.limits import Level

FAULT = Fault(FaultKind.EXIT, "exited with status 1")
MISSING = ["ModuleNotFoundError: No module named 'other'"]


@pytest.fixture
def told(tmp_path):
    """The report about a bot of two files that wrote these lines to stderr."""

    def tell(words, *, manifest=None, level=Level.FULL):
        for name in ("main.py", "other.py"):
            (tmp_path / name).write_text("")
        if manifest is not None:
            (tmp_path / "bot.toml").write_text(
                f'name = "b"\nlanguage = "python"\nrun = ["python3", "main.py"]\n{manifest}'
            )
        bot = bot_room.find(str(tmp_path if manifest is not None else tmp_path / "main.py"))
        return list(fault_lines(0, "Bea", FAULT, words, bot, isolation=level, memory=64 << 20))

    return tell


def test_a_long_trace_is_shown_from_its_cause_on(told):
    frames = [f"\tat Deep.dig(Deep.java:{number})" for number in range(100)]
    assert told(["a thought", "java.lang.OutOfMemoryError: Java heap space", *frames]) == [
        "seat 1, Bea: exit: exited with status 1",
        "its last lines on stderr:",
        "  java.lang.OutOfMemoryError: Java heap space",
        "      at Deep.dig(Deep.java:0)",
        "      at Deep.dig(Deep.java:1)",
        "  … (95 left out)",
        "      at Deep.dig(Deep.java:97)",
        "      at Deep.dig(Deep.java:98)",
        "      at Deep.dig(Deep.java:99)",
        "  hint: Its memory limit is 64 MiB: --memory SIZE sets another.",
    ]


def test_the_hint_about_a_missing_file_depends_on_how_the_bot_was_named(told):
    assert told(MISSING)[-1] == (
        "  hint: other.py is beside the bot, but the sandbox has only the file that was named: make a folder with a bot.toml."
    )
    assert told(MISSING, manifest='files = ["main.py"]\n')[-1] == (
        "  hint: other.py is in the bot's folder, but `files` in its bot.toml does not name it: add it there."
    )
    assert told(["No such file or directory: 'x'"], manifest="")[-1].startswith(
        "  hint: A player sees only its own folder"
    )


def test_without_a_cell_there_is_no_hint(told):
    assert told(MISSING, level=Level.NONE)[-1] == f"  {MISSING[0]}"


def test_the_command_that_asks_the_bot_again_is_shown_and_works(referee, walker):
    bad = walker("Wanda", "RRQ")
    played = referee("play", bad, "guard", "--map=duel", "--seed=1", "-q", "-o", "a.jsonl", "--isolation=none")
    assert re.search(r"^seat 1, Wanda: invalid at getAction in round 3: ", played.out, re.MULTILINE)
    (again,) = re.findall(r"^  ask it again: \S+ (.+)$", played.out, re.MULTILINE)
    asked = referee(*shlex.split(again), "--isolation=none")
    assert asked.code == 1
    assert "seat 1, Wanda: invalid" in asked.out


def test_a_fault_at_getname_says_so(referee, walker):
    played = referee("play", walker("W" * 40, "U"), "guard", "--map=duel", "-q", "-o", "a.jsonl", "--isolation=none")
    assert re.search(r"^seat 1, .*: invalid at getName: ", played.out, re.MULTILINE)
