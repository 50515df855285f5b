"""What `referee check` prints: the steps of a bot; for several bots a line each, and then what failed."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from textwrap import TextWrapper
from time import monotonic
from typing import Any, Final, NamedTuple

from referee import bots
from referee.bots import Bot
from referee.cli import narrator
from referee.compliance import check as compliance
from referee.compliance import figures
from referee.compliance.check import BUILDS, CheckConfig, CheckResult
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.report import CheckStep, StepVerdict
from referee.contract.game import Game
from referee.errors import BotError, UsageError
from referee.files.reading import at_home
from referee.moments.formatting import duration
from referee.terminal.console import is_tty
from referee.text.words import counted, harmless, numbered, shorten
from referee.tournament.hits import Hit, hits, holds_bots
from referee.tournament.settings import FILE

SAYS: Final = 150
"""Characters of an error in the line of a bot."""
_INDENT: Final = " " * 9
_WRAPPER: Final = TextWrapper(
    110, initial_indent=_INDENT, subsequent_indent=f"{_INDENT}  ", break_long_words=False, break_on_hyphens=False
)


class NamedBot(NamedTuple):
    """A bot to check: its name, which no other has, and the bot, or why it cannot play."""

    name: str
    bot: Bot | BotError


def find_named(words: Sequence[str], game: Game[Any, Any]) -> tuple[list[NamedBot], list[str]]:
    """The bots that words name, with distinct names, and a line about each thing that is not checked.

    A folder that holds bots stands for all its bots of this game, and for what was meant as a bot and is none. Its bots of other
    games are not checked, nor are other things in it, which are not mentioned if they are a tournament's.

    Raises:
        UsageError: there are no bots.
    """
    found, skipped = list[tuple[str, NamedBot]](), list[str]()
    for word in words:
        folder = at_home(word)
        several = holds_bots(folder)
        for hit in hits(folder, "*") if several else [Hit(Path(word))]:
            named, why = str(hit.path) if several else word, None if hit.meant else hit.why
            try:
                if hit.meant and hit.why is not None:
                    raise BotError(hit.why)
                if why is None:
                    bot = bots.find(named, game.name)
                    if several and bot.games and game.name not in bot.games:
                        why = f"it plays {shorten(', '.join(bot.games), 80)}, not {game.name}"
                    else:
                        found.append((named, NamedBot(bot.name, bots.enter(bot, game))))
            except BotError as wrong:
                found.append((named, NamedBot(shorten(Path(os.path.abspath(named)).stem, 60), wrong)))
            if why is not None and not (folder / FILE).exists():
                skipped.append(harmless(f"{hit.path.name} is not checked: {why}"))
    if not found:
        raise UsageError(f"no bot there plays {game.name}: name the game with --game")
    return _distinct(found), skipped


def _distinct(found: Sequence[tuple[str, NamedBot]]) -> list[NamedBot]:
    """The bots under distinct names: those of one name also have the words that name them: `main (ada/main.py)`."""
    times = Counter(named.name for _, named in found)
    by_name: dict[str, NamedBot] = {}
    for word, (name, bot) in found:
        full = numbered(f"{name} ({shorten(word)})" if times[name] > 1 else name, by_name)
        by_name[full] = NamedBot(full, bot if isinstance(bot, BotError) else replace(bot, name=full))
    return list(by_name.values())


tell: Final[Callable[[str], None]] = partial(print, flush=True)
"""Prints a line at once."""


class Progress:
    """The line on stderr that says which bots are being checked, and how; only on a terminal."""

    def __init__(self, names: Sequence[str], *, quiet: bool) -> None:
        self._names, self._quiet = names, quiet
        self._began, self._done = monotonic(), 0
        self._doing: dict[int, tuple[str, float]] = {}

    def shown(self) -> AbstractAsyncContextManager[None]:
        """Shows the line and at last removes it. Errors arrive as an ExceptionGroup."""
        return nullcontext() if self._quiet else narrator.progress(lambda: self.line(monotonic() - self._began))

    def begins(self, number: int, what: str) -> None:
        """Something that may be slow begins; `number` is the index of its bot, or -1 for what all need."""
        self._doing.pop(-1, None)
        named = len(self._names) > 1 and number >= 0
        self._doing[number] = f"{self._names[number]}: {what}" if named else what, monotonic() - self._began

    def clear(self) -> None:
        """Remove the line for now, because others follow."""
        if not self._quiet and is_tty(sys.stderr):
            narrator.status("")

    def ended(self, number: int, line: str, tell: Callable[[str], None]) -> None:
        """A check ended. Its line replaces the progress."""
        self._done += 1
        self._doing.pop(number, None)
        self.clear()
        tell(line)

    def line(self, seconds: float) -> str:
        """What is shown after so many seconds."""
        left = len(self._names) - self._done
        about = f", about {duration(seconds / self._done * left)} left" if self._done and left else ""
        checked = [f"{self._done} of {len(self._names)} checked{about}"] if len(self._names) > 1 else []
        doing = (f"{what} ({duration(seconds - began)})" for what, began in self._doing.values())
        return " · ".join([*checked, *doing])


async def check_one(bot: Bot, config: CheckConfig, *, tell: Callable[[CheckStep], None], quiet: bool) -> CheckResult:
    """Check a bot; see `compliance.check.check`."""
    progress = Progress([bot.name], quiet=quiet)

    def ended(step: CheckStep) -> None:
        progress.clear()
        tell(step)

    async with progress.shown():
        return await compliance.check(bot, config, tell=ended, progress=partial(progress.begins, 0))


async def check_each(
    bots: Sequence[NamedBot], config: CheckConfig, *, tell: Callable[[str], None], quiet: bool
) -> list[CheckResult]:
    """Check bots, as many at a time as the processors allow; see `compliance.check.check_each`.

    Args:
        tell: a function that gets a line about each bot as its check ends.
    """
    progress = Progress([bot.name for bot in bots], quiet=quiet)
    async with progress.shown():
        return await compliance.check_each(
            [bot.bot for bot in bots],
            config,
            at_once=compliance.at_once(config.game, len(os.sched_getaffinity(0))),
            ended=lambda number, result: progress.ended(number, line(bots[number].name, result), tell),
            progress=progress.begins,
        )


def line(name: str, result: CheckResult) -> str:
    """A bot and its result in a few words."""
    failed = [(step, step.failure) for step in result.steps if step.failure is not None]
    if not failed:
        return f"{name}: {summary(result)}"
    step, failure = failed[0]
    if result.plays:
        return f"{name}: failed {len(failed)} of {len(result.steps)}: step {step.number}, {step.title}"
    what = f"cannot be {'built' if step.title == BUILDS else 'started'}"
    reason = failure.says.splitlines()[0].removeprefix(f"bot {name} {what}: ")
    return f"{name}: {what}: {reason if len(reason) <= SAYS else f'{reason[:SAYS]} …'}"


def show_failures(bots: Sequence[NamedBot], results: Sequence[CheckResult]) -> None:
    """Print what failed, a bot at a time."""
    for bot, result in zip(bots, results, strict=True):
        if not result.passed:
            print(f"\n{bot.name}: {summary(result)}")
            printer = Printer()
            for step in result.steps:
                if step.failure is not None:
                    printer.step(step)


def exit_code(results: Sequence[CheckResult]) -> int:
    """4 if a bot cannot be built or started, otherwise 1 if one failed."""
    if not all(result.plays for result in results):
        return BotError.exit_code
    return 0 if all(result.passed for result in results) else 1


def document(name: str, config: CheckConfig, result: CheckResult) -> dict[str, Any]:
    """What `--json` prints."""
    measured = figures.as_json(result.measured, config.time, config.memory)
    return {
        "bot": name, "game": config.game.name, "seed": config.rng_seed, "isolation": config.level.value,
        "passed": result.passed, "steps": [asdict(step) for step in result.steps], "figures": measured,
    }  # fmt: skip


def documents(bots: Sequence[NamedBot], config: CheckConfig, results: Sequence[CheckResult]) -> list[dict[str, Any]]:
    """What `--json` prints about several bots."""
    return [document(bot.name, config, result) for bot, result in zip(bots, results, strict=True)]


def summary(result: CheckResult) -> str:
    """The last line."""
    verdicts = [step.verdict for step in result.steps]
    failed, skipped = verdicts.count(StepVerdict.FAIL), verdicts.count(StepVerdict.SKIP)
    if failed:
        rest = f"; {skipped} skipped after that" if skipped else ""
        return f"failed {counted(failed, 'step')} of {len(verdicts)}{rest}"
    warned = sum(len(step.warnings) for step in result.steps)
    return f"passed all {counted(len(verdicts), 'step')}" + (f", with {counted(warned, 'warning')}" if warned else "")


class Printer:
    """Prints the steps that were not skipped. A failure like an earlier one only names that step."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, ...], int] = {}

    def step(self, step: CheckStep) -> None:
        """Print a step."""
        if step.verdict is StepVerdict.SKIP:
            return
        failure = step.failure
        head = f"{step.number:>3} {'ok  ' if failure is None else 'FAIL'} {step.title}"
        if failure is not None:
            last_words = failure.stderr[-1:] if failure.fault == "crash" else ()
            first = self._failed.setdefault((failure.fault, failure.change, *last_words), step.number)
            if first != step.number:
                tell(f"{head}: as in step {first}")
                return
        tell(head + (f": {step.note}" if step.note else ""))
        for warning in step.warnings:
            tell(_WRAPPER.fill(f"warning: {warning}"))
        if failure is not None:
            for line in _failure(failure):
                tell(line)


def _failure(failure: Diagnosis) -> Iterator[str]:
    """A failure in lines, with what was sent and written."""
    yield _WRAPPER.fill(f"what happened: {failure.says}")
    if failure.change:
        yield _WRAPPER.fill(f"what to change: {failure.change}")
    log = "the end of its stderr" if failure.fault != "does-not-build" else "the build said"
    for heading, texts in (
        ("it was sent last", failure.sent), ("it wrote", [failure.came] if failure.came else []), (log, failure.stderr),
    ):  # fmt: skip
        if texts:
            yield f"{_INDENT}{heading}:"
            yield from (f"{_INDENT}  | {text}" for text in texts)
