"""Async tests have a time limit by trio's clock. pytest-timeout, with three times that limit, is the last resort.

Inside trio, pytest-timeout's signal breaks the next test and leaves child processes alive.
"""

import functools
import gc
import inspect
import os
import re
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest
import trio
from export.chromium import Chromium, executable
from hypothesis import HealthCheck, settings

from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.cells.cell import TOKEN
from referee.sandbox.cells.guard import guard_family, token

LIMIT: Final = 120.0
"""Seconds of trio's clock, which may be a mock clock."""

# pytest explains failed assertions of shared test code too.
for shared in ("contests", "games.playing", "leftovers", "tailbite.drawing"):
    assert find_spec(shared)
    pytest.register_assert_rewrite(shared)

# No deadline: a busy machine is not a bug. Derandomized: the same examples give the same verdict every time.
settings.register_profile(
    "untimed", deadline=None, derandomize=True, max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
FEW: Final = 10
"""Examples per property with `--fast`."""
settings.register_profile("fast", settings.get_profile("untimed"), max_examples=FEW)
settings.register_profile("thorough", settings.get_profile("untimed"), derandomize=False, max_examples=1000)
settings.load_profile("untimed")


MARK: Final = re.compile(r"^pytestmark = .*\bpytest\.mark\.machine\b", re.MULTILINE)
"""In a test file, or in `conftest.py` for its whole folder: `scripts/test --fast` omits these tests."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Find the mark in the text, because importing the omitted tests takes half of the time that --fast saves."""
    source = collection_path / "conftest.py" if collection_path.is_dir() else collection_path
    if not config.getoption("--fast") or source.suffix != ".py" or not source.is_file():
        return None
    return MARK.search(source.read_text(encoding="utf-8")) is not None or None


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        settings.load_profile("fast")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="omit tests that start real cells, compilers or commands")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests, which have a time limit of their own, start first, so that no processor waits for one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


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
        test = item.obj.hypothesis
        if inspect.iscoroutinefunction(test.inner_test) and not hasattr(test.inner_test, "limit"):
            test.inner_test = _limited(test.inner_test)
    elif inspect.iscoroutinefunction(item.obj):
        item.obj = _limited(item.obj)


@pytest.fixture(scope="session", autouse=True)
def guarded_programs() -> Iterator[None]:
    """What tests start ends with them, also if they are killed: the guard knows it by its environment.

    That is all that inherits the environment of the tests, or has its `TOKEN`, and programs of a `BareSandbox()`, which has no
    guard of its own.
    """
    with guard_family() as family, pytest.MonkeyPatch.context() as patch:
        patch.setattr(BareSandbox.__init__, "__defaults__", (family, None))
        patch.setenv(TOKEN, token(family))
        yield


@pytest.fixture(scope="module")
def no_garbage() -> None:
    """For tests that count descriptors: those that earlier tests left to the garbage collector are closed first."""
    gc.collect()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """One browser for all tests, none in CI."""
    if os.environ.get("CI"):
        pytest.skip("browsers are not tested in CI")
    program = executable()
    if program is None:
        pytest.skip("there is no Chromium on this machine: scripts/setup dev installs it")
    browser = Chromium(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def chromium(browser: Chromium) -> Iterator[Chromium]:
    """The browser. After each test file, it leaves the last page, which would go on asking a server that has ended."""
    yield browser
    browser.leave()


def _limited(test):
    @functools.wraps(test)
    async def limited(*args, **kwargs):
        with trio.fail_after(LIMIT):
            await test(*args, **kwargs)

    limited.limit = LIMIT
    return limited
