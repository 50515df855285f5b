"""Each diagnosis by itself: evidence in, diagnosis out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import catalogue
import pytest

from referee import bots as bot_room
from referee import games
from referee.bots import Bot
from referee.building.failure import BuildFailed, CompileError
from referee.compliance.check import unbuilt
from referee.compliance.diagnoser import Diagnoser
from referee.compliance.diagnosis import Advisor
from referee.compliance.probe_process import ProbeProcess, Timing
from referee.compliance.protocol_checks import ProtocolChecks
from referee.compliance.trial_runner import FaultEvidence, TrialRunner
from referee.contract.clock import TimeControl
from referee.contract.game import Fault, FaultKind
from referee.games.egghunt.plugin import GAME as EGGHUNT
from referee.games.snakecore.plugin import GAME
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import open_sandbox

from .conftest import program

TIME = TimeControl(first=4.0, answer=1.0, total=30.0)


OUT_OF_MEMORY = ["java.lang.OutOfMemoryError: Java heap space", *["\tat Deep.dig(Deep.java:3)"] * 500]


def diagnoser(name: str) -> Diagnoser:
    """The diagnoser of a program without isolation."""
    bot = program(name)
    return Diagnoser(TrialRunner(GAME, bot, BareSandbox(), TIME), None, bot)


def evidence(kind: FaultKind, **changes: Any) -> FaultEvidence:
    """The evidence of a fault in the first turn of the board `a head alone`."""
    (trial,) = (trial for trial in GAME.trials() if trial.title == "a head alone")
    state = GAME.start(trial.setup, 1)
    requests = [GAME.encode(state.requests()[0])]
    for _ in range(state.seats):
        state.advance(["bot"])
    requests.append(GAME.encode(state.requests()[0]))
    base = FaultEvidence(
        Fault(kind, "no answer within 1 s"), requests, answers=1, output=b"", limit=1.0, total=False, log=[]
    )  # fmt: skip
    return replace(base, **changes)


async def test_a_timeout_that_does_not_recur_is_irregular():
    assert (await diagnoser("honest.py").diagnose(evidence(FaultKind.TIMEOUT))).fault == "irregular"


async def test_a_bot_that_does_not_answer_again_what_it_answered_before_is_irregular(monkeypatch):
    async def asked(self: ProbeProcess, request: bytes, lines: int, *, within: float) -> None:
        self.output = b"half of an answer"

    monkeypatch.setattr(ProbeProcess, "ask", asked)
    diagnosis = await diagnoser("honest.py").diagnose(evidence(FaultKind.TIMEOUT))
    assert diagnosis.says == "no answer within 1 s; asked the same again it did not answer an earlier request"


async def test_an_answer_near_its_limit_is_slow_not_irregular(monkeypatch):
    """It was too late in a match, and in time when it was asked again."""
    again = Timing(seconds=0.9, cpu=0.9, computes=True, idle=False)

    async def asked(self: ProbeProcess, request: bytes, lines: int, *, within: float) -> Timing:
        self.output = b"N\n"
        return again

    monkeypatch.setattr(ProbeProcess, "ask", asked)
    diagnosis = await diagnoser("honest.py").diagnose(evidence(FaultKind.TIMEOUT))
    assert diagnosis.fault == "slow-answer"
    assert diagnosis.says == "no answer within 1 s; asked the same again it answered in 0.90 s"


async def test_a_program_that_exceeds_its_memory_before_the_first_request(tmp_path):
    """The pages of a mapped file are not in the data segment, so RLIMIT_DATA does not stop it: the cell measures its memory."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/main.py").write_text(
        "import mmap\nbook = open('book', 'rb')\nheld = mmap.mmap(book.fileno(), 0, prot=mmap.PROT_READ)\n"
        "total = sum(held[at] for at in range(0, len(held), 4096))\nprint(input() and 'bot')\n"
    )
    (tmp_path / "bot/book").write_bytes(bytes(120 * MIB))
    bot = bot_room.find(str(tmp_path / "bot"))
    with open_sandbox(Level.FULL, Limits(memory=64 * MIB)) as sandbox:
        trials = TrialRunner(GAME, bot, sandbox, TIME)
        async with trials.probe() as process:
            seen = await ProtocolChecks(Diagnoser(trials, None, bot), process).starts()

    assert seen.failure.fault == "memory"
    assert seen.failure.says.endswith("MiB of memory, 64 are allowed")


async def test_a_bot_that_sleeps_within_its_first_limit_is_still_starting(tmp_path):
    """It does not wait for input: it sleeps for less than the limit of its first answer."""
    (tmp_path / "main.py").write_text(
        "import time\ntime.sleep(4)\nwhile input() == 'getName':\n    print('bot', flush=True)\n"
    )
    bot = bot_room.find(str(tmp_path))
    trials = TrialRunner(GAME, bot, BareSandbox(), replace(TIME, first=40.0))
    async with trials.probe() as process:
        checks = ProtocolChecks(Diagnoser(trials, None, bot), process)
        assert (await checks.starts()).failure is None
        seen = await checks.answers(b"getName\n")
    assert (seen.failure, seen.note) == (None, '"bot"')


