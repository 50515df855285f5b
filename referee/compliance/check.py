"""A whole check: build the bot, open a sandbox, run all steps. `check_each` checks several bots, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import trio

from referee import bots as bot_room
from referee import building
from referee.bots import Bot
from referee.compliance import diagnosis, fixtures
from referee.compliance.diagnoser import Diagnoser, TurnDiagnoser
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.figures import MatchFigures
from referee.compliance.report import CheckStep, Report, StepResult, StepVerdict
from referee.compliance.steps import Steps
from referee.compliance.trial_runner import TrialRunner, is_one_shot
from referee.contract.clock import TimeControl
from referee.contract.game import Game
from referee.errors import BotError
from referee.match.session import sandbox_for
from referee.players.fairness import HostStalled
from referee.sandbox.limits import Level, Limits
from referee.text.words import harmless

BUILDS: Final = "builds"
RIVAL_COUNT: Final = 6
"""How many sample bots, the strongest first, the rivals are drawn from."""
MOST_CHECKS: Final = 4
"""The most checks at a time: the referee's part of a check is about a quarter of it."""


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """What to check a bot for.

    Attributes:
        maps: the maps of the matches, as documents by name.
        rng_seed: the seed of the matches and of all chance in them.
        matches: how many matches to play. rounds: the rounds of each; None for what its map says.
            With a process for each turn, matches are short.
        time: the time limits.
    """

    game: Game[Any, Any]
    level: Level
    limits: Limits
    maps: Mapping[str, Mapping[str, Any]]
    rng_seed: int
    matches: int
    time: TimeControl
    rounds: int | None = None

    @property
    def memory(self) -> int | None:
        """Bytes that the bot may hold; None for no limit."""
        return None if self.level is Level.NONE else self.limits.memory


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found.

    Attributes:
        plays: whether the bot could be built and started.
        measured: the figures of the matches; None if there was a fault before their ends.
    """

    steps: Sequence[CheckStep]
    plays: bool
    measured: MatchFigures | None = None

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return all(step.verdict is not StepVerdict.FAIL for step in self.steps)


async def check(
    bot: Bot,
    config: CheckConfig,
    *,
    tell: Callable[[CheckStep], None],
    progress: Callable[[str], None] = lambda _: None,
) -> CheckResult:
    """Check a bot.

    Args:
        tell: a function that gets each step as it ends.
        progress: a function that gets a line before something slow.

    Raises:
        IsolationError: this machine cannot isolate the bot. HostStalled: it is too busy for a fair verdict.
    """
    source = bot_room.enter(bot, config.game)
    [built] = await building.build_each([source], level=config.level, say=progress)
    rivals = {} if isinstance(built, BotError) else await _rivals(config, progress)
    return await _check_built(source, built, rivals, config, tell, progress)


async def check_each(
    bots: Sequence[Bot | BotError],
    config: CheckConfig,
    *,
    at_once: int,
    ended: Callable[[int, CheckResult], None],
    progress: Callable[[int, str], None] = lambda _number, _text: None,
) -> list[CheckResult]:
    """Check several bots. All are built first, and the rivals only once. Results come in the order of the bots.

    Args:
        bots: the bots, or the error of a bot that cannot play.
        at_once: how many bots are checked at a time.
        ended: a function that gets the index of each bot and its result as its check ends.
        progress: a function that gets the index of a bot, and a line, before something slow.

    A bot that fails beside others, or that the machine is too busy to judge, is checked once more after all others, alone. Only
    that check counts.

    Raises:
        As `check`.
    """
    sources = [bot if isinstance(bot, BotError) else bot_room.enter(bot, config.game) for bot in bots]
    playing = [bot for bot in sources if isinstance(bot, Bot)]
    builds = iter(await building.build_each(playing, level=config.level, say=lambda text: progress(-1, text)))
    built = [bot if isinstance(bot, BotError) else next(builds) for bot in sources]
    rivals = await _rivals(config, lambda text: progress(-1, text))
    # Their clocks run in one thread, which a player can put to sleep for seconds through a pipe, but not through a socket.
    beside = replace(config, game=replace(config.game, together=True)) if at_once > 1 else config
    results: dict[int, CheckResult] = {}
    waiting, again = iter(range(len(sources))), list[int]()

    async def check_one(number: int, config: CheckConfig) -> CheckResult:
        source, product = sources[number], built[number]
        if isinstance(source, BotError):
            return unbuilt(source)
        return await _check_built(source, product, rivals, config, lambda _step: None, partial(progress, number))

    async def some() -> None:
        for number in waiting:
            with suppress(HostStalled):
                result = await check_one(number, beside)
                if result.passed or not result.plays or at_once == 1:
                    results[number] = result
                    ended(number, result)
                    continue
            again.append(number)

    async with trio.open_nursery() as nursery:
        for _ in range(at_once):
            nursery.start_soon(some)
    for number in sorted(again):
        results[number] = await check_one(number, config)
        ended(number, results[number])
    return [results[number] for number in range(len(sources))]


def at_once(game: Game[Any, Any], cores: int) -> int:
    """How many checks at a time leave each player that is asked a processor of its own.

    Sample bots do not ponder. So in most games one player of a match runs at a time; in the others all do. The referee's own
    work for all checks shares a thread.
    """
    return max(1, min(cores // (fixtures.MOST_SEATS if game.together else 1), MOST_CHECKS))


async def _rivals(config: CheckConfig, progress: Callable[[str], None]) -> Mapping[str, Bot]:
    """The sample bots to play against, ready to start, by name."""
    names = bot_room.samples(config.game.name, own_runtime=True)[:RIVAL_COUNT]
    samples = [bot_room.enter(bot_room.find(name, config.game.name), config.game) for name in names]
    return dict(zip(names, await building.ready(samples, level=config.level, say=progress), strict=True))


async def _check_built(
    source: Bot,
    built: building.BuildResult | BotError,
    rivals: Mapping[str, Bot],
    config: CheckConfig,
    tell: Callable[[CheckStep], None],
    progress: Callable[[str], None],
) -> CheckResult:
    """Check a bot after its build."""
    if isinstance(built, BotError):
        return unbuilt(built, tell)
    game, bot = config.game, built.bot
    warnings = [f"the compiler says: {warning}"] if (warning := built.warning) else []
    report = Report(tell)
    report.add(BUILDS, StepResult(_how(built), warnings))
    players = [bot, *rivals.values()]
    short = fixtures.SHORT_ROUNDS if any(map(is_one_shot, players)) else None
    rounds = min((some for some in (short, config.rounds) if some is not None), default=None)
    planned = fixtures.fixtures(
        game, config.maps, list(rivals), rng_seed=config.rng_seed, matches=config.matches, rounds=rounds
    )
    async with sandbox_for(players, config.level, config.limits, game.name) as sandbox:
        try:
            trials = TrialRunner(game, bot, sandbox, config.time)
            kind = Diagnoser if trials.stays else TurnDiagnoser
            diagnoser = kind(trials, config.memory, source)
            steps = Steps(diagnoser, planned, rivals, config.rng_seed, report, progress)
            await steps.run()
        except BotError as failed:
            report.add("starts", StepResult(failure=Diagnosis("does-not-start", harmless(str(failed)), "")))
            return CheckResult(report.steps, plays=False)
    return CheckResult(report.steps, True, steps.measured)


def unbuilt(failed: BotError, tell: Callable[[CheckStep], None] = lambda _: None) -> CheckResult:
    """The result for a bot that cannot be built, or does not play this game."""
    says, change, output = str(failed), "", tuple[str, ...]()
    if isinstance(failed, building.BuildFailed):
        says, change, output = failed.says, diagnosis.UNBUILT if failed.excerpt else "", failed.excerpt
        if (first := failed.first) is not None:
            change = f"Correct {first.file}, line {first.line}: later errors often follow from the first."
        if failed.advice is not None:
            change = f"{failed.advice[:1].upper()}{failed.advice[1:]}."
    failure = Diagnosis("does-not-build", harmless(says), harmless(change), stderr=tuple(map(harmless, output)))
    report = Report(tell)
    report.add(BUILDS, StepResult(failure=failure))
    return CheckResult(report.steps, plays=False)


def _how(result: building.BuildResult) -> str:
    """The note of the first step."""
    if result.bot.policy is not None:
        return "nothing to build: the referee runs it itself"
    return {"built": f"in {result.seconds:.1f} s", "kept": "already built"}.get(result.how, "nothing to build")
