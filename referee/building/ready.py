"""Makes bots ready to start: builds those that need it, concurrently, each once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import trio

from referee.bots import Bot
from referee.bots.cache import Cache, builds_folder
from referee.building.failure import WARNING, first_error
from referee.building.making import Builder, from_product
from referee.errors import BotError, RefereeError
from referee.sandbox.builds.build import BuildLimits
from referee.sandbox.limits import Level

LOG_READ: Final = 64 * 1024
"""Characters of the output of a build in which a warning is looked for."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A bot that is ready to be started.

    Attributes:
        how: `built` now, `kept` from an earlier build, or `nothing` to build.
        key: the key of the product in the cache; empty without a build. log: the file with the output of its build.
        seconds: how long the build took; 0 without one.
    """

    bot: Bot
    how: Literal["built", "kept", "nothing"]
    key: str = ""
    seconds: float = 0.0
    log: Path | None = None

    @property
    def warning(self) -> str:
        """The first warning of its compiler about a file of the bot, with the line; empty without one."""
        if self.log is None:
            return ""
        with suppress(OSError), self.log.open(encoding="utf-8", errors="replace") as log:
            if (first := first_error(log.read(LOG_READ), WARNING)) is not None:
                return f"{first.file}, line {first.line}: {first.words}"
        return ""


async def ready(
    bots: Sequence[Bot],
    *,
    level: Level,
    say: Callable[[str], None] = lambda _: None,
    cache: Path | None = None,
    limits: BuildLimits | None = None,
) -> list[Bot]:
    """The bots, ready to start. For the parameters see `build_each`.

    Raises:
        BuildFailed: a build failed; the others are aborted. BotError: a compiler is missing, or a bot's folder is not allowed.
            Both have the seat.
        IsolationError: this machine cannot isolate builds. UsageError: products cannot be kept.
    """
    outcomes = await build_each(bots, level=level, say=say, cache=cache, limits=limits, to_the_end=False)
    return [outcome.bot for outcome in outcomes if isinstance(outcome, BuildResult)]


async def build_each(
    bots: Sequence[Bot],
    *,
    level: Level,
    say: Callable[[str], None] = lambda _: None,
    fresh: bool = False,
    cache: Path | None = None,
    limits: BuildLimits | None = None,
    to_the_end: bool = True,
) -> list[BuildResult | BotError]:
    """Make bots ready to start. Returns the result of each, or why it cannot be built. Call this from the main thread.

    Args:
        bots: the bots that `bots.find_all` returned.
        level: the isolation of builds. At level reduced, builds run in the jail of level full if possible.
        say: a function that gets a line when a bot is built.
        fresh: whether to build again despite the cache.
        cache: the folder of products; default: the user's cache folder.
        limits: the limits of one build command.
        to_the_end: whether the others are built after one has failed; otherwise its error is raised.

    Raises:
        IsolationError: this machine cannot isolate builds. UsageError: products cannot be kept.
    """
    sources = [(bot.cwd, bot.files, bot.unbuilt) for bot in bots]
    firsts = [sources.index(same) for same in sources]
    if all(bot.unbuilt is None for bot in bots):
        return [BuildResult(bot, "nothing") for bot in bots]
    builder = Builder(level, limits or BuildLimits(), Cache(cache or builds_folder()), fresh, say)
    processors = trio.CapacityLimiter(max(1, len(os.sched_getaffinity(0))))
    outcomes: dict[int, BuildResult | BotError] = {}
    fatal: list[RefereeError | OSError] = []

    async with trio.open_nursery() as nursery:

        async def build(number: int) -> None:
            try:
                async with processors:
                    outcomes[number] = await _result(builder, bots[number])
            except (RefereeError, OSError) as failed:
                if isinstance(failed, BotError):
                    failed.seat = number
                    if to_the_end:
                        outcomes[number] = failed
                        return
                fatal.append(failed)
                nursery.cancel_scope.cancel()

        for number in sorted(set(firsts)):
            nursery.start_soon(build, number)
    if fatal:
        raise fatal[0]
    return [_as(bot, outcomes[first]) for bot, first in zip(bots, firsts, strict=True)]


async def _result(builder: Builder, bot: Bot) -> BuildResult:
    if bot.unbuilt is None:
        return BuildResult(bot, "nothing")
    began = trio.current_time()
    product, is_new = await builder.product(bot, bot.unbuilt)
    took = trio.current_time() - began
    ready = from_product(bot, bot.unbuilt, product.folder)
    if not is_new:
        return BuildResult(ready, "kept", product.key, log=product.log)
    builder.cache.tidy(datetime.now(UTC).timestamp())
    return BuildResult(ready, "built", product.key, took, product.log)


def _as(bot: Bot, outcome: BuildResult | BotError) -> BuildResult | BotError:
    """The outcome of a bot with the same files, under the name of `bot`."""
    if isinstance(outcome, BotError):
        return outcome
    return replace(outcome, bot=bot if bot.unbuilt is None else from_product(bot, bot.unbuilt, outcome.bot.cwd))
