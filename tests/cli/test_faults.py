"""The report about a player that failed, made from its log and from the kind of bot."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

import pytest
from catalogue import says

from referee import bots as bot_room
from referee import games
from referee.cli.faults import fault_lines
from referee.compliance.diagnosis import Circumstances, by_fault
from referee.contract.game import Fault, FaultKind
from referee.games.snakecore.plugin import GAME
from referee.sandbox.limits import Level

pytestmark = pytest.mark.machine

FAULT = Fault(FaultKind.EXIT, "exited with status 1")
MISSING = ["ModuleNotFoundError: No module named 'other'"]


@pytest.fixture
def report(tmp_path):
    """The report about a bot of two files that wrote these lines to stderr."""

    def tell(words, *, manifest=None, level=Level.FULL):
        for name in ("main.py", "other.py"):
            (tmp_path / name).write_text("")
        if manifest is not None:
            (tmp_path / "bot.toml").write_text(
                f'name = "b"\nlanguage = "python"\nrun = ["python3", "main.py"]\n{manifest}'
            )
        bot = bot_room.find(str(tmp_path if manifest is not None else tmp_path / "main.py"))
        seen = Circumstances("getAction", 1, words, None if level is Level.NONE else 64 << 20)
        return list(fault_lines(0, "Bea", FAULT, bot, GAME, seen, isolation=level))

    return tell


def test_the_hint_about_a_missing_file_depends_on_how_the_bot_was_named(report):
    assert "other.py is beside the bot" in report(MISSING)[-1]
    assert "`files` in its bot.toml does not name it" in report(MISSING, manifest='files = ["main.py"]\n')[-1]
    assert "A player sees only its own folder" in report(["No such file or directory: 'x'"], manifest="")[-1]


def test_without_a_cell_the_sandbox_is_not_the_cause(report):
    assert "sandbox" not in report(MISSING, level=Level.NONE)[-1]


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


def change(kind: FaultKind, detail: str, *, answers: int = 1, computed: bool = False) -> str:
    """What the author of a bot in Python should change."""
    seen = Circumstances("getAction" if answers else "getName", answers, [], 64 << 20, computed)
    return by_fault(Fault(kind, detail), bot_room.find("random"), GAME, seen).change


@pytest.mark.parametrize(
    ("kind", "detail", "expected"),
    [
        (FaultKind.TIMEOUT, "no answer within 1 s", "Flush your output after each answer: print(answer, flush=True)."),
        (FaultKind.TIMEOUT, 'no answer within 1 s; there was "U" without a line feed', "End each answer with a line feed"),
        (FaultKind.INVALID, 'output after the answer "hm", without a request: "U\\n"', "Write exactly one answer to each"),
        (FaultKind.INVALID, 'expected one of U L D R N A, got "x"', "Answer as the rules say (`referee rules snakecore`)"),
        (FaultKind.OVERFLOW, 'a line longer than 1024 bytes: "…"', "stdout is for answers alone."),
        (FaultKind.EXIT, "exited with status 0", "Answer request after request in a loop"),
        (FaultKind.EXIT, "exited with status 3", "Run it in a debugger"),
        (FaultKind.SANDBOX, "used 80 MiB of memory, 64 are allowed", "Use less memory"),
    ],
)  # fmt: skip
def test_every_fault_has_a_change(kind, detail, expected):
    assert change(kind, detail).startswith(expected)


def test_a_bot_that_ended_before_its_first_answer_may_not_call_what_plays():
    ends = (FaultKind.EXIT, "exited with status 0")
    assert change(*ends, answers=0).startswith("Does it call its main function, or `run` of the SDK?")
    assert change(*ends, answers=3).startswith("Answer request after request in a loop")


def test_a_bot_of_a_turn_that_reads_on_after_its_answer_is_told_to_end():
    fault = Fault(FaultKind.EXIT, 'exited with status 1; it had written "4\\nN\\n"')
    seen, bot = Circumstances("getAction", 1, ["EOFError: EOF when reading a line"], 64 << 20), bot_room.find("random")
    change = by_fault(fault, replace(bot, lifetime="turn"), games.find("egghunt"), seen).change
    assert "Its process lives for one turn: end it after the answer." in change
    assert 'write lifetime = "game" into its bot.toml' in change
    assert "one turn" not in by_fault(fault, replace(bot, lifetime="game"), games.find("egghunt"), seen).change


@pytest.mark.parametrize("signal", ["ended by signal 11 (SIGSEGV)", "exited with status 139 (as after SIGSEGV)"])
def test_a_signal_is_explained(signal):
    assert change(FaultKind.EXIT, signal).startswith("It used memory that is not its own: an index out of range")


@pytest.mark.parametrize("word", ["errors: 0", "connected to 127.0.0.1:8080, error rate 0.5:1"])
def test_a_log_that_only_speaks_of_errors_is_no_reason_to_wait(word):
    seen = Circumstances("getAction", 7, [word], 64 << 20, computed=False)
    waits = by_fault(Fault(FaultKind.TIMEOUT, "no answer within 1 s"), bot_room.find("random"), GAME, seen)
    assert waits.change.startswith("Flush your output")


def test_an_error_in_one_thread_of_a_bot_that_waits_is_named():
    log = ["Traceback (most recent call last):", '  File "/bot/main.py", line 3, in choose', "KeyError: (3, 4)"]
    fault = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    seen = Circumstances("getAction", 7, log, 64 << 20, computed=False)
    assert by_fault(fault, bot_room.find("random"), GAME, seen).change.startswith("Its stderr names an error.")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("bot: main.cpp:22: int main(): Assertion `turn < 20' failed.", "Its stderr names the place in your program."),
        ("terminate called after throwing an instance of 'int'", "Run it in a debugger…with --isolation none?"),
    ],
)
def test_a_place_is_promised_only_if_the_log_names_one(word, expected):
    seen = Circumstances("getAction", 7, [word], 64 << 20)
    found = by_fault(Fault(FaultKind.EXIT, "exited with status 134"), bot_room.find("random"), GAME, seen)
    assert says(expected).fullmatch(found.change)


def test_a_bot_that_never_answered_and_did_not_compute_probably_does_not_flush():
    late = (FaultKind.TIMEOUT, "no answer within 15 s")
    assert change(*late, answers=0).startswith("Flush your output")
    assert change(*late, answers=0, computed=True).startswith("Look for a loop")


NO_FLUSH = """
import os, sys
out = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    print("bot", file=out)
"""
DEBUG_PRINT = """
if input() == "getName":
    print("my debug text\\nbot", flush=True)
input()
"""


def test_play_says_what_to_change_and_how_to_check(referee):
    for name, text in (("no_flush.py", NO_FLUSH), ("prints.py", DEBUG_PRINT)):
        (referee.folder / name).write_text(text)
    ran = referee("play", "no_flush.py", "prints.py", "--map=duel", "--first=0.5s", "--isolation=none", "-q")
    silent, prints = ran.out.split("\nseat ")[1:]
    assert "no answer within 0.5 s" in silent
    assert "  what to change: Flush your output" in silent
    assert 'invalid at getName: output after the answer "my debug text", without a request: "bot\\n"\n' in prints
    assert "  what to change: Write exactly one answer" in prints
    assert "  check it: referee check prints.py --isolation=none\n" in prints
    assert "EOFError" not in prints  # it was waiting for a request when the verdict fell
