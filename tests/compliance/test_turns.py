"""Bots with one process per turn, bots that stay and answer in several lines, and bots that the referee runs itself.

Every program has one defect; the check names it and says what to change. Some are those of `tests/programs/turns`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from catalogue import Row

from referee import bots as bot_room
from referee.bots import Bot
from referee.compliance import diagnoser as room
from referee.compliance import figures
from referee.compliance.check import CheckConfig, CheckResult
from referee.compliance.diagnoser import TurnDiagnoser
from referee.compliance.fixtures import SHORT_ROUNDS, fixtures
from referee.compliance.report import StepVerdict
from referee.compliance.trial_runner import ENOUGH_ANSWERS, FaultEvidence, TrialRunner
from referee.contract.clock import TimeControl
from referee.contract.game import Fault, FaultKind, Request
from referee.files import mapfiles
from referee.games.egghunt.plugin import GAME
from referee.games.snakecore.plugin import GAME as SNAKECORE
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.limits import Level, Limits

from .conftest import SHARED, assert_failure, program

HERE = Path(__file__).parent / "turns"
BOARDS = ("a plain board", "walls on all sides")
TIME = TimeControl(first=1.0, answer=1.0, total=None)
FIRST, LATER = "answers: a plain board", "plays 1 mixed match without a fault"
ACTION = "answers getAction, and writes nothing else"
STAY = 'lifetime = "game" into its bot.toml.'


ROWS = [
    Row("says_nothing.py", FIRST, "no-output", "it ended without an error and wrote nothing", f"Its input is one…{STAY}"),
    Row("crashes.py", FIRST, "crash", "it exited with status 1 and wrote nothing; on stderr it says: RuntimeError…", "…stderr…"),
    Row("exits_with_a_status.py", FIRST, "crash", r'it exited with status 3; it had written "4\nN\nmemory\n"', "Run it…"),
    Row("never_ends.py", FIRST, "does-not-end", r'it wrote "4\nN\nmemory\n", and … s later it is still running…2 s', f"…{STAY}"),
    Row("ends_late.py", FIRST, "does-not-end", r'it wrote "9\nN\nmine\n", and it ended only … s later; the limit is 2 s', "…"),
    Row("spins.py", FIRST, "slow-answer", "it computed for … s and had not answered in turn 1; the…", "…loop…"),
    Row("slow.py", FIRST, "slow-answer", "it computed for 1.… s before it answered in turn 1; the…", "…Limit your search…"),
    Row("sleeps.py", FIRST, "waits", "it answered in turn 1 after … s, with 0.… s of CPU time…", "…sleep…"),
    Row("floods.py", FIRST, "too-much-output", "it wrote more than 65536 bytes of output: …", "stdout is for answers…"),
    Row("crashes_later.py", FIRST, "no-output", "it ended without an error and wrote nothing", "Its input is one…"),
]  # fmt: skip


def turn(name: str) -> Bot:
    """The bot of a program that lives for a turn."""
    return program(name, HERE, SHARED / "turns")


def board(title: str) -> Any:
    """One of the game's trials."""
    (trial,) = (trial for trial in GAME.trials() if trial.title == title)
    return trial


