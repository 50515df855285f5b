"""A whole check: the bot is built, a level of isolation opened, and all steps are gone through.

Where nothing is started at all, since the referee runs the bot and all its rivals itself, nothing has to be isolated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee import bots as bot_room
from referee import building
from referee.bots import Bot
from referee.clock import TimeControl
from referee.compliance import contests, figures, report
from referee.compliance.contests import MATCHES
from referee.compliance.encounter import Arena
from referee.compliance.examination import Examination
from referee.compliance.experiments import Laboratory
from referee.compliance.hints import language_of
from referee.compliance.ready import Ready
from referee.compliance.report import Step, Verdict
from referee.compliance.turns import TurnLaboratory
from referee.errors import BotError
from referee.game import Game
from referee.sandbox.limits import Level, Limits
from referee.session import sandbox_for

RIVALS: Final = 6
"""How many sample bots the rivals are drawn from, the strongest first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a check is to be.

    Attributes:
        maps: for the matches, documents by name.
        rng_seed: decides the matches and all chance in them.
        matches: how many; rounds: of each, None for its map's own.
    """

    game: Game[Any, Any]
    level: Level
    limits: Limits
    maps: Mapping[str, Mapping[str, Any]]
    rng_seed: int
    matches: int = MATCHES
    rounds: int | None = None

    @property
    def time(self) -> TimeControl:
        """The limits of every match."""
        return self.game.time

    @property
    def memory(self) -> int | None:
        """Bytes that a player may hold."""
        return None if self.level is Level.NONE else self.limits.memory


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found; `plays` is whether the bot could be built and started, `times` and `peak` None without matches."""

    steps: Sequence[Step]
    plays: bool
    times: figures.Times | None
    peak: int | None

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return all(step.verdict is not Verdict.FAIL for step in self.steps)


def _quiet(_text: str) -> None:
    """Nobody wants to know."""


async def examine(
    bot: Bot, plan: Plan, *, tell: Callable[[Step], None], progress: Callable[[str], None] = _quiet
) -> Result:
    """Check a bot.

    Args:
        tell: gets each step as it ends.
        progress: gets a line when something that takes time begins.

    Raises:
        IsolationError: the machine cannot isolate it. HostStalled: the machine is too busy for a fair verdict.
    """
    steps: list[Step] = []

    def keep(step: Step) -> None:
        steps.append(step)
        tell(step)

    (given,), game = bot_room.entered([bot], plan.game), plan.game
    try:
        (made,) = await building.each([given], level=plan.level, say=progress)
        if isinstance(made, BotError):
            raise made
    except BotError as failed:
        keep(report.unbuilt(failed, getattr(failed, "excerpt", ())))
        return Result(steps, plays=False, times=None, peak=None)
    keep(report.built(_how(made)))
    names = bot_room.samples(game.name, own_runtime=True)[:RIVALS]
    found = bot_room.entered([bot_room.find(name) for name in names], game)
    rivals = await building.ready(found, level=plan.level, say=progress)
    players = [made.bot, *rivals]
    rounds = contests.SHORT if any(one.policy is None and one.lifetime == "turn" for one in players) else None
    planned = contests.fixtures(
        game,
        plan.maps,
        names,
        rng_seed=plan.rng_seed,
        matches=plan.matches,
        rounds=rounds if plan.rounds is None else plan.rounds,
    )
    async with sandbox_for(players, plan.level, plan.limits) as sandbox:
        try:
            launch = await sandbox.prepare(made.bot) if made.bot.policy is None else None
            arena = Arena(game, made.bot, Ready(sandbox, made.bot, launch), plan.time)
            kind = TurnLaboratory if arena.lives_a_turn else Laboratory
            examination = Examination(
                arena=arena,
                laboratory=kind(arena, language_of(bot), plan.memory, bot),
                fixtures=planned,
                rivals=dict(zip(names, rivals, strict=True)),
                rng_seed=plan.rng_seed,
                tell=keep,
                progress=progress,
                number=len(steps),
            )
            await examination.run()
        except BotError as failed:
            keep(report.unstarted(len(steps) + 1, failed))
            return Result(steps, plays=False, times=None, peak=None)
    return Result(steps, plays=True, times=examination.times, peak=examination.peak)


def _how(made: building.BuildResult) -> str:
    """The note of the first step."""
    if made.bot.policy is not None:
        return "nothing to build: the referee runs it itself"
    return {"built": f"in {made.seconds:.1f} s", "kept": "already built"}.get(made.how, "nothing to build")
