"""Fixtures that check small programs with few boards and one short match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from catalogue import Row, says

from referee import bots as bot_room
from referee.bots import Bot
from referee.compliance.check import CheckConfig, CheckResult
from referee.compliance.check import check as check_bot
from referee.compliance.report import StepVerdict
from referee.contract.clock import TimeControl
from referee.files import mapfiles
from referee.games.snakecore.plugin import GAME
from referee.players.fairness import HostStalled
from referee.sandbox.limits import Level, Limits

pytestmark = pytest.mark.machine  # of every file here

HERE = Path(__file__).parent / "bots"
SHARED = Path(__file__).parents[1] / "programs"
"""Programs of other tests, too. One of the same name in the folder `bots` or `turns` comes first."""
TIME = TimeControl(first=4.0, answer=1.0, total=30.0)
BOARDS = ("a plain board", "a head alone")
AT_ONCE = 12
"""Concurrent checks. They can be many because a check mostly waits."""


@pytest.fixture(scope="session")
def config() -> CheckConfig:
    """Two boards and a short match, without isolation."""
    game = replace(GAME, time=TIME, trials=lambda: [trial for trial in GAME.trials() if trial.title in BOARDS])
    maps = {"duel": mapfiles.read(GAME, "duel")}
    return CheckConfig(game, Level.NONE, Limits(), maps, rng_seed=1, matches=1, time=TIME, rounds=3)


def program(name: str, folder: Path = HERE, shared: Path = SHARED) -> Bot:
    """The bot of a program in one of these folders."""
    return bot_room.find(str(next(path for path in (folder / name, shared / name) if path.exists())))


async def check(bot: Bot, config: CheckConfig) -> CheckResult:
    """Check a bot, and assert that the reported steps are those of the result."""
    steps = []
    result = await check_bot(bot, config, tell=steps.append)
    assert steps == list(result.steps)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    return result


@pytest.fixture
def checked(
    config: CheckConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Awaitable[CheckResult]]:
    """Checks a bot with a changed config."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return lambda bot, **changes: check(bot, replace(config, **changes))


@pytest.fixture(scope="module")
def results(
    config: CheckConfig, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, CheckResult | Exception]:
    """The results for all programs that the module's selected tests need, checked concurrently because a check mostly waits."""
    wanted = {
        item.callspec.params["result"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.module is request.module and "result" in item.fixturenames
    }
    outcomes: dict[str, CheckResult | Exception] = {}
    places = trio.CapacityLimiter(AT_ONCE)

    async def check_one(name: str) -> None:
        async with places:
            try:
                outcomes[name] = await check(program(name), config)
            except Exception as failed:
                outcomes[name] = failed

    async def all_of_them() -> None:
        async with trio.open_nursery() as nursery:
            for name in sorted(wanted):
                nursery.start_soon(check_one, name)
        for name in [name for name, result in outcomes.items() if isinstance(result, HostStalled)]:
            await check_one(name)

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        trio.run(all_of_them)
    return outcomes


@pytest.fixture
def result(results: Mapping[str, CheckResult | Exception], request: pytest.FixtureRequest) -> CheckResult:
    """The result of the check of a program of the folder `bots`; its name is the parameter."""
    outcome = results[request.param]
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def assert_failure(result: CheckResult, row: Row) -> None:
    """The first failure is that of the row."""
    failed = next(step for step in result.steps if step.verdict is StepVerdict.FAIL)
    assert (failed.title, failed.failure.fault) == (row.step, row.fault), failed.failure
    assert says(row.says).fullmatch(failed.failure.says), failed.failure.says
    assert says(row.change).fullmatch(failed.failure.change), failed.failure.change
    assert not result.passed
