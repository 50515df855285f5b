"""A saved game put to a bot again: it is asked what a seat was asked, and its answers stand beside the recorded ones.

1. The recorded game goes on as it went: what the bot answers now changes nothing. So behind an answer that differs the bot
   is asked about moments that it might not have come to by itself, and plans that it remembers may not fit them.
2. It is asked everything from the beginning, its name too, so that its memory is as it would be. A bot that stays is asked
   for its name also where the seat was never asked for one, because the bot that played it lived for a turn.
3. Answers are the same when they mean the same action, however they were written; of two faults the kind counts. Names are
   asked and not compared: another bot has another name, and that is no move.
4. Nobody else is waited for between two requests: a bot that ponders has less time for it than in a match.
5. A fault ends a bot that stays, as in a match, and the rest is not asked. Who is another process for each request goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import trio

from referee.clock import Clock, seconds
from referee.errors import RefereeError, UsageError
from referee.game import Answer, Fault, Game, Request, Step
from referee.players.base import Player
from referee.players.fairness import HostStalled
from referee.replay import Replay

_NAMED: Final = 8
"""Steps that a message names at the most."""


class Asked(NamedTuple):
    """One request of a saved game and its two answers.

    Attributes:
        step: the saved step.
        request: as it was put; its observation holds only while it is told.
        recorded: the answer in the file, its action recalled. now: the bot's.
        differs: see the theory, point 3.
    """

    step: Step
    request: Request[Any]
    recorded: Answer[Any]
    now: Answer[Any]
    differs: bool


class Stalled(RefereeError):
    """An answer came too late, and this machine is to blame for it: nothing can be said of the bot."""


async def ask_again(
    replay: Replay, seat: int, player: Player, clock: Clock, tell: Callable[[Asked], None], *, last: int | None = None
) -> None:
    """Put all that a seat was asked to a player, in order; ends behind step `last`, or where a fault has ended the player.

    Args:
        replay: the saved game; nobody else may walk through it meanwhile.
        seat: whose requests, from 0.
        player: who is asked now; whoever started it ends it.
        clock: its time, charged as it goes.
        tell: gets each answer as it comes.
        last: the last step, None for all there are.

    Raises:
        SavedGameError: a step up to the last does not follow from the rules; found before anything is asked.
        Stalled: this machine was too busy to judge an answer that came late.
    """
    steps = replay.steps if last is None else replay.steps[:last]
    replay.state_at(len(steps))  # from here on every answer is known to be one to a request that was due
    first = True
    for step in steps:
        told = next((answer for answer in step.answers if answer.seat == seat), None)
        if told is None:
            continue
        due = replay.state_at(step.number - 1).requests()
        request = next(request for request in due if request.seat == seat)
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
        await trio.lowlevel.checkpoint()  # a player that answers at once never lets anything else have a turn


async def _asked(player: Player, request: Request[Any], clock: Clock, step: Step) -> Answer[Any]:
    """What it answers, with its clock charged."""
    try:
        answer = (await player.ask(request, clock))._replace(seat=request.seat)
    except HostStalled as stalled:
        who = "the referee was kept from running" if stalled.stall.which == "referee" else "its program was not run"
        raise Stalled(
            f"step {step.number}: no answer within {seconds(stalled.stall.limit)}, but this machine is to blame: for "
            f"{stalled.stall.seconds:.2g} s {who}; ask again with less beside it"
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
    return step.round > 0 and game.format(recorded.action) != game.format(now.action)
