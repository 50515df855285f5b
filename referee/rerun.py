"""A saved game put to a bot again: it is asked what a seat was asked, and its answers stand beside the recorded ones.

1. The recorded game goes on as it went: what the bot answers now changes nothing. So behind an answer that differs the bot
   is asked about moments that it might not have come to by itself, and plans that it remembers may not fit them.
2. It is asked everything from the beginning, its name too, so that its memory is as it would be. A bot that stays is asked
   for its name also where the seat was never asked for one, because the bot that played it lived for a turn.
3. Where a game gives a memory back with a request, the bot gets its own and never the recorded player's: beside the saved
   game a match is followed in which everything goes as recorded and only what the bot answers to be remembered is its own.
   Somebody else may have written a memory in the setup: the caller says whether the bot gets it.
4. Answers are the same when they mean the same action, however they were written and whatever is to be remembered; of two
   faults the kind counts. Names are asked and not compared: another bot has another name, and that is no move.
5. There are no other players between two requests: a bot that ponders has less time for it than in a match.
6. A fault ends a bot that stays, as in a match, and the rest is not asked. A bot that is a new process for each request goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import trio

from referee.clock import Clock
from referee.errors import RefereeError, UsageError
from referee.game import Answer, Fault, Game, Request, Step
from referee.players.base import Player
from referee.players.fairness import HostStalled, told
from referee.replay import Replay

_NAMED: Final = 8
"""Steps that a message names at the most."""


class Asked(NamedTuple):
    """One request of a saved game and its two answers.

    Attributes:
        step: the saved step.
        request: as it was put; its observation holds only while it is told.
        recorded: the answer in the file, its action recalled. now: the bot's.
        differs: see the theory, point 4.
    """

    step: Step
    request: Request[Any]
    recorded: Answer[Any]
    now: Answer[Any]
    differs: bool


class Stalled(RefereeError):
    """This machine took too much of the bot's time: nothing can be said of the bot."""


class _Followed:
    """The saved game played again for one seat, with a memory of its own (theory, point 3)."""

    def __init__(self, replay: Replay, seat: int, *, remembers: bool) -> None:
        header, game = replay.record.header, replay.game
        self._replay, self._game, self._seat = replay, game, seat
        setup = header.setup if remembers else game.forgotten(header.setup, seat)
        self._state = game.start(setup, header.rng_seed, replay.entrants)

    def request(self) -> Request[Any]:
        """What the seat is asked now; it is one of those that are."""
        return next(request for request in self._state.requests() if request.seat == self._seat)

    def go_on(self, step: Step, now: Answer[Any] | None) -> None:
        """Play a step as it was recorded, the seat remembering what it answers `now`; None where it was not asked."""
        actions = [self._action(step, answer, now) for answer in step.answers]
        self._state.follow(step.events)
        self._state.advance(actions)

    def _action(self, step: Step, told: Answer[Any], now: Answer[Any] | None) -> Any:
        action = _recalled(self._game, step, told).action
        if now is None or told.seat != self._seat or self._game.remembering is None:
            return action
        if isinstance(action, Fault) and self._replay.entrants[self._seat].lifetime == "game":
            return action  # it cost the seat, which will not be asked any more
        return self._game.remembering(action, None if isinstance(now.action, Fault) else now.action)


async def ask_again(
    replay: Replay,
    seat: int,
    player: Player,
    clock: Clock,
    tell: Callable[[Asked], None],
    *,
    last: int | None = None,
    remembers: bool = False,
) -> None:
    """Put all that a seat was asked to a player, in order; ends behind step `last`, or where a fault has ended the player.

    Args:
        replay: the saved game; it must not be used for anything else meanwhile.
        seat: whose requests, from 0.
        player: the player to ask. The caller ends it.
        clock: its time, charged as it goes.
        tell: gets each answer as it comes.
        last: the last step, None for all there are.
        remembers: whether what the seat remembers in the setup is the player's own; else it begins without.

    Raises:
        SavedGameError: a step up to the last does not follow from the rules; found before anything is asked.
        Stalled: this machine was too busy to judge an answer that came late.
    """
    steps = replay.steps if last is None else replay.steps[:last]
    replay.state_at(len(steps))  # from here on every answer is known to be one to a request that was due
    followed = _Followed(replay, seat, remembers=remembers)
    first = True
    for step in steps:
        told = next((answer for answer in step.answers if answer.seat == seat), None)
        if told is None:
            followed.go_on(step, None)
            continue
        request = followed.request()
        recorded = _recalled(replay.game, step, told)
        now: Answer[Any] | None = None
        if first and player.lifetime == "game" and request.ask != "getName":
            named = await _asked(player, request._replace(ask="getName"), clock, step)
            if isinstance(named.action, Fault):
                now = named
        first = False
        if now is None:
            now = await _asked(player, request, clock, step)
        tell(Asked(step, request, recorded, now, _differ(replay.game, step, recorded, now)))
        if isinstance(now.action, Fault) and player.lifetime == "game":
            return
        followed.go_on(step, now)
        await trio.lowlevel.checkpoint()  # a player that answers at once never lets anything else have a turn


