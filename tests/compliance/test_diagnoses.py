"""Every program has one defect; the check names it and says what to change. Some are those of `tests/programs`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from catalogue import Row, says
from languages.present import needs

from referee.bots import find
from referee.compliance.report import StepVerdict
from referee.contract.clock import TimeControl
from referee.languages import by_suffix

from .conftest import HERE, assert_failure, program

SHARED = "parts.py"


NAME, ACTION = "answers getName, and writes nothing else", "answers getAction, and writes nothing else"
ALONE = "answers: a head alone"
STARTS = "starts, and writes nothing before the first request"
PARTS = "reads requests that arrive in two parts to their ends"
LOG = "print(..., file=sys.stderr)"

ROWS = [
    Row("no_flush.py", NAME, "no-flush", 'the answer "bot" came only when its input ended', "Flush your…flush=True…"),
    Row("no_flush_of_actions.py", ACTION, "no-flush", 'the answer "N" came only when its input ended', "Flush…flush=True…"),
    Row("reads_to_end.py", NAME, "no-flush", "…came only when its input ended", "Flush…to the end of input…"),
    Row("no_newline.py", NAME, "no-newline", '"bot" came without a line feed at its end', "End each answer with a line feed…"),
    Row("reads_blank.c", NAME, "reads-too-much", "the request has 1 line, and it answered only after 1 line more", "…scanf…"),
    Row("reads_too_much.py", ACTION, "reads-too-much", "the request has 13 lines, and…only after 1 line more", "Read exactly…"),
    Row("reads_ten_more.py", ACTION, "reads-too-much", "the request has 13 lines, and…after several lines more", "Read exactly…"),
    Row("compares_wrongly.py", NAME, "waits", "…did not answer getName and hardly used the processor…", "Does it know…line end…"),
    Row("waits.py", ALONE, "waits", "…not answer getAction in turn … and hardly used…", "…sleep, a lock…"),
    Row("debug_print.py", ACTION, "debug-print", 'beside its answer "N" it wrote "moves: 3" to stdout', f"…stderr: {LOG}."),
    Row("unknown_letter.py", ACTION, "wrong-answer", 'expected one of U L D R N A, got "X"', "…`referee rules snakecore`…else…"),
    Row("answers_every_line.py", ACTION, "wrong-number-of-lines", "it wrote … lines, and the answer has 1: …", "Read all lines…"),
    Row("long_line.py", ACTION, "too-much-output", "it wrote a line longer than 1024 bytes…", "stdout is for answers alone…"),
    Row("speaks_first.py", STARTS, "output-before-request", r'it wrote "bot\n" before the first request', "Write…"),
    Row("crash_alone.py", ALONE, "crash", "it exited with status 1 after 1 answer;…IndexError…", "Its stderr names…"),
    Row("segfault.c", ALONE, "crash", "it ended by signal 11 (SIGSEGV) after 1 answer", "It used memory…debugger…"),
    Row("uses_memory.py", ALONE, "crash", "it exited with status 1 after 1 answer;…MemoryError", "Its stderr names…"),
    Row("one_answer.py", ACTION, "ended-early", "it ended by itself, with status 0, after 1 answer", "…in a loop…"),
    Row("slow.py", ALONE, "slow-answer", "it computed for 2.… s before it answered getAction in turn 1; …", "…Limit your…"),
    Row("sleeps.py", ALONE, "waits", "it answered getAction in turn 1 after … s, with 0.… s of CPU time…", "…sleep…"),
    Row("endless_loop.py", ALONE, "slow-answer", "it computed for … s and had not answered getAction in turn 1; …", "…loop…"),
    Row(
        "reads_what_is_there.py", PARTS, "reads-too-little",
        r'a request arrived in two parts: when only … of … bytes of a request…it wrote "N\n"; after the rest it wrote "N\n"',
        "Read a request line by line to its end…sys.stdin.readline()…",
    ),
    Row("parses_what_is_there.py", PARTS, "reads-too-little", "a request arrived in two parts: it exited with status 1", "Read…"),
    Row("long_name.py", NAME, "wrong-answer", "a name of 40 characters, 32 are allowed…", "Answer with a name of at most 32…"),
]  # fmt: skip
CLEAN = {"slow_start.py", "ends_late.py", "rests.py", "answers_early.py"}


def written_in(program: str) -> pytest.MarkDecorator:
    """Skips the test if the program's language is not installed."""
    language = by_suffix(program)
    return needs(language.name)


