"""`referee build`: builds bots, and shows the output of their compilers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from referee.cli.narrator import narrate, silent
from referee.cli.options import Isolation, Json, Quiet, print_json
from referee.errors import BotError
from referee.text.words import harmless

if TYPE_CHECKING:
    from referee.bots import Bot
    from referee.building import BuildResult


def build(
    *bots: Annotated[
        str, Parameter(required=True, help="A folder, a ZIP file, a source file, or a sample bot's name.")
    ],
    fresh: Annotated[bool, Parameter(negative="", help="Build again, even if nothing has changed.")] = False,
    isolation: Isolation = "full",
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Build bots, each in its own sandbox, and keep the results.

    For each bot, one line says whether it was built, and where it is; a second one has the first warning of its compiler.
    `referee play` builds what it needs by itself. A bot is built again if its sources, its commands, the SDK or the compiler
    have changed. If a build fails, its output is shown from the first error on and kept in a file, and the exit code is 4.
    """
    from referee import bots as bot_room
    from referee import building
    from referee.cli import running
    from referee.sandbox.limits import Level

    sources = bot_room.find_all(bots)
    complete = [bot_room.with_game_sdk(bot, bot.games[0]) if bot.games else bot for bot in sources]
    outcomes = running.run(
        lambda: building.build_each(
            complete, level=Level(isolation), fresh=fresh, say=silent if quiet or json else narrate
        )
    )
    if json:
        print_json({"bots": [as_json(bot, outcome) for bot, outcome in zip(complete, outcomes, strict=True)]})
    else:
        for outcome in {id(outcome): outcome for outcome in outcomes}.values():  # a bot that is named twice fails once
            _print(outcome, quiet=quiet)
    return BotError.exit_code if any(isinstance(outcome, BotError) for outcome in outcomes) else 0


def _print(outcome: BuildResult | BotError, *, quiet: bool) -> None:
    """Print the result, unless `quiet`, or the failure on stderr."""
    if isinstance(outcome, BotError):
        sys.stdout.flush()
        for text in (*getattr(outcome, "excerpt", ()), f"referee: {outcome}"):
            narrate(text)
    elif not quiet:
        print(line(outcome))


def line(result: BuildResult) -> str:
    """The result in words."""
    words = {"built": f"built in {result.seconds:.1f} s", "kept": "already built", "nothing": "nothing to build"}
    warning = f"\n  {harmless(text)}" if (text := result.warning) else ""
    return harmless(f"{result.bot.name}: {words[result.how]}: {location(result.bot)}") + warning


def as_json(bot: Bot, outcome: BuildResult | BotError) -> dict[str, Any]:
    """The result for `--json`; `seconds` is None if nothing was built now."""
    if isinstance(outcome, BotError):
        log, output = getattr(outcome, "log", None), getattr(outcome, "output", "")
        return {"bot": bot.name, "how": "failed", "error": str(outcome), "output": output, "log": log and str(log)}
    return {
        "bot": bot.name,
        "how": outcome.how,
        "seconds": round(outcome.seconds, 3) if outcome.how == "built" else None,
        "folder": str(location(outcome.bot)),
        "log": outcome.log and str(outcome.log),
    }


def location(bot: Bot) -> Path:
    """The folder of a bot, or its only file."""
    files = list(bot.files.values()) if bot.files is not None else []
    return files[0] if len(files) == 1 else bot.cwd
