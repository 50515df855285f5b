"""The report about a player that failed, made from its log and from the kind of bot."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee import bots as bot_room
from referee import games
from referee.cli.closing import fault_lines
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
            head = 'name = "b"\nlanguage = "python"\nrun = ["python3", "main.py"]\n'
            (tmp_path / "bot.toml").write_text(head + manifest)
        bot = bot_room.find(str(tmp_path if manifest is not None else tmp_path / "main.py"))
        seen = Circumstances("getAction", 1, words, None if level is Level.NONE else 64 << 20)
        return list(fault_lines(0, "Bea", FAULT, bot, GAME, seen))

    return tell


def test_the_hint_about_a_missing_file_depends_on_how_the_bot_was_named(report):
    assert "other.py is beside the bot" in report(MISSING)[-1]
    assert "other.py is beside the bot" in report(MISSING, manifest='files = ["main.py"]\n')[-1]
    assert "A player sees only its own folder" in report(["No such file or directory: 'x'"], manifest="")[-1]


def test_without_a_cell_the_sandbox_is_not_the_cause(report):
    assert "sandbox" not in report(MISSING, level=Level.NONE)[-1]


def test_the_command_that_asks_the_bot_again_is_shown_and_works(referee, walker):
    bad = walker("Wanda", "RRQ")
    played = referee("play", bad, "guard", "--map=duel", "--seed=1", "-q", "-o", "a.jsonl", "--isolation=none")
    assert re.search(r"^seat 1, Wanda: invalid at getAction in round 3: ", played.out, re.MULTILINE)
    (again,) = re.findall(r"^  ask it again: \S+ (.+)$", played.out, re.MULTILINE)
    assert "seat 1, Wanda: invalid" in referee(*shlex.split(again), "--isolation=none", code=1).out


def test_a_fault_at_getname_says_so(referee, walker):
    played = referee("play", walker("W" * 40, "U"), "guard", "--map=duel", "-q", "-o", "a.jsonl", "--isolation=none")
    assert re.search(r"^seat 1, .*: invalid at getName: ", played.out, re.MULTILINE)


def change(
    detail: str, *, answers: int = 1, log: Sequence[str] = (), computed: bool | None = False, lifetime: str = "game"
) -> str:
    """What the author of a bot in Python should change; the detail begins with the kind of its fault."""
    kind, _, words = detail.partition(": ")
    seen = Circumstances("getAction" if answers else "getName", answers, log, 64 << 20, computed)
    bot, game = (
        replace(bot_room.find("random"), lifetime=lifetime),
        GAME if lifetime == "game" else games.find("egghunt"),
    )
    return by_fault(Fault(FaultKind(kind), words), bot, game, seen).change


LATE = "timeout: no answer within 1 s"
ASSERTION = "bot: main.cpp:22: int main(): Assertion `turn < 20' failed."
IN_A_THREAD = ["Traceback (most recent call last):", '  File "/bot/main.py", line 3, in choose', "KeyError: (3, 4)"]
FLUSH = "Flush your output after each answer: print(answer, flush=True)."


@pytest.mark.parametrize(("detail", "more", "expected"), [
    (LATE, {}, FLUSH),
    (f'{LATE}; there was "U" without a line feed', {}, "End each answer with a line feed"),
    ('invalid: output after the answer "hm", without a request: "U\\n"', {}, "Write exactly one answer to each"),
    ('invalid: expected one of U L D R N A, got "x"', {}, "Answer as the rules say (`referee rules snakecore`)"),
    ('overflow: a line longer than 1024 bytes: "…"', {}, "stdout is for answers alone."),
    ("exit: exited with status 0", {"answers": 3}, "Answer request after request in a loop"),
    ("exit: exited with status 3", {}, "Run it in a debugger"),
    ("sandbox: used 80 MiB of memory, 64 are allowed", {}, "Use less memory"),
    # A bot that ended before its first answer may not call what plays.
    ("exit: exited with status 0", {"answers": 0}, "Does it call its main function, or `run` of the SDK?"),
    ("exit: ended by signal 11 (SIGSEGV)", {}, "It used memory that is not its own: an index out of range"),
    ("exit: exited with status 139 (as after SIGSEGV)", {}, "It used memory that is not its own"),
    # A log that only speaks of errors is no reason to wait; an error in one thread is.
    (LATE, {"answers": 7, "log": ["errors: 0"]}, FLUSH),
    (LATE, {"answers": 7, "log": ["connected to 127.0.0.1:8080, error rate 0.5:1"]}, FLUSH),
    (LATE, {"answers": 7, "log": IN_A_THREAD}, "Its stderr names an error."),
    # A place is promised only if the log names one.
    ("exit: exited with status 134", {"log": [ASSERTION]}, "Its stderr names the place in your program."),
    ("exit: exited with status 134", {"log": ["terminate called after throwing an 'int'"]}, "Run it in a debugger"),
    # A bot that never answered and did not compute probably does not flush.
    (LATE, {"answers": 0}, FLUSH),
    (LATE, {"answers": 0, "computed": True}, "Look for a loop"),
])  # fmt: skip
def test_every_fault_has_a_change(detail: str, more: dict[str, Any], expected: str) -> None:
    assert change(detail, **more).startswith(expected)


def test_a_bot_of_a_turn_that_reads_on_after_its_answer_is_told_to_end() -> None:
    words, log = 'exit: exited with status 1; it had written "4\\nN\\n"', ["EOFError: EOF when reading a line"]
    advice = change(words, log=log, lifetime="turn")
    assert "Its process lives for one turn: end it after the answer." in advice
    assert 'write lifetime = "game" into its bot.toml' in advice
    assert "one turn" not in change(words, log=log)


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