async def _asked(player: Player, request: Request[Any], clock: Clock, step: Step) -> Answer[Any]:
    """What it answers, with its clock charged."""
    try:
        answer = (await player.ask(request, clock))._replace(seat=request.seat)
    except HostStalled as stalled:
        raise Stalled(
            f"step {step.number}: {told(stalled.stall, 'the bot')}; ask again with less running beside it"
        ) from None
    clock.charge(answer.elapsed, answer.cpu)
    return answer


def steps_of(replay: Replay, seat: int) -> list[int]:
    """The numbers of the steps in which this seat was asked.

    Raises:
        UsageError: there is no such seat, or it was never asked.
    """
    seats = len(replay.record.header.players)
    if not 0 <= seat < seats:
        raise UsageError(f"there is no seat {seat + 1}: {replay.record.path} has seats 1 to {seats}")
    asked = [step.number for step in replay.steps if any(answer.seat == seat for answer in step.answers)]
    if not asked:
        raise UsageError(f"seat {seat + 1} was never asked in {replay.record.path}")
    return asked


def asks_at(replay: Replay, number: int) -> list[int]:
    """The seats that were asked in this step.

    Raises:
        UsageError: there is no such step.
    """
    if not 1 <= number <= len(replay.steps):
        raise UsageError(f"there is no step {number}: {replay.record.path} has steps 1 to {len(replay.steps)}")
    return [answer.seat for answer in replay.steps[number - 1].answers]


def played_by(replay: Replay, bot: str) -> list[int]:
    """The seats that bots of this name played, as the file tells it."""
    return [player.seat for player in replay.record.header.players if player.bot == bot]


def is_of(bot: str, recorded: str) -> bool:
    """Whether a saved game's name for a player is that of this bot, perhaps with a number behind it."""
    return recorded == bot or re.sub(r"#\d+$", "", recorded) == bot


def strange_memory(replay: Replay, seat: int) -> bool:
    """Whether the seat began with a memory that stood in the setup: somebody wrote it before this match."""
    setup = replay.record.header.setup
    return replay.game.forgotten(setup, seat) != setup


def near(asked: list[int], number: int) -> str:
    """Words for the steps that a seat was asked in, next to this one."""
    before = [step for step in asked if step < number][-_NAMED // 2 :]
    after = [step for step in asked if step > number][: _NAMED // 2]
    return ", ".join(map(str, [*before, *after]))


def text_of(game: Game[Any, Any], answer: Answer[Any]) -> str:
    """What was answered, as a saved game writes it, of a fault its kind: a stranger's text, of any length and lines."""
    if isinstance(answer.action, Fault):
        return answer.action.kind.value
    return game.format(answer.action)


def _recalled(game: Game[Any, Any], step: Step, told: Answer[Any]) -> Answer[Any]:
    if isinstance(told.action, Fault):
        return told
    return told._replace(action=game.recall(step.ask, told.action, step.events))


def _differ(game: Game[Any, Any], step: Step, recorded: Answer[Any], now: Answer[Any]) -> bool:
    if isinstance(recorded.action, Fault) or isinstance(now.action, Fault):
        kinds = [answer.action.kind if isinstance(answer.action, Fault) else None for answer in (recorded, now)]
        return kinds[0] != kinds[1]
    if game.remembering is None:
        return step.round > 0 and game.format(recorded.action) != game.format(now.action)
    acts = [game.format(game.remembering(answer.action, None)) for answer in (recorded, now)]
    return step.round > 0 and acts[0] != acts[1]