@pytest.fixture
def config() -> CheckConfig:
    """Two boards and a short match, without isolation."""
    game = replace(GAME, time=TIME, trials=lambda: [board(title) for title in BOARDS])
    maps = {"single": mapfiles.read(GAME, "single")}
    return CheckConfig(game, Level.NONE, Limits(), maps, rng_seed=1, matches=1, time=TIME, rounds=3)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait for late answers is shorter than usual."""
    monkeypatch.setattr(room, "LATE_TIME", 1.0)


def titles(result: CheckResult) -> list[str]:
    return [step.title for step in result.steps]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.program)
async def test_the_failure_says_what_is_wrong_and_what_to_change(row, checked):
    assert_failure(await checked(turn(row.program)), row)


async def test_the_warning_about_a_bot_whose_answers_have_no_use_quotes_one(checked, tmp_path, monkeypatch):
    """The rules refuse no answer (rule 3), so a line that was printed to find a mistake is no fault."""
    monkeypatch.setattr(figures, "FEW_TURNS", 1)
    (tmp_path / "debug.py").write_text('print("debug", 4, "N", sep="\\n")')
    result = await checked(bot_room.find(str(tmp_path / "debug.py")))
    (step,) = [step for step in result.steps if step.title == LATER]
    assert [warning.partition("; ")[2] for warning in step.warnings] == [r'its last answer was "debug\n4\nN\n"']


def test_every_program_has_a_row():
    programs = {path.name for path in HERE.glob("*.py")}
    assert programs - {row.program for row in ROWS} == {"stays.py", "hunter.py"}


async def test_a_correct_bot_passes_every_step_for_its_lifetime(checked):
    result = await checked(turn("honest.py"))
    assert [step.verdict for step in result.steps] == [StepVerdict.PASS] * len(result.steps), result.steps
    boards = [f"answers: {title}" for title in BOARDS]
    assert titles(result) == ["builds", *boards, LATER, "time per answer"]
    assert not any(step.warnings for step in result.steps)
    assert result.measured.times.answers == 2, "the first of three answers is not counted"
    assert 0 < result.measured.times.median < 1


@pytest.mark.parametrize(("bot", "second"), [("spins.py", StepVerdict.SKIP), ("crashes.py", StepVerdict.FAIL)])
async def test_a_bot_that_has_never_answered_in_time_is_asked_on_no_further_board(bot, second, checked):
    boards = [step for step in (await checked(turn(bot))).steps if step.title.startswith("answers: ")]
    assert [step.verdict for step in boards] == [StepVerdict.FAIL, second]


async def test_a_bot_that_stays_is_checked_for_its_lifetime(checked):
    result = await checked(replace(turn("stays.py"), lifetime="game"))
    assert result.passed, result.steps
    assert ACTION in titles(result)


async def test_a_fault_in_a_match_ends_the_match_and_names_it(checked):
    result = await checked(turn("crashes_later.py"), game=replace(GAME, time=TIME, trials=list), rounds=20)
    assert titles(result) == ["builds", LATER, "time per answer"]
    failed = result.steps[1].failure
    assert re.match(r"match 1, on single, seat \d of \d against .*: it ended without an error", failed.says)
    assert failed.sent[-1] == "mmm"
    assert [step.verdict for step in result.steps[2:]] == [StepVerdict.SKIP]


async def test_a_trial_ends_at_the_first_fault_even_if_the_rules_continue(config):
    judge = diagnoser("says_nothing.py")
    tried = await judge.trials.trial(board(BOARDS[0]), 1)
    (fixture,) = fixtures(config.game, config.maps, [], rng_seed=1, matches=1, rounds=9)
    played = await judge.trials.match(fixture.setup, [judge.trials.bot], 0, 1)
    for result in (tried, played):
        assert (len(result.evidence.requests), result.evidence.answers) == (1, 0)


async def test_boards_and_matches_with_a_process_for_each_turn_end_after_some_answers(config):
    """A whole match of the egg hunt has ten runs of 175 turns."""
    judge = diagnoser("honest.py")
    maps = {"easter": mapfiles.read(GAME, "easter")}
    (fixture,) = fixtures(GAME, maps, [], rng_seed=1, matches=1, rounds=SHORT_ROUNDS)
    assert (fixture.setup["runs"], fixture.setup["turns"]) == (10, SHORT_ROUNDS)
    tried = await judge.trials.trial(board("a long corridor"), 1)
    played = await judge.trials.match(fixture.setup, [judge.trials.bot], 0, 1)
    for result, answers in ((tried, ENOUGH_ANSWERS), (played, 2 * ENOUGH_ANSWERS)):
        assert (len(result.times), result.steps, result.evidence) == (answers, answers, None)


async def test_a_bot_that_stays_plays_its_boards_to_the_end_and_matches_against_others_not(config):
    trials = diagnoser("stays.py").trials
    stays = replace(trials, bot=replace(trials.bot, lifetime="game"))
    assert len((await stays.trial(board("a long corridor"), 1)).times) == 41, "its name, and 40 turns"
    (fixture,) = fixtures(GAME, {"single": mapfiles.read(GAME, "single")}, [], rng_seed=1, matches=1, rounds=30)
    rival = diagnoser("honest.py").trials.bot
    for bots, answers in (([stays.bot, rival], 2 * ENOUGH_ANSWERS), ([stays.bot], 31)):
        assert len((await stays.match(fixture.setup, bots, 0, 1)).times) == answers


# -- diagnoses of a missing answer ------------------------------------------------------------------------------------


def diagnoser(name: str) -> TurnDiagnoser:
    """The diagnoser of a program without isolation."""
    bot = replace(turn(name), lifetime="turn")
    return TurnDiagnoser(TrialRunner(GAME, bot, BareSandbox(), TIME), None, bot)


def no_answer(**changes: Any) -> FaultEvidence:
    """The evidence of a missing answer to the first turn on a plain board."""
    request = GAME.encode_turn(Request(0, "getAction", GAME.start(board(BOARDS[0]).setup, 1)))
    base = FaultEvidence(
        Fault(FaultKind.TIMEOUT, "no answer within 1 s"), [request], answers=0, output=b"", limit=1.0, total=False, log=[]
    )  # fmt: skip
    return replace(base, **changes)


async def test_a_timeout_that_does_not_recur_is_irregular():
    assert (await diagnoser("honest.py").diagnose(no_answer())).fault == "irregular"


async def test_a_game_without_staying_bots_does_not_advise_to_stay():
    judge = diagnoser("says_nothing.py")
    nobody_stays = replace(judge, trials=replace(judge.trials, game=replace(GAME, lifetimes=("turn",))))
    diagnosis = await nobody_stays.diagnose(
        no_answer(fault=Fault(FaultKind.EXIT, "exited with status 0 and wrote nothing"))
    )
    assert diagnosis.change.endswith("print the answer, and end.")


# -- bots without a process -------------------------------------------------------------------------------------------


@dataclass
class Waits:
    """A policy of SnakeCore."""

    name: str = "Waits"
    letter: str = "N"

    def decide(self, request: Request[Any]) -> str:
        return self.letter


POLICY = Bot("waits", (), Path(), policy=Waits())


async def test_a_program_that_the_referee_runs_is_checked_on_boards_and_in_matches(checked, monkeypatch):
    monkeypatch.setattr(bot_room, "samples", lambda *_, **__: [])  # without sample bots, no process is started
    boards = [trial for trial in SNAKECORE.trials() if trial.title in ("a plain board", "a head alone")]
    result = await checked(
        POLICY,
        game=replace(SNAKECORE, trials=lambda: boards),
        maps={"duel": mapfiles.read(SNAKECORE, "duel")},
        level=Level.FULL,
    )
    assert result.passed, result.steps
    assert titles(result) == [
        "builds", "answers: a plain board", "answers: a head alone", LATER, "time per answer",
    ]  # fmt: skip
    assert result.steps[0].note == "nothing to build: the referee runs it itself"
    assert (result.measured.times.answers, result.measured.peak) == (3, None)


# -- matches ----------------------------------------------------------------------------------------------------------


async def test_matches_of_bots_with_one_process_per_turn_are_short(checked):
    for rounds in (None, 60):
        result = await checked(turn("honest.py"), game=replace(GAME, time=TIME, trials=list), rounds=rounds)
    assert result.passed
    assert result.measured.times.answers == SHORT_ROUNDS - 1, "the first answer is not counted"


async def test_the_house_takes_the_remaining_seats(checked, config):
    planned = fixtures(config.game, config.maps, ["naive"], rng_seed=1, matches=1, rounds=3)
    assert len(planned[0].setup["players"]) == 7
    assert len(planned[0].rivals) < 6
    assert (await checked(turn("honest.py"))).passed
