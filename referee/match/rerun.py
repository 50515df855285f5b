"""Puts the requests of a saved game to a bot, and compares its answers with the recorded ones.

1. The game goes on as it was recorded, whatever the bot answers now. So after a different answer the bot may be asked about
   moments that it would not have reached, and its plans may not fit them.
2. The bot gets all requests of the seat from the beginning, so that it can remember what it needs. A bot with one process for
   the match is always asked for its name, even if the recorded player lived for one turn and was not.
3. In games that give memories back with requests, the bot gets its own and never the recorded player's. For this, a second
   match is played beside the saved game: it goes as recorded, but with the memories of this bot. The setup may have a memory
   from another bot: the caller says whether this bot gets it.
4. Two answers are the same if they mean the same action, whatever their spelling and their memory. Two faults are the same
   if their kind is. Names are not compared.
5. There are no other players between two requests, so a bot that ponders has less time for it than in a match.
6. As in a match, a fault ends a bot with one process for the match. A bot with a process for each turn goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import trio

from referee.contract.clock import Clock
from referee.contract.game import Answer, Fault, Game, Request, Step
from referee.errors import RefereeError
from referee.players.base import Player
from referee.players.fairness import HostStalled, in_words
from referee.saved.replay import Replay
from referee.text.words import unnumbered


class AnswerPair(NamedTuple):
    """One request of a saved game and its two answers.

    Attributes:
        step: the saved step.
        request: the request; its observation is valid only during the call of `tell`.
        recorded: the answer in the file. now: the bot's answer.
        differs: whether the two answers mean different actions (point 4).
    """

    step: Step
    request: Request[Any]
    recorded: Answer[Any]
    now: Answer[Any]
    differs: bool


class Stalled(RefereeError):
    """This machine took too much of the bot's time to judge it."""


class _Followed:
    """The saved game played again, with the memories of another bot in one seat (point 3)."""

    def __init__(self, replay: Replay, seat: int, *, remembers: bool) -> None:
        header, game = replay.record.header, replay.game
        self._replay, self._game, self._seat = replay, game, seat
        setup = header.setup if remembers else game.forgotten(header.setup, seat)
        self._state = game.start(setup, header.rng_seed, replay.entrants)

    def request(self) -> Request[Any]:
        """The request to the seat; there must be one."""
        return next(request for request in self._state.requests() if request.seat == self._seat)

    def go_on(self, step: Step, now: Answer[Any] | None) -> None:
        """Play a step as it was recorded, but with the memory of the answer `now`; None if the seat was not asked."""
        actions = [self._action(step, answer, now) for answer in step.answers]
        self._state.follow(step.events)
        self._state.advance(actions)

    def _action(self, step: Step, recorded: Answer[Any], now: Answer[Any] | None) -> Any:
        action = _recall(self._game, step, recorded).action
        if now is None or recorded.seat != self._seat or self._game.remembering is None:
            return action
        if isinstance(action, Fault) and self._replay.entrants[self._seat].lifetime == "game":
            return action  # the seat is disqualified and will not be asked again
        return self._game.remembering(action, None if isinstance(now.action, Fault) else now.action)


async def ask_again(
    replay: Replay,
    seat: int,
    player: Player,
    clock: Clock,
    tell: Callable[[AnswerPair], None],
    *,
    last: int | None = None,
    remembers: bool = False,
) -> None:
    """Put the requests of a seat to a player, in order, up to step `last` or to a fault that ends the player.

    Args:
        replay: the saved game; nothing else may use it meanwhile.
        seat: the seat, from 0.
        player: the player to ask. The caller ends it.
        clock: the player's clock, which is charged.
        tell: a function that gets each answer immediately.
        last: the last step; None for all.
        remembers: whether the player gets the memory that the setup has for the seat.

    Raises:
        SavedGameError: a step up to the last does not follow from the rules. Nothing has been asked then.
        Stalled: this machine was too busy to judge a late answer.
    """
    steps = replay.steps if last is None else replay.steps[:last]
    replay.state_at(len(steps))  # checks that every answer fits a request that was due
    followed = _Followed(replay, seat, remembers=remembers)
    first = True
    for step in steps:
        answer = next((answer for answer in step.answers if answer.seat == seat), None)
        if answer is None:
            followed.go_on(step, None)
            continue
        request = followed.request()
        recorded = _recall(replay.game, step, answer)
        questions = [request]
        if first and player.lifetime == "game" and request.ask != "getName":
            questions = [request._replace(ask="getName"), request]
        for question in questions:
            now = await _answer_to(player, question, clock, step)
            if isinstance(now.action, Fault):
                break
        first = False
        tell(AnswerPair(step, request, recorded, now, _differ(replay.game, step, recorded, now)))
        if isinstance(now.action, Fault) and player.lifetime == "game":
            return
        followed.go_on(step, now)
        await trio.lowlevel.checkpoint()  # a player that answers immediately never yields


async def _answer_to(player: Player, request: Request[Any], clock: Clock, step: Step) -> Answer[Any]:
    """The answer, with its clock charged."""
    try:
        answer = (await player.ask(request, clock))._replace(seat=request.seat)
    except HostStalled as stalled:
        raise Stalled(
            f"step {step.number}: {in_words(stalled.stall, 'the bot')}; ask again with less running beside it"
        ) from None
    clock.charge(answer.elapsed, answer.cpu)
    return answer


def seats_of(replay: Replay, bot: str) -> list[int]:
    """The seats of the players with this name in the file."""
    return [player.seat for player in replay.record.header.players if player.bot == bot]


def is_same_bot(bot: str, recorded: str) -> bool:
    """Whether a player's name in a saved game is that of this bot, perhaps with a number such as `#2`."""
    return recorded == bot or unnumbered(recorded) == bot


def text_of(game: Game[Any, Any], answer: Answer[Any]) -> str:
    """An answer as saved games have it, or the kind of a fault. Untrusted: any length, any number of lines."""
    if isinstance(answer.action, Fault):
        return answer.action.kind.value
    return game.format(answer.action)


def _recall(game: Game[Any, Any], step: Step, answer: Answer[Any]) -> Answer[Any]:
    if isinstance(answer.action, Fault):
        return answer
    return answer._replace(action=game.recall(step.ask, answer.action, step.events))


def _differ(game: Game[Any, Any], step: Step, recorded: Answer[Any], now: Answer[Any]) -> bool:
    if isinstance(recorded.action, Fault) or isinstance(now.action, Fault):
        kinds = [answer.action.kind if isinstance(answer.action, Fault) else None for answer in (recorded, now)]
        return kinds[0] != kinds[1]
    if game.remembering is None:
        return step.round > 0 and game.format(recorded.action) != game.format(now.action)
    acts = [game.format(game.remembering(answer.action, None)) for answer in (recorded, now)]
    return step.round > 0 and acts[0] != acts[1]