async def test_a_memory_fault_says_how_much_was_used():
    fault = Fault(FaultKind.SANDBOX, "used 1500 MiB of memory, 1024 are allowed")
    diagnosis = await diagnoser("honest.py").diagnose(evidence(FaultKind.SANDBOX, fault=fault))
    assert (diagnosis.fault, diagnosis.says) == ("memory", "it used 1500 MiB of memory, 1024 are allowed")
    assert "--memory" in diagnosis.change


async def test_an_out_of_memory_error_in_a_long_trace_gets_advice_on_the_limit():
    advisor = diagnoser("honest.py").advisor
    diagnosis = advisor.ended("exited with status 1", answers=0, log=OUT_OF_MEMORY, memory=64 << 20)
    assert diagnosis.says.endswith("OutOfMemoryError: Java heap space")
    assert diagnosis.change == "Its memory limit is 64 MiB: --memory SIZE sets another."


async def test_advice_is_about_the_bot_that_its_author_named(tmp_path):
    (tmp_path / "bot.toml").write_text('name = "b"\nlanguage = "python"\nrun = ["python3", "a.py"]\nfiles = ["a.py"]\n')
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("")
    bot = bot_room.find(str(tmp_path))

    def change(word: str) -> str:
        return Advisor(GAME, bot).ended("exited with status 1", answers=0, log=[word], memory=64 << 20).change

    missing = change("FileNotFoundError: [Errno 2] No such file: 'x'")
    assert "the files that you named, or that `files` in bot.toml names: name the missing file there too" in missing
    assert change("ModuleNotFoundError: No module named 'b'") == f"b.py is beside the bot. {missing}"


FIRST = CompileError("a.c", 5, "error: no")


@pytest.mark.parametrize(
    ("parts", "says", "change"),
    [
        ({"first": FIRST}, "a.c does not compile: line 5: error: no", "Correct a.c, line 5: later errors often follow…"),
        ({"first": FIRST, "advice": "take it out"}, "a.c does not compile: line 5: error: no", "Take it out."),
        ({"excerpt": ["oh"]}, "make ended with exit status 2", "Correct the first error: later ones often follow from it."),
        (
            {"excerpt": ["ld: in function `main':", "a.c: undefined reference to `foo'"]},
            "make ended with exit status 2: a.c: undefined reference to `foo'", "Correct the first error: …",
        ),
        ({}, "make ended with exit status 2", ""),
    ],
)  # fmt: skip
def test_a_failed_build_says_where_and_what_to_change_without_a_path(parts: dict[str, Any], says: str, change: str):
    failed = BuildFailed("its output is in /secret", bot="a", why="make ended with exit status 2", **parts)
    [step] = unbuilt(failed).steps
    assert (step.failure.says, list(step.failure.stderr)) == (says, list(parts.get("excerpt", ())))
    assert catalogue.says(change).fullmatch(step.failure.change)


BOT = Bot("bot", (), Path())


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
def test_advice_on_a_wrong_answer_names_the_rules_of_the_game(game):
    advice = Advisor(game, BOT).wrong_reply("getAction", b"\n" * 5)
    refused = Advisor(game, BOT).wrong_answer("getAction", "no such step")
    assert (advice.fault, refused.fault) == ("wrong-number-of-lines", "wrong-answer")
    for change in (advice.change, refused.change):
        assert re.findall(r"`(referee rules.*?)`", change) == [f"referee rules {game.name}"]


@pytest.mark.parametrize(
    ("game", "reply", "fault", "says"),
    [
        (GAME, b"N\n", None, ""),
        (GAME, b"N\r\n", None, ""),
        (GAME, b"n\n", "wrong-answer", 'expected one of U L D R N A, got "n"'),
        (GAME, b"I go N\n", "wrong-answer", 'expected one of U L D R N A, got "I go N"'),
        (GAME, b"N\nN\n", "wrong-number-of-lines", 'it wrote 2 lines, and the answer has 1: "N", "N"'),
        (GAME, b"N\nnext? ", "debug-print", 'beside its answer "N" it wrote "next? " to stdout'),
        (GAME, b"moves: 3\nN\n", "debug-print", 'beside its answer "N" it wrote "moves: 3" to stdout'),
        (GAME, b"hello\nthere\n", "wrong-number-of-lines", 'it wrote 2 lines, and the answer has 1: "hello", "there"'),
        (GAME, b"N", "no-newline", '"N" came without a line feed at its end'),
        (GAME, b"N\r", "no-newline", r'"N\r" came without a line feed at its end'),
        (GAME, b"." * 1025, "too-much-output", "it wrote a line longer than 1024 bytes"),
        (EGGHUNT, b"9\nN\n", "wrong-number-of-lines", 'it wrote 2 lines, and the answer has 3: "9", "N"'),
        (EGGHUNT, b"9\nN\nme\n1\n2\n", "wrong-number-of-lines", 'it wrote 5 lines, and the answer has 3: "9", "N", "me", "1", …'),
    ],
)  # fmt: skip
def test_defects_of_an_answer(game, reply, fault, says):
    advice = Advisor(game, BOT).wrong_reply("getAction", reply)
    assert ((None, "") if advice is None else (advice.fault, advice.says)) == (fault, says)
