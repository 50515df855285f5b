"""Async tests have a time limit by trio's clock. pytest-timeout, with three times that limit, is the last resort.

Inside trio, pytest-timeout's signal breaks the next test and leaves child processes alive.
"""

import functools
import inspect
import re
import signal
from pathlib import Path
from typing import Final

import pytest
import trio
from hypothesis import HealthCheck, settings

LIMIT: Final = 60.0
"""Seconds of trio's clock, which may be a mock clock."""

# pytest explains failed assertions of shared test code too.
pytest.register_assert_rewrite("tailbite.drawing")

# No deadline: a busy machine is not a bug. Derandomized: the same examples give the same verdict every time.
settings.register_profile(
    "untimed", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
FEW: Final = 10
"""Examples per property with `--fast`."""
settings.register_profile("fast", settings.get_profile("untimed"), max_examples=FEW)
settings.load_profile("untimed")


MACHINE: Final = re.compile(
    r"(bots_samples|building|compliance|hostile|languages|sdk)/.*"
    r"|cli/test_(ask|called|check|doctor|explain|export|faults|files|forfeit|help|history|hostile_names|json|keeping|look_up|map|new|play|program|replay|saved|setups|start|state|streams|void)\.py"
    r"|export/test_(browser|steering|looks|listed_events)\.py|library/test_(matches|public)\.py"
    r"|players/test_(ending|oneshot|oneshot_cells|process|stalls|stopped)\.py"
    r"|sandbox/test_(build|cells|confine|guard|meter|probe|runtimes|seccomp|soak|staging)\.py"
    r"|tournament/test_(check|cost|crew|damaged|entering|grading|hits|parts|processes|read_only|reporting|running)\.py"
    r"|conformance/test_sixth_game\.py|bots/test_cache\.py|test_(bench|bench_subjects|docs|scale|wheel)\.py"
)
"""Tests that start real cells, compilers or commands, or wait for a real clock; `scripts/test --fast` omits them."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore files here, because importing the deselected tests takes half of the time that --fast saves."""
    here = Path(__file__).parent
    if not config.getoption("--fast") or not collection_path.is_relative_to(here):
        return None
    return MACHINE.fullmatch(collection_path.relative_to(here).as_posix()) is not None or None


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        settings.load_profile("fast")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="omit tests that start real cells, compilers or commands")


# A shell that runs the tests in the background makes them ignore these signals, and child processes inherit that.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


def pytest_itemcollected(item: pytest.Item) -> None:
    if not isinstance(item, pytest.Function):
        return
    if hasattr(item.obj, "hypothesis"):  # all items of a test share one function, which may already have its limit
        own = getattr(item.obj, "_hypothesis_internal_use_settings", None)
        if own is not None and item.config.getoption("--fast"):  # the profile applies only to tests without settings
            few = settings(own, max_examples=min(FEW, own.max_examples))
            item.obj._hypothesis_internal_use_settings = few
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
