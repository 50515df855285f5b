"""Every async test ends by trio's own clock; pytest-timeout, at three times that, is the last resort behind it.

(pytest-timeout's signal inside trio breaks the next test and leaves children alive.)
"""

import functools
import inspect
import signal
from typing import Final

import pytest
import trio
from hypothesis import HealthCheck, settings

LIMIT: Final = 60.0
"""Seconds; where a test brings a mock clock, they are that clock's."""

# Shared test code explains its assertions as tests do; this of two games and their board, whoever imports it first.
pytest.register_assert_rewrite("tailbite.drawing")

# Hypothesis measures too, and a busy machine is no fault of the code; the same examples each time, for the same verdict.
settings.register_profile("untimed", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


# A shell that runs the tests in the background has them ignore these two, and what they start would too.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


def pytest_itemcollected(item: pytest.Item) -> None:
    if not isinstance(item, pytest.Function):
        return
    if hasattr(item.obj, "hypothesis"):  # one for all items of a test, so it may have its limit by now
        given = item.obj.hypothesis
        if inspect.iscoroutinefunction(given.inner_test) and not hasattr(given.inner_test, "limit"):
            given.inner_test = _limited(given.inner_test)
    elif inspect.iscoroutinefunction(item.obj):
        item.obj = _limited(item.obj)


def _limited(test):
    @functools.wraps(test)
    async def limited(*args, **kwargs):
        with trio.fail_after(LIMIT):
            await test(*args, **kwargs)

    limited.limit = LIMIT
    return limited
