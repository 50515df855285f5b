"""The error of a command when several things fail at once, as when bots are built concurrently."""

import pytest
import trio

from referee.cli import running
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
