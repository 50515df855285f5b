"""Builds one bot: stages it, looks it up in the cache, and otherwise runs its commands and stages the result into the cache.

1. The build works on a copy of the bot's files, which `staging` makes, as for players: a folder that could not play is not
   built. The copy is adapted to the compiler. The key is made from it, so later changes of the files do not matter.
2. The result of a build is untrusted. Before anything reads it, `staging` copies it, which refuses links and FIFOs.
3. The commands run one after the other in the same folder. The first failure ends the build.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.bots import Bot, Unbuilt
from referee.bots.cache import LOG, PRODUCT, VARIABLE, Cache, CachedProduct
from referee.bots.starting import command
from referee.building.adapting import adapt
from referee.building.failure import BuildFailed, excerpt, first_error, hint
from referee.building.key import key
from referee.building.tools import toolchain
from referee.errors import BotError, IsolationError, UsageError
from referee.languages.language import ERROR, Command
from referee.sandbox.builds.build import REDUCED, BuildLimits, Built, build
from referee.sandbox.limits import Level, Limits
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import tempdir
from referee.text.words import shell_line, shorten

SDK: Final = "SDK"
"""The variable that tells a build where the SDK is."""


@dataclass(frozen=True, slots=True)
class Builder:
    """What all builds of one call have in common; for the attributes see `ready.build_each`."""

    level: Level
    limits: BuildLimits
    cache: Cache
    fresh: bool
    say: Callable[[str], None]

    async def product(self, bot: Bot, unbuilt: Unbuilt) -> tuple[CachedProduct, bool]:
        """The product of a bot, and whether it was built now.

        Raises:
            BuildFailed: a command failed, or its result is not allowed. BotError: the bot's folder is not allowed, or a program
                is missing. IsolationError: this machine cannot isolate builds.
        """
        in_thread, jailed = trio.to_thread.run_sync, self.level is not Level.NONE
        tools = partial(toolchain, bot.name, bot.language, unbuilt.build, jailed=jailed)
        commands, versions = await in_thread(tools)
        with tempdir() as shop:
            scratch = shop / "build"
            await in_thread(stage, bot, scratch, Limits())
            if bot.language is not None:
                await in_thread(adapt, bot.language, scratch, unbuilt.game_sdk)
            product_key = await in_thread(partial(key, scratch, unbuilt, versions, jailed=jailed))
            if not self.fresh and (product := await in_thread(self.cache.find, product_key)) is not None:
                return product, False
            self.say(f"building {shorten(bot.name, 80)} …")
            log = ""
            for argv in commands:
                built = await self._run(bot, unbuilt, argv, scratch)
                log += f"$ {shell_line(*argv)}\n{built.output}"
                log += "" if log.endswith("\n") else "\n"
                if not built.ok:
                    raise await in_thread(self._failure, bot, unbuilt, argv, built, product_key, log)
            with self.cache.fresh(product_key) as folder:
                try:
                    staged = partial(stage, instead=f"set {VARIABLE}")
                    await in_thread(staged, replace(bot, cwd=scratch, files=None), folder / PRODUCT, Limits())
                    from_product(bot, unbuilt, folder / PRODUCT)
                except BotError as wrong:
                    raise self._refusal(bot, wrong, product_key, log) from None
                (folder / LOG).write_text(log, encoding="utf-8")
                return self.cache.keep(product_key, folder), True

    async def _run(self, bot: Bot, unbuilt: Unbuilt, argv: Command, folder: Path) -> Built:
        env, sdk = unbuilt.env, unbuilt.sdk
        if sdk is not None:
            env = {**env, SDK: str(sdk)}
        binds = [sdk] if sdk is not None else []
        # Level reduced has no jail of its own.
        level = Level.FULL if self.level is Level.REDUCED else self.level
        try:
            return await build(bot.name, argv, folder, limits=self.limits, binds=binds, env=env, level=level)
        except IsolationError:
            if self.level is Level.REDUCED:
                raise IsolationError(REDUCED) from None
            raise

    def _failure(self, bot: Bot, unbuilt: Unbuilt, argv: Command, built: Built, key: str, log: str) -> BuildFailed:
        how, output, error = _how(built), built.output, _error(bot)
        path = self.cache.keep_failure(key, f"{log}[{how}]\n")
        where = f"; its whole output is in {path}" if path is not None and output.strip() else ""
        why, advice = f"{shorten(shell_line(*argv), 120)} {how}", hint(bot, unbuilt, output)
        return BuildFailed(
            f"bot {shorten(bot.name, 80)} cannot be built: {why}{where}{f'; {advice}' if advice else ''}",
            bot=bot.name,
            why=why,
            first=first_error(output, error),
            advice=advice,
            output=output,
            excerpt=tuple(excerpt(output, error, path)),
            log=path,
        )

    def _refusal(self, bot: Bot, wrong: BotError, key: str, log: str) -> BuildFailed:
        path = self.cache.keep_failure(key, f"{log}{wrong}\n")
        where = f"; the whole output of the build is in {path}" if path is not None and log else ""
        return BuildFailed(
            f"{wrong} (after its build){where}",
            bot=bot.name,
            why=str(wrong),
            output=log,
            excerpt=tuple(excerpt(log, _error(bot), path)),
            log=path,
        )


def from_product(bot: Bot, unbuilt: Unbuilt, folder: Path) -> Bot:
    """The bot, ready to start from its product.

    Raises:
        BotError: the program does not exist. UsageError: this folder is mounted noexec.
    """
    start = unbuilt.run[0]
    if "/" in start and not (folder / start).is_file():
        raise BotError(
            f"bot {shorten(bot.name, 80)}: the build did not create {shorten(start, 60)}: create it, or correct `run`"
        )
    if "/" in start and os.statvfs(folder).f_flag & os.ST_NOEXEC:
        products = folder.parents[1]
        raise UsageError(
            f"{products} is mounted noexec, so no bot can be started from there: set {VARIABLE} to another folder"
        )
    argv = command(unbuilt.run, folder, bot.name)
    # The user named a source, not a program of the machine.
    return replace(bot, argv=argv, cwd=folder, files=None, trusted=False, unbuilt=None)


def _how(built: Built) -> str:
    if built.why is not None:
        return f"was ended: it {built.why}"
    if built.status is not None and built.status > 128:
        return f"ended by signal {built.status - 128}"
    return f"ended with exit status {built.status}"


def _error(bot: Bot) -> re.Pattern[str]:
    return bot.language.error if bot.language is not None else ERROR
