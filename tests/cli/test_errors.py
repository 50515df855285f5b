"""The errors of commands: of a wrong command line, of several tasks that fail at once, and those that `compare` lists."""

import re
from typing import Any

import pytest
import trio

from referee.cli import running
from referee.cli.compare import failures
from referee.cli.exit_codes import run as run_command
from referee.errors import BotError, IsolationError, leaves_of

FULL = OSError(24, "Too many open files")
BOT, MACHINE, BUG = BotError("no program"), IsolationError("no bubblewrap"), ZeroDivisionError("a bug")


def run(*failures):
    async def fail(failed):
        raise failed

    async def work():
        async with trio.open_nursery() as nursery:
            for failed in failures:
                nursery.start_soon(fail, failed)

    running.run(work)


@pytest.mark.parametrize("failed", [FULL, BOT, MACHINE, BUG])
def test_a_single_error_is_raised_unchanged(failed):
    with pytest.raises(type(failed)) as caught:
        run(failed)
    assert caught.value is failed


def test_a_thread_that_cannot_be_started_takes_precedence():
    with pytest.raises(RuntimeError, match="can't start new thread"):
        run(BOT, OSError("another"), RuntimeError("can't start new thread"))


@pytest.mark.parametrize("others", [(BOT,), (BOT, MACHINE), (MACHINE, BotError("another"))])
def test_an_exhausted_machine_takes_precedence(others):
    with pytest.raises(OSError, match="Too many open files"):
        run(*others, FULL)


def test_one_of_several_errors_with_advice_is_raised():
    with pytest.raises((BotError, IsolationError)) as caught:
        run(BOT, MACHINE)
    assert caught.value in (BOT, MACHINE)


@pytest.mark.parametrize("others", [(BOT,), (FULL,), (BOT, FULL)])
def test_a_bug_is_never_hidden(others):
    with pytest.raises(ExceptionGroup) as caught:
        run(*others, BUG)
    assert BUG in leaves_of(caught.value)


@pytest.fixture
def misused(capsys):
    """Calls the command with a wrong command line and returns its error."""

    def call(*words: str) -> str:
        assert run_command(list(words)) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert not re.search(r"[^\n -~…]", err)
        assert len(err) < 500
        return err

    return call


@pytest.mark.parametrize(("line", "says", "command"), [
    ("chekc", 'Did you mean "check"?', ""),
    ("map shwo", 'Did you mean "show"?', "map "),
    ("play worm --gmae viper", "Did you mean --game?", "play "),
    ("check worm --isolation FULL", '"full", "reduced", "none"', "check "),
    ("check worm --isolation", "--isolation requires an argument", "check "),
    ("check --json --json x", "--json specified multiple times", "check "),
    ("play --seed x", "--seed: 'x' is not a whole number", "play "),
    ("state", "FILE requires an argument", "state "),
    ("games ava viper", "Unexpected argument: 'ava' 'viper'.", "games "),
])  # fmt: skip
def test_the_error_names_the_wrong_word_and_the_help_command(line, says, command, misused):
    err = misused(*line.split())
    assert err.startswith("referee: ")
    assert says in err
    assert err.endswith(f" (see referee {command}--help)\n")


def test_wrong_words_are_escaped_and_shortened(misused):
    for words in (["a\x1b[31m\n"], ["games", "x\x1b" * 5000], ["--" + "x\x1b" * 5000], ["play", "--speed", "\x1b[2J"]):
        misused(*words)


def fault(name: str, match: str, detail: str) -> dict[str, Any]:
    return {"name": name, "match": match, "kind": "exit", "request": "getAction", "detail": detail}


def test_a_line_about_each_bot_that_failed():
    faults = [
        fault("new", "0/duel/0#0", "exited with status 1"),
        fault("new", "0/duel/0#1", "exited with status 3"),
        fault("new", "1/duel/0#0", "exited with status 3"),
        fault("old", "0/duel/0#1", "killed by SIGSEGV\x1b"),
        fault("old", "0/duel/0#1", "killed by SIGSEGV\x1b"),
    ]
    assert [*failures({"faults": faults, "matches": {"played": 4}})] == [
        "new failed in 3 of 4 matches: exit at getAction: exited with status 3",
        "old failed in 1 of 4 matches: exit at getAction: killed by SIGSEGV\ufffd",
    ]
    assert not [*failures({"faults": [], "matches": {"played": 4}})]
