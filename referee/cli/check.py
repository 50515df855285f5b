"""`referee check`: whether a bot is ready for a contest. Each step is one line; a failure says what to change."""

from __future__ import annotations

import json as json_text
import os
import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import GameName, Isolation, Json, Memory, Quiet, Whole, check_memory
from referee.names import counted

if TYPE_CHECKING:
    from referee.bots import Bot
    from referee.compliance.check import CheckConfig, CheckResult
    from referee.compliance.diagnosis import Failure
    from referee.compliance.report import Step

UNFIT: Final = 4
"""The exit code for a bot that cannot be built or started."""
WIDTH: Final = 110
_INDENT: Final = " " * 9
_CRASH: Final = "crash"
_COUNT: Final = re.compile(r"\d+( answers?)?")


def check(
    bot: Annotated[str, Parameter(help="A bot, as for `referee play`: a folder, a source file, cmd:'PROGRAM ARGS'.")],
    /,
    *,
    game: GameName = None,
    seed: Annotated[Whole, Parameter(name=["--seed", "-s"], help="Decides the matches and all chance in them.")] = 1,
    matches: Annotated[Whole, Parameter(help="How many matches the bot plays. Fewer are quicker.")] = 10,
    isolation: Isolation = "full",
    memory: Memory | None = None,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that a bot is ready for a contest, or say what to change.

    The bot is built and started, answers on boards of every kind, and plays matches against sample bots. Each step is
    reported as it ends. A failed step shows what the bot was sent, what it wrote, and what to change. The exit code is 0 if
    every step passed, 1 if one failed, and 4 if the bot cannot be built or started.
    """
    from referee import bots as bot_room
    from referee import games, mapfiles
    from referee.cli.narrator import narrate, silent
    from referee.cli.running import run
    from referee.compliance.check import CheckConfig
    from referee.compliance.check import check as check_bot
    from referee.errors import UsageError
    from referee.sandbox.limits import Level, Limits

    check_memory(memory, isolation)
    if matches < 1:
        raise UsageError("--matches must be at least 1")
    found = games.find(game)
    cores = os.cpu_count() or 1
    config = CheckConfig(
        game=found,
        level=Level(isolation),
        # It runs while the others are to answer too.
        limits=Limits.behind(found.time.total, running=len(found.seats), cores=cores, memory=memory),
        maps={name: mapfiles.read(found, name) for name in mapfiles.names(found)},
        rng_seed=seed,
        matches=matches,
    )
    (given,) = bot_room.find_all([bot])
    say = silent if quiet or json else narrate
    (given,) = bot_room.entered([given], found)
    if not json:
        print(f"checking {given.name}: {found.title}, isolation {isolation}, seed {seed}", flush=True)
    printer = _Printer()
    result = run(lambda: check_bot(given, config, tell=silent if json else printer.step, progress=say))
    if json:
        print(json_text.dumps(document(given, config, result)))
    else:
        print(summary(result))
    if not result.plays:
        return UNFIT
    return 0 if result.passed else 1


def document(bot: Bot, config: CheckConfig, result: CheckResult) -> dict[str, Any]:
    """What `--json` prints."""
    from dataclasses import asdict

    from referee.compliance import figures

    return {
        "bot": bot.name,
        "game": config.game.name,
        "seed": config.rng_seed,
        "isolation": config.level.value,
        "passed": result.passed,
        "steps": [asdict(step) for step in result.steps],
        "figures": figures.as_json(result.times, config.game.time, result.peak, config.memory),
    }


def summary(result: CheckResult) -> str:
    """The last line."""
    from referee.compliance.report import Verdict

    verdicts = [step.verdict for step in result.steps]
    failed, skipped = verdicts.count(Verdict.FAIL), verdicts.count(Verdict.SKIP)
    warned = sum(len(step.warnings) for step in result.steps)
    if not failed:
        warnings = f", with {counted(warned, 'warning')}" if warned else ""
        return f"passed all {counted(len(verdicts), 'step')}{warnings}"
    return f"failed {counted(failed, 'step')} of {len(verdicts)}" + (
        f"; {skipped} skipped after that" if skipped else ""
    )


class _Printer:
    """Prints the steps that were not skipped. A failure like an earlier one only names that step; what was sent and written
    is shown for the first failure only."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, ...], int] = {}

    def step(self, step: Step) -> None:
        """Print a step."""
        if step.verdict.value == "skip":
            return
        like = None if step.failure is None else _likeness(step.failure)
        if like in self._failed:
            print(f"{_head(step)}: as in step {self._failed[like]}", flush=True)
            return
        for line in lines(step, everything=not self._failed):
            print(line, flush=True)
        if like is not None:
            self._failed[like] = step.number


def _likeness(failure: Failure) -> tuple[str, ...]:
    """Equal for failures with the same cause, as far as that can be told: crashes differ by their last words."""
    words = _COUNT.sub("", failure.says) if failure.fault == _CRASH else ""
    return failure.fault, failure.change, words


def lines(step: Step, *, everything: bool) -> Iterator[str]:
    """A step in lines for people; `everything`: also what was sent and written."""
    yield _head(step) + (f": {step.note}" if step.note else "")
    for warning in step.warnings:
        yield from _folded("warning:", warning)
    if step.failure is not None:
        yield from _failure(step.failure, everything)


def _head(step: Step) -> str:
    return f"{step.number:>3} {'ok  ' if step.failure is None else 'FAIL'} {step.title}"


def _failure(failure: Failure, everything: bool) -> Iterator[str]:
    yield from _folded("what happened:", failure.says)
    yield from _folded("what to change:", failure.change)
    log = ("the end of its stderr" if failure.fault != "does-not-build" else "the build said", failure.stderr)
    rest = (
        ("it was sent last", failure.sent),
        ("it wrote", [failure.came] if failure.came else []),
    )
    for heading, texts in (*rest, log) if everything else (log,) if failure.fault == _CRASH else ():
        if texts:
            yield f"{_INDENT}{heading}:"
            yield from (f"{_INDENT}  | {text}" for text in texts)


def _folded(heading: str, text: str) -> list[str]:
    return textwrap.wrap(
        f"{heading} {text}",
        WIDTH,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
