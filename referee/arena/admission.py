"""Admits an upload: it is unpacked, found, built and checked, and its content is copied to the season."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import trio

from referee import bots as bot_room
from referee import building
from referee.arena.season import plan_of
from referee.arena.settings import ArenaFiles
from referee.arena.uploads import bot_of
from referee.building.failure import WIDTH, excerpt
from referee.cli.check_output import document
from referee.cli.tournament.check import config_for
from referee.compliance.check import check, unbuilt
from referee.errors import BotError
from referee.languages.language import ERROR
from referee.sandbox.builds.build import BuildLimits
from referee.sandbox.tempdir import remove
from referee.text.words import harmless, shorten
from referee.tournament.copies import copy_bot, run_by
from referee.tournament.entering import interpreter

COMPILER_LINES: Final = 200
"""Lines of a compiler's output that its author sees."""
CHECK_ROUNDS: Final = 100
"""Rounds of the one match of a check: an author waits for it, and the ladder shows the rest."""


class Admission(NamedTuple):
    """The result of an upload.

    Attributes:
        content: of the copy; None if it may not play. error: why not, in one line. evidence: see `Versions.evidence`.
    """

    content: str | None
    error: str | None
    evidence: dict[str, Any]


async def admit(
    upload: Path, file: str, name: str, files: ArenaFiles, folder: Path, checking: Callable[[], None]
) -> Admission:
    """Take an upload through all steps.

    Args:
        upload: the stored file. file: the name of the author's file. name: of the entrant.
        folder: of the season. checking: called when the build has ended.

    Raises:
        IsolationError: this machine cannot isolate bots. HostStalled: it is too busy for a fair verdict.
        UsageError: the copy cannot be written.
    """
    plan, limits = plan_of(files), files.settings.limits
    config = config_for(plan)
    config = replace(config, matches=1, rounds=min(config.rounds or CHECK_ROUNDS, CHECK_ROUNDS))
    work = files.versions.parent / "work"
    content: str | None = None
    compiler: Sequence[str] = ()
    try:
        bot = await trio.to_thread.run_sync(bot_of, upload, file, work, plan.game.name, limits)
        bot = run_by(replace(bot, name=name), interpreter(files.root, plan.settings))
        bot = bot_room.enter(bot, plan.game)
        [built] = await building.build_each([bot], level=config.level, limits=BuildLimits(seconds=limits.build))
        if isinstance(built, BotError):
            raise built
        checking()
        result = await check(bot, config, tell=lambda _step: None)
        if built.log is not None and built.log.exists():
            compiler = last_lines(built.log.read_text(encoding="utf-8", errors="replace"))
        if result.passed:
            copy = partial(copy_bot, folder, replace(built.bot, lifetime=bot.lifetime), built.key)
            content = await trio.to_thread.run_sync(copy)
    except BotError as wrong:
        if isinstance(wrong, building.BuildFailed):  # without the file that has the rest, which the author cannot read
            wrong.excerpt = tuple(excerpt(wrong.output, ERROR, None, most=COMPILER_LINES))
        result = unbuilt(wrong)
        compiler = next(step.failure.stderr for step in result.steps if step.failure)
    finally:
        await trio.to_thread.run_sync(remove, work)
    error = next((step.failure.says for step in result.steps if step.failure), None)
    return Admission(content, error, {"steps": document(name, config, result)["steps"], "compiler": compiler})


def last_lines(log: str) -> list[str]:
    """The last lines of a compiler's output, each shortened: whoever sees a version's page reads all of them."""
    return [harmless(shorten(line, WIDTH)) for line in log.splitlines()[-COMPILER_LINES:]]
