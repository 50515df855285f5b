"""Whether an upload may play: it is unpacked, found, built and checked, and its content is copied to the season."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import trio

from referee import bots as bot_room
from referee import building
from referee.arena.season import plan_of
from referee.arena.settings import ArenaFiles, ArenaSettings
from referee.arena.uploads import bot_of
from referee.building.failure import excerpt
from referee.cli.check_output import document
from referee.compliance.check import CheckConfig, check, unbuilt
from referee.errors import BotError
from referee.languages.language import ERROR
from referee.sandbox.builds.build import BuildLimits
from referee.sandbox.limits import Level
from referee.sandbox.tempdir import remove
from referee.text.words import harmless
from referee.tournament.copies import copied, run_by
from referee.tournament.entering import interpreter

LINES: Final = 200
"""Lines of a compiler's output that its author sees."""
MATCHES: Final = 1
ROUNDS: Final = 100
"""The match of a check, which is short: an author waits for it, and the ladder shows the rest."""


class Admission(NamedTuple):
    """What became of an upload.

    Attributes:
        content: of the copy; None if it may not play. error: why not, in one line. evidence: as a `Version` has it.
    """

    content: str | None
    error: str | None
    evidence: dict[str, Any]


async def admit(
    upload: Path,
    file: str,
    name: str,
    files: ArenaFiles,
    settings: ArenaSettings,
    folder: Path,
    checking: Callable[[], None],
) -> Admission:
    """Take an upload through all steps.

    Args:
        upload: the file. file: the name that its author's file had. name: of the entrant.
        folder: of the season. checking: called when the build has ended.

    Raises:
        IsolationError: this machine cannot isolate bots. HostStalled: it is too busy for a fair verdict.
        UsageError: the copy cannot be written.
    """
    plan = plan_of(files.root, settings)
    opening = plan.opening()
    config = CheckConfig(
        game=plan.game,
        level=Level(opening.isolation),
        limits=opening.limits,
        maps=plan.maps,
        rng_seed=plan.rules.rng_seed,
        matches=MATCHES,
        rounds=min(opening.rounds or ROUNDS, ROUNDS),
        time=opening.time,
    )
    work = files.versions.parent / "work"
    try:
        bot = await trio.to_thread.run_sync(bot_of, upload, file, work, settings.game, settings.limits)
        python = interpreter(files.root, plan.settings)
        [bot] = bot_room.entered([run_by(replace(bot, name=name), python)], plan.game)
        [built] = await building.each([bot], level=config.level, limits=BuildLimits(seconds=settings.limits.build))
        if isinstance(built, BotError):
            raise built
        checking()
        result = await check(bot, config, tell=lambda _step: None)
        evidence = _evidence(document(name, config, result), built.log)
        failed = next((step.failure for step in result.steps if step.failure is not None), None)
        if failed is not None:
            return Admission(None, failed.says, evidence)
        copy = partial(copied, folder, replace(built.bot, lifetime=bot.lifetime), built.key)
        return Admission(await trio.to_thread.run_sync(copy), None, evidence)
    except BotError as wrong:
        if isinstance(wrong, building.BuildFailed):  # without the file that has the rest, which the author cannot read
            wrong.excerpt = tuple(excerpt(wrong.output, ERROR, None, most=LINES))
        result = unbuilt(wrong)
        [failed] = [step.failure for step in result.steps if step.failure is not None]
        evidence = {**_evidence(document(name, config, result), None), "compiler": list(failed.stderr)}
        return Admission(None, failed.says, evidence)
    finally:
        await trio.to_thread.run_sync(remove, work)


def _evidence(checked: dict[str, Any], log: Path | None) -> dict[str, Any]:
    """What the author sees: the steps, and what the compiler said although it succeeded."""
    output = list[str]()
    if log is not None and log.exists():
        output = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LINES:]
    return {"steps": checked["steps"], "compiler": [harmless(line) for line in output]}
