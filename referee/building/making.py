"""Builds one bot: stages it, looks it up in the cache, and otherwise runs its commands and stages the result into the cache.

1. The build works on a copy of the bot's files, which `staging` makes, as for players: a folder that could not play is not
   built. The copy is adapted to the compiler. The key is made from it, so later changes of the files do not matter.
2. The result of a build is untrusted. Before anything reads it, `staging` copies it, which refuses links and FIFOs.
3. The commands run one after the other in the same folder. The first failure ends the build.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
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


async def product_of(
    bot: Bot,
    unbuilt: Unbuilt,
    cache: Cache,
    *,
    level: Level,
    limits: BuildLimits,
    fresh: bool,
    begin: Callable[[], None],
) -> tuple[CachedProduct, bool]:
    """The product of a bot, and whether it was built now. `begin` is called before the first command.

    Raises:
        BuildFailed: a command failed, or its result is not allowed. BotError: the bot's folder is not allowed, or a program is
            missing. IsolationError: this machine cannot isolate builds.
    """
    jailed = level is not Level.NONE
    tools = partial(toolchain, bot.name, bot.language, unbuilt.commands, jailed=jailed)
    commands, versions = await trio.to_thread.run_sync(tools)
    with tempdir() as shop:
        scratch = shop / "build"
        await trio.to_thread.run_sync(stage, bot, scratch, Limits())
        if bot.language is not None:
            await trio.to_thread.run_sync(adapt, bot.language, scratch, unbuilt.game_sdk)
        product_key = await trio.to_thread.run_sync(partial(key, scratch, unbuilt, versions, jailed=jailed))
        if not fresh and (product := await trio.to_thread.run_sync(cache.find, product_key)) is not None:
            return product, False
        begin()
        run = partial(_run, bot, unbuilt, scratch, level=level, limits=limits)
        log: list[str] = []
        for command in commands:
            await _run_command(bot, unbuilt, command, run, log, partial(cache.keep_failure, product_key))
        with cache.fresh(product_key) as folder:
            try:
                staged = partial(stage, instead=f"set {VARIABLE}")
                await trio.to_thread.run_sync(staged, replace(bot, cwd=scratch, files=None), folder / PRODUCT, Limits())
                started(bot, unbuilt, folder / PRODUCT)
            except BotError as wrong:
                output = "".join(log)
                path = cache.keep_failure(product_key, f"{output}{wrong}\n")
                where = f"; the whole output of the build is in {path}" if path is not None and commands else ""
                raise BuildFailed(
                    f"{wrong} (after its build){where}",
                    bot=bot.name,
                    why=str(wrong),
                    output=output,
                    excerpt=excerpt(output, _error(bot), path),
                    log=path,
                ) from None
            (folder / LOG).write_text("".join(log), encoding="utf-8")
            return cache.keep(product_key, folder), True


def started(bot: Bot, unbuilt: Unbuilt, folder: Path) -> Bot:
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


async def _run_command(
    bot: Bot,
    unbuilt: Unbuilt,
    argv: Command,
    run: Callable[[Sequence[str]], Awaitable[Built]],
    log: list[str],
    keep: Callable[[str], Path | None],
) -> None:
    words = shell_line(*argv)
    outcome = await run(argv)
    output = outcome.output
    log.append(f"$ {words}\n{output}" + ("\n" if output and not output.endswith("\n") else ""))
    if outcome.ok:
        return
    how = _how(outcome)
    path = keep(f"{''.join(log)}[{how}]\n")
    error, why = _error(bot), f"{shorten(words, 120)} {how}"
    where = f"; its whole output is in {path}" if path is not None and output.strip() else ""
    advice = await trio.to_thread.run_sync(hint, bot, unbuilt, output)
    raise BuildFailed(
        f"bot {shorten(bot.name, 80)} cannot be built: {why}{where}{f'; {advice}' if advice else ''}",
        bot=bot.name,
        why=why,
        first=first_error(output, error),
        advice=advice,
        output=output,
        excerpt=excerpt(output, error, path),
        log=path,
    )


async def _run(
    bot: Bot, unbuilt: Unbuilt, folder: Path, argv: Sequence[str], *, level: Level, limits: BuildLimits
) -> Built:
    env: Mapping[str, str] = dict(unbuilt.env)
    binds: list[Path] = []
    if unbuilt.sdk is not None:
        env = {**env, SDK: str(unbuilt.sdk)}
        binds = [unbuilt.sdk]
    where = Level.FULL if level is Level.REDUCED else level
    try:
        return await build(bot.name, argv, folder, limits=limits, binds=binds, env=env, level=where)
    except IsolationError:
        if level is Level.REDUCED:  # the jail needs level full, which this machine lacks
            raise IsolationError(REDUCED) from None
        raise


def _how(built: Built) -> str:
    if built.why is not None:
        return f"was ended: it {built.why}"
    if built.status is not None and built.status > 128:
        return f"ended by signal {built.status - 128}"
    return f"ended with exit status {built.status}"


def _error(bot: Bot) -> re.Pattern[str]:
    return bot.language.error if bot.language is not None else ERROR