def of(program: str) -> pytest.MarkDecorator:
    """Sets the program of the fixture `result`."""
    return pytest.mark.parametrize("result", [program], indirect=True)


@pytest.mark.parametrize(
    ("row", "result"),
    [pytest.param(row, row.program, marks=written_in(row.program), id=row.program) for row in ROWS],
    indirect=["result"],
)
def test_the_failure_says_what_is_wrong_and_what_to_change(row, result):
    assert_failure(result, row)
    assert result.plays


def test_every_program_has_a_row():
    programs = {path.name for path in HERE.iterdir() if path.is_file()}
    assert programs - {row.program for row in ROWS} == {*CLEAN, SHARED}


@of("honest.py")
def test_a_correct_bot_passes_every_step(result):
    assert [step.verdict for step in result.steps] == [StepVerdict.PASS] * len(result.steps)
    assert result.steps[2].note == '"bot"'
    assert not any(step.warnings for step in result.steps if step.title == PARTS)
    assert result.measured.times.answers == 3
    assert 1 << 20 < result.measured.peak < 1 << 30


@of("answers_early.py")
def test_an_answer_before_the_end_of_the_request_is_a_warning(result):
    assert result.passed
    (step,) = [step for step in result.steps if step.warnings and step.title == PARTS]
    assert says("it answered when only … bytes of a request had arrived…an old position").fullmatch(step.warnings[0])


@pytest.mark.parametrize("result", ["slow_start.py", "crlf.py"], indirect=True)
def test_a_slow_start_with_a_reading_thread_and_the_line_ends_of_windows_are_accepted(result):
    assert result.passed, result.steps


@of("crash_alone.py")
def test_a_failure_shows_the_request_stdout_and_stderr(result):
    alone = next(step.failure for step in result.steps if step.failure is not None)
    assert alone.sent[:2] == ["getAction", "7"]
    assert alone.sent[-2:] == ["0 1 2 2", "0 1 4 4"]
    assert alone.came == ""
    assert alone.stderr[0] == "my body: []"
    assert alone.stderr[-1] == "IndexError: list index out of range"


@of("crash_alone.py")
def test_steps_that_depend_on_a_failed_step_are_skipped(result):
    steps = {step.title: step for step in result.steps}
    assert steps[ACTION].verdict is StepVerdict.PASS
    assert steps["plays 1 mixed match without a fault"].verdict is StepVerdict.SKIP


@of("long_name.py")
def test_without_a_name_boards_are_skipped(result):
    steps = {step.title: step for step in result.steps}
    assert steps["answers: a plain board"].verdict is StepVerdict.SKIP


async def test_a_fault_in_a_match_names_the_match(checked):
    result = await checked(program("ends_late.py"), rounds=12)
    step = result.steps[-3]
    assert (step.title, step.verdict) == ("plays 1 mixed match without a fault", StepVerdict.FAIL)
    assert step.failure.fault == "ended-early"
    assert re.match(
        r"match 1, on duel, seat \d of 2 against \w+: it ended by itself.* after 9 answers", step.failure.says
    )
    assert [step.verdict for step in result.steps[-2:]] == [StepVerdict.SKIP] * 2


async def test_a_bot_that_uses_up_its_total_time(checked):
    result = await checked(program("rests.py"), time=TimeControl(first=4.0, answer=1.0, total=1.0))
    failed = next(step.failure for step in result.steps if step.failure is not None)
    assert failed.fault == "total-time"
    assert says("the 1 s for all answers together are used up, after … requests").fullmatch(failed.says)


async def test_a_bot_that_cannot_be_built_does_not_play(checked, tmp_path: Path):
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    (tmp_path / "wrong.c").write_text("int main(void) { return nothing; }\n")
    result = await checked(find(str(tmp_path / "wrong.c")))
    assert not result.plays
    (step,) = result.steps
    assert any("nothing" in line for line in step.failure.stderr)
