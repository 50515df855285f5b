"""A whole check: the bot is built, a sandbox is opened, and all steps are run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee import bots as bot_room
from referee import building
from referee.bots import Bot
from referee.clock import TimeControl
from referee.compliance import figures, fixtures
from referee.compliance.diagnoser import Diagnoser
from referee.compliance.diagnosis import Failure
from referee.compliance.report import Step, Verdict
from referee.compliance.steps import Steps
from referee.compliance.trial_runner import TrialRunner
from referee.compliance.turn_diagnoser import TurnDiagnoser
from referee.errors import BotError
from referee.game import Game
from referee.names import harmless
from referee.sandbox.limits import Level, Limits
from referee.session import sandbox_for

BUILDS: Final = "builds"
RIVALS: Final = 6
"""How many sample bots, the strongest first, the rivals are drawn from."""


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """What to check a bot for.

    Attributes:
        maps: for the matches, documents by name.
        rng_seed: decides the matches and all chance in them.
        matches: how many. rounds: of each match; None for what its map says.
        time: the time limits; None for the game's own.
    """

    game: Game[Any, Any]
    level: Level
    limits: Limits
    maps: Mapping[str, Mapping[str, Any]]
    rng_seed: int
    matches: int
    rounds: int | None = None
    time: TimeControl | None = None

    @property
    def clock(self) -> TimeControl:
        """The time limits."""
        return self.time or self.game.time

    @property
    def memory(self) -> int | None:
        """Bytes that the bot may hold; None for no limit."""
        return None if self.level is Level.NONE else self.limits.memory


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found.

    Attributes:
        plays: whether the bot could be built and started.
        times, peak: None if the matches were not played to their ends.
        lasted: how long a match took on average, in seconds; `answering`: how much of it was the bot's. None as above.
    """

    steps: Sequence[Step]
    plays: bool
    times: figures.Times | None = None
    peak: int | None = None
    lasted: float | None = None
    answering: float | None = None

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return all(step.verdict is not Verdict.FAIL for step in self.steps)


async def check(
    bot: Bot, config: CheckConfig, *, tell: Callable[[Step], None], progress: Callable[[str], None] = lambda _: None
) -> CheckResult:
    """Check a bot.

    Args:
        tell: gets each step as it ends.
        progress: gets a line before something slow.

    Raises:
        IsolationError: this machine cannot isolate the bot. HostStalled: it is too busy for a fair verdict.
    """
    (source,), game = bot_room.entered([bot], config.game), config.game
    try:
        (made,) = await building.each([source], level=config.level, say=progress)
        if isinstance(made, BotError):
            raise made
    except BotError as failed:
        return unbuilt(failed, "Correct the first error: later ones often follow from it.", tell)
    done = [Step(1, BUILDS, Verdict.PASS, _how(made))]
    tell(done[0])
    names = bot_room.samples(game.name, own_runtime=True)[:RIVALS]
    found = bot_room.entered([bot_room.find(name) for name in names], game)
    rivals = await building.ready(found, level=config.level, say=progress)
    players = [made.bot, *rivals]
    short = fixtures.SHORT if any(one.policy is None and one.lifetime == "turn" for one in players) else None
    planned = fixtures.fixtures(
        game,
        config.maps,
        names,
        rng_seed=config.rng_seed,
        matches=config.matches,
        rounds=short if config.rounds is None else config.rounds,
    )
    async with sandbox_for(players, config.level, config.limits) as sandbox:
        try:
            trials = TrialRunner(game, made.bot, sandbox, config.clock)
            kind = Diagnoser if trials.stays else TurnDiagnoser
            steps = Steps(
                trials=trials,
                diagnoser=kind(trials, config.memory, bot),
                fixtures=planned,
                rivals=dict(zip(names, rivals, strict=True)),
                rng_seed=config.rng_seed,
                done=done,
                tell=tell,
                progress=progress,
            )
            await steps.run()
        except BotError as failed:
            change = "Do what the message says, then check again."
            return _unplayable(done, "starts", Failure("does-not-start", harmless(str(failed)), change), tell)
    return CheckResult(done, True, steps.times, steps.peak, steps.lasted, steps.answering)


def unbuilt(
    failed: BotError, change: str = "Do what the message says.", tell: Callable[[Step], None] = lambda _: None
) -> CheckResult:
    """The result for a bot that cannot be built, or that is none for this game.

    Args:
        change: what its author should do.
    """
    excerpt = tuple(map(harmless, getattr(failed, "excerpt", ())))
    return _unplayable([], BUILDS, Failure("does-not-build", harmless(str(failed)), change, stderr=excerpt), tell)


def _unplayable(done: Sequence[Step], title: str, failure: Failure, tell: Callable[[Step], None]) -> CheckResult:
    """A bot that cannot be built or started."""
    step = Step(len(done) + 1, title, Verdict.FAIL, failure=failure)
    tell(step)
    return CheckResult([*done, step], plays=False)


def _how(made: building.BuildResult) -> str:
    """The note of the first step."""
    if made.bot.policy is not None:
        return "nothing to build: the referee runs it itself"
    return {"built": f"in {made.seconds:.1f} s", "kept": "already built"}.get(made.how, "nothing to build")
