"""The referee's loop: the game asks, players answer, observers are told.

1. One step is: the state's requests, an answer to each (first from all who have one at once, then from the others, side by
   side), the clocks charged, `advance`, and the same `Step` for everybody who follows the match.
2. The loop does not go through the event loop as long as players answer at once, so it lets everything else have a turn
   every `BREATH`: logs that are drained, a view that draws, Ctrl-C.
3. However a match ends (its own end, a cancel, an error), all these get an end and players are ended by whoever started them.
   Only when the rules themselves break off in the middle of `advance` there is no position to tell an end with.
4. `recorders` keep account of a match. They are told of a step when the next request is put, while that player wakes up and
   thinks; before anybody is waited for, decides here, or makes the next step. Where somebody looks on, there is no such
   hurry: they are told at once, and first, so that nobody sees what is not recorded.
5. A machine that takes too much of the players' time, or has nothing left for them, breaks the match off before that step.
   The reason is `void`, and the caller gets the `Void`, to tell it or to play again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, Protocol

import trio

from referee.clock import Clock, TimeControl
from referee.game import Answer, Position, Request, State, Step
from referee.players.base import Player
from referee.players.fairness import Void
from referee.players.stream import made
from referee.ranking import Outcome
from referee.record import VOID

BREATH: Final = 0.002
"""Seconds between two turns for everything else, at most, as long as all goes fast."""


class Observer(Protocol):
    """Follows a match: what saves it, a view, a tally."""

    def step(self, step: Step) -> None: ...

    def end(self, outcome: Outcome, final: Position) -> None: ...


Pace = Callable[[Step], Awaitable[None]]
"""Awaited after every step by a match that is watched."""


async def play(
    state: State[Any, Any],
    players: Sequence[Player],
    clocks: Sequence[Clock],
    *,
    recorders: Sequence[Observer] = (),
    observers: Sequence[Observer] = (),
    pace: Pace | None = None,
) -> Outcome:
    """Play a match to its end.

    Args:
        state: the match, where it begins.
        players: one a seat.
        clocks: one a seat, charged as the match goes.
        recorders: told of each step, as soon as that costs nobody time (theory, point 4).
        observers: told of each step at once. All are told of the end, even when the match is cancelled or fails.
        pace: awaited after each step.

    Raises:
        Void: this machine is no place to judge on; all have been told the reason `void`.
    """
    number = 0
    between_steps = True
    breath = perf_counter() + BREATH
    watched = bool(observers) or pace is not None
    everyone = [*recorders, *observers]
    recording = [recorder.step for recorder in recorders]
    unrecorded: Step | None = None

    def record() -> None:
        nonlocal unrecorded
        step, unrecorded = unrecorded, None
        if step is not None:
            for tell in recording:
                tell(step)

    try:
        while due := state.requests():
            round_ = state.round
            request = due[0]
            seat, ask, _ = request
            if len(due) == 1:
                player, clock = players[seat], clocks[seat]
                answer = player.at_once(request, clock, record)
                if unrecorded is not None:  # usually there was time for it
                    record()
                if answer is None:
                    answer = await player.ask(request, clock)
                _, action, _, elapsed, cpu, _ = answer
                clock.charge(elapsed, cpu)
                answers, actions = [answer], [action]
            else:
                answers, actions = await _ask_all(players, clocks, due, record)
            between_steps = False
            events = state.advance(actions)
            between_steps = True
            number += 1
            unrecorded = step = made(Step, (number, round_, ask, answers, events))
            if watched:
                record()
                for observer in observers:
                    observer.step(step)
                if pace is not None:
                    await pace(step)
            if perf_counter() > breath:
                record()
                await trio.lowlevel.checkpoint()
                breath = perf_counter() + BREATH
        record()
        outcome = state.current_result()
    except BaseException as ended:
        # What ended the match is what callers want to know; that telling it failed too is said beside it. In the middle
        # of `advance` there is no position to tell: the record stays without a result.
        if between_steps:
            try:
                record()
            except Exception as failed:
                _note(ended, failed)
            outcome = state.current_result()
            if isinstance(ended, Void):
                outcome = replace(outcome, reason=VOID)
            for failure in _tell_end(everyone, outcome, state.position()):
                _note(ended, failure)
        raise
    for failure in _tell_end(everyone, outcome, state.position()):
        raise failure
    return outcome


def clocks_for(time: TimeControl, seats: int) -> list[Clock]:
    """A fresh clock for every seat."""
    return [Clock(time) for _ in range(seats)]


def _note(ended: BaseException, failed: Exception) -> None:
    """Say beside what ended a match what else went wrong."""
    ended.add_note(f"and then: {failed!r}")


def _tell_end(everyone: Sequence[Observer], outcome: Outcome, final: Position) -> list[Exception]:
    """Tell each of them, whatever happens to the others; returns what went wrong."""
    failures: list[Exception] = []
    for one in everyone:
        try:
            one.end(outcome, final)
        except Exception as failed:
            failures.append(failed)
    return failures


async def _ask_all(
    players: Sequence[Player], clocks: Sequence[Clock], due: Sequence[Request[Any]], meanwhile: Callable[[], None]
) -> tuple[list[Answer[Any]], list[Any]]:
    """An answer to each, and its action: first from all who have it at once, then from the others, side by side."""
    answers = [players[request.seat].at_once(request, clocks[request.seat], meanwhile) for request in due]
    meanwhile()
    if None in answers:
        await _wait_for(answers, players, clocks, due)
    whole = [answer for answer in answers if answer is not None]
    actions = []
    for seat, action, _, elapsed, cpu, _ in whole:
        clocks[seat].charge(elapsed, cpu)
        actions.append(action)
    return whole, actions


async def _wait_for(
    answers: list[Answer[Any] | None],
    players: Sequence[Player],
    clocks: Sequence[Clock],
    due: Sequence[Request[Any]],
) -> None:
    """Fill in the answers that are not there yet."""

    async def one(place: int) -> None:
        request = due[place]
        answers[place] = await players[request.seat].ask(request, clocks[request.seat])

    try:
        async with trio.open_nursery() as nursery:
            for place, answer in enumerate(answers):
                if answer is None:
                    nursery.start_soon(one, place)
    except BaseExceptionGroup as group:
        # Several at the same moment are one spoiled match; anything beside them is what callers want to know.
        if (stalled := _only_void(group)) is None:
            raise
    else:
        stalled = None
    if stalled is not None:
        raise stalled  # out here it does not get the group that held it for its context


def _only_void(group: BaseExceptionGroup[BaseException]) -> Void | None:
    """The first of a group that holds nothing else."""
    stalled, others = group.split(Void)
    first: BaseException | None = None if others is not None else stalled
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first if isinstance(first, Void) else None
