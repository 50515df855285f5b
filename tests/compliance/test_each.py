"""Checks of several bots: some at a time, what is the same for all only once, results in the order of the bots."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import trio

from referee import bots as bot_room
from referee import building
from referee.bots import Bot
from referee.compliance import check as room
from referee.compliance.check import MOST_CHECKS, CheckConfig, CheckResult, at_once, check_each
from referee.compliance.fixtures import MOST_SEATS
from referee.compliance.report import CheckStep, StepVerdict
from referee.errors import BotError
from referee.games.egghunt.plugin import GAME as EGGHUNT
from referee.games.snakecore.plugin import GAME as SNAKECORE
from referee.players.fairness import HostStalled, Stall


class Fakes:
    """Checks that take as many seconds of a mock clock as the name of the bot says, with a name for the log.

    Attributes:
        began, ended: names in the order in which checks began and ended. most: how many ran at the same time.
        sockets: whether players have sockets, through which they cannot put the referee to sleep.
        stalls: how often the check of a name finds that the machine is too busy.
    """

    def __init__(self, stalls: dict[str, int]) -> None:
        self.began, self.ended, self.sockets = list[str](), list[str](), list[bool]()
        self.stalls, self.running, self.most = stalls, 0, 0

    async def checked(self, source: Bot, *more: Any) -> CheckResult:
        self.began.append(source.name)
        self.sockets.append(more[2].game.together)
        self.running += 1
        self.most = max(self.most, self.running)
        await trio.sleep(float(source.name.partition(" ")[2]))
        self.running -= 1
        if self.stalls.get(source.name, 0):
            self.stalls[source.name] -= 1
            raise HostStalled(0, Stall(9.0, 1.0))
        self.ended.append(source.name)
        failed = source.name.startswith("fails") or (source.name.startswith("suffers") and self.sockets[-1])
        return CheckResult([CheckStep(1, "", StepVerdict.FAIL if failed else StepVerdict.PASS, "")], plays=True)


@pytest.fixture
def field(config: CheckConfig, monkeypatch: pytest.MonkeyPatch):
    """Checks bots of these names; returns the fakes, the results, and the places that were told as they ended."""

    async def run(*names: str, at_once: int, **stalls: int) -> tuple[Fakes, list[CheckResult], list[int]]:
        fakes = Fakes({name.replace("_", " "): count for name, count in stalls.items()})
        monkeypatch.setattr(room, "_check_built", fakes.checked)
        bots = [BotError("no") if name == "none" else replace(bot_room.find("random"), name=name) for name in names]
        order: list[int] = []
        ended = lambda number, _result: order.append(number)  # noqa: E731
        return fakes, await check_each(bots, config, at_once=at_once, ended=ended), order

    return run


async def test_two_at_a_time_end_as_they_end_and_results_are_in_order(field, autojump_clock):
    fakes, results, order = await field("a 9", "none", "b 1", "c 1", "d 1", at_once=2)
    assert (fakes.most, fakes.ended) == (2, ["b 1", "c 1", "d 1", "a 9"])
    assert order == [1, 2, 3, 4, 0]
    assert [result.plays for result in results] == [True, False, True, True, True]
    assert trio.current_time() - 9 < 1


@pytest.mark.parametrize(("at_once", "sockets"), [(1, False), (2, True)])
async def test_no_bot_can_put_the_clock_of_another_to_sleep(field, autojump_clock, at_once, sockets):
    fakes, _, _ = await field("a 1", "b 1", at_once=at_once)
    assert fakes.sockets == [sockets] * 2


async def test_a_bot_that_fails_beside_others_is_checked_again_alone(field, autojump_clock):
    fakes, results, order = await field("suffers 1", "fails 1", "good 1", at_once=2)
    assert fakes.began == ["suffers 1", "fails 1", "good 1", "suffers 1", "fails 1"]
    assert fakes.sockets == [True, True, True, False, False], "alone as in a match"
    assert order == [2, 0, 1]
    assert [result.passed for result in results] == [True, False, True]


async def test_one_at_a_time_is_the_order_of_the_bots(field, autojump_clock):
    fakes, _, order = await field("a 3", "b 1", "c 2", at_once=1)
    assert (fakes.most, fakes.ended, order) == (1, ["a 3", "b 1", "c 2"], [0, 1, 2])


async def test_a_bot_that_the_machine_was_too_busy_to_judge_is_checked_again_alone_after_all(field, autojump_clock):
    fakes, results, order = await field("a 1", "b 1", "c 5", at_once=2, a_1=1, b_1=1)
    assert fakes.began == ["a 1", "b 1", "c 5", "a 1", "b 1"]
    assert order == [2, 0, 1]
    assert all(result.plays for result in results)


async def test_a_machine_that_stays_too_busy_is_an_error(field, autojump_clock):
    with pytest.raises(HostStalled):
        await field("a 1", "b 1", at_once=2, a_1=2)


async def test_bots_are_built_together_and_the_rivals_once(config, monkeypatch, autojump_clock):
    built: list[list[str]] = []

    async def each(bots, **_: object):
        built.append([bot.name for bot in bots])
        return [building.BuildResult(bot, "nothing") for bot in bots]

    async def ready(bots, **_: object):
        built.append(["rivals"])
        return list(bots)

    monkeypatch.setattr(room, "_check_built", Fakes({}).checked)
    monkeypatch.setattr(building, "build_each", each)
    monkeypatch.setattr(building, "ready", ready)
    bots = [replace(bot_room.find("random"), name=name) for name in ("a 1", "b 1", "c 1")]
    await check_each([bots[0], BotError("no"), *bots[1:]], config, at_once=3, ended=lambda _number, _result: None)
    assert built == [["a 1", "b 1", "c 1"], ["rivals"]]


@pytest.mark.parametrize(
    ("game", "cores", "checks"),
    [(SNAKECORE, 1, 1), (SNAKECORE, 2, 2), (SNAKECORE, 64, MOST_CHECKS), (EGGHUNT, 2, 1), (EGGHUNT, 2 * MOST_SEATS, 2)],
)
def test_each_player_that_is_asked_has_a_processor_of_its_own(game, cores, checks):
    assert at_once(game, cores) == checks
