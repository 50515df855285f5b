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
    from referee.compliance.report import Failure, Step

UNFIT: Final = 4
"""The exit code for a bot that cannot be built or started."""
WIDTH: Final = 110
_INDENT: Final = " " * 9
_CRASH: Final = "crash"
_AS_ABOVE: Final = ", as above"
_VARIES: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\d[\d.]*(?: answers?\b)?')
"""What a sentence about a fault may say otherwise at another step: quoted words and numbers."""


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
    from referee import games
    from referee.cli import mapfiles
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
    told = _Told()
    result = run(lambda: check_bot(given, config, tell=silent if json else told.step, progress=say))
    if json:
        print(json_text.dumps(document(given, config, result)))
    else:
        told.end()
        print(summary(result))
    if not result.plays:
        return UNFIT
    return 0 if result.passed else 1


def document(bot: Bot, config: CheckConfig, result: CheckResult) -> dict[str, Any]:
    """What `--json` prints."""
    from referee.compliance import figures, report

    return {
        "bot": bot.name,
        "game": config.game.name,
        "seed": config.rng_seed,
        "isolation": config.level.value,
        "passed": result.passed,
        "steps": report.as_json(result.steps),
        "figures": figures.as_json(result.times, config.time, result.peak, config.memory),
    }


def summary(result: CheckResult) -> str:
    """The last line."""
    from referee.compliance.report import Verdict

    verdicts = [step.verdict for step in result.steps]
    failed, skipped = verdicts.count(Verdict.FAIL), verdicts.count(Verdict.SKIP)
    warned = sum(len(step.warnings) for step in result.steps)
    if not failed:
        return f"passed all {counted(len(verdicts), 'step')}" + (
            f", with {counted(warned, 'warning')}" if warned else ""
        )
    return f"failed {counted(failed, 'step')} of {len(verdicts)}" + (f"; {skipped} skipped" if skipped else "")


class _Told:
    """Prints steps, and nothing twice: what a failure rests on is shown for the first one only (of another crash the log
    is), one that is like an earlier one only names it, and what is skipped together stands in one line."""

    def __init__(self) -> None:
        self._failed: list[tuple[int, Failure]] = []
        self._skipped: list[Step] = []

    def step(self, step: Step) -> None:
        """Print a step, or keep it for a line with others."""
        skipped = step.verdict.value == "skip"
        if self._skipped and not (skipped and self._skipped[0].note == step.note):
            self.end()
        if skipped:
            self._skipped.append(step)
            return
        if step.failure is not None and (known := self._known(step.failure)) is not None:
            print(f"{_head(step)}: as in step {known}", flush=True)
            return
        for line in lines(step, everything=not self._failed):
            print(line, flush=True)
        if step.failure is not None:
            self._failed.append((step.number, step.failure))

    def _known(self, failure: Failure) -> int | None:
        """The number of the step that failed just like this."""
        return next((number for number, earlier in self._failed if _is_like(failure, earlier)), None)

    def end(self) -> None:
        """Print what is kept."""
        if len(self._skipped) > 1:
            print(
                f"{self._skipped[0].number:>3} -    to {self._skipped[-1].number} are skipped: {self._skipped[0].note}"
            )
        elif self._skipped:
            print(*lines(self._skipped[0], everything=False), sep="\n")
        self._skipped.clear()


def lines(step: Step, *, everything: bool) -> Iterator[str]:
    """A step in lines for people; `everything`: also what was sent and written."""
    note = f"skipped: {step.note}" if step.verdict.value == "skip" else step.note
    yield _head(step) + (f": {note}" if note else "")
    for warning in step.warnings:
        yield from _folded("warning:", warning)
    if step.failure is not None:
        yield from _failure(step.failure, everything)


def _head(step: Step) -> str:
    mark = {"pass": "ok  ", "fail": "FAIL", "skip": "-   "}[step.verdict.value]
    return f"{step.number:>3} {mark} {step.title}"


def _is_like(failure: Failure, earlier: Failure) -> bool:
    if (failure.fault, failure.change) != (earlier.fault, earlier.change):
        return False
    return failure.says.endswith(_AS_ABOVE) or _VARIES.sub("…", failure.says) == _VARIES.sub("…", earlier.says)


def _failure(failure: Failure, everything: bool) -> Iterator[str]:
    yield from _folded("what happened:", failure.says)
    yield from _folded("what to change:", failure.change)
    log = ("its stderr, the end of it" if failure.fault != "does-not-build" else "the build said", failure.stderr)
    rest = (
        ("it was sent last", failure.sent),
        ("and answered", [failure.came] if failure.came else []),
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
