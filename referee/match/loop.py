"""The referee's loop: the game lists requests, players answer, recorders and observers get each step.

1. In one step, the state lists its requests, players answer, the clocks are charged, and `advance` applies the answers.
   Recorders and observers get the same `Step`. A player that has already answered is served immediately; the others are
   awaited concurrently.
2. While all players answer immediately, the loop does not wait. So every `BREATH` it yields to other tasks: they drain logs,
   draw the view and handle Ctrl-C.
3. However a match ends (by its rules, by a cancellation, by an error), recorders get the end. The caller ends the players. If the
   rules fail in the middle of `advance`, there is no position to report, so they do not get it.
4. Recorders get steps between two requests, or while the loop has to wait anyway, so that saving them costs no player time; and
   always before the loop waits. While all players answer immediately, they get many steps together, which takes half as long. If
   there are observers, recorders get each step immediately and first: what is shown is saved.
5. If the machine takes too much of the players' time, or has no resources left, the match ends before that step with the
   reason `void`, and `Void` is raised.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, Protocol, TypeAlias

import trio

from referee.contract.clock import Clock
from referee.contract.game import Answer, Request, State, Step, tuple_of
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import ungrouped
from referee.players.base import Player
from referee.players.fairness import Void
from referee.saved.record import VOID

BREATH: Final = 0.002
"""The most seconds between two yields to other tasks while players answer immediately."""


class StepRecorder(Protocol):
    """Keeps what a match was: a saved game, a tally."""

    def record(self, steps: Sequence[Step]) -> None: ...

    def end(self, outcome: Outcome, final: Position) -> None: ...


Observer: TypeAlias = Callable[[Step], None]
"""Follows a match step by step, as a view does."""
AfterStep: TypeAlias = Callable[[Step], Awaitable[None]]
"""Awaited after every step of a match that is watched."""


async def play(
    state: State[Any, Any],
    players: Sequence[Player],
    clocks: Sequence[Clock],
    *,
    recorders: Sequence[StepRecorder] = (),
    observers: Sequence[Observer] = (),
    pace: AfterStep | None = None,
) -> Outcome:
    """Play a match to its end.

    Args:
        state: the match at its beginning.
        players, clocks: the player and the clock of each seat. The clocks are charged.
        recorders: get the steps as soon as that costs no player time (point 4), and the end, even if the match is cancelled
            or fails.
        observers: get each step immediately.
        pace: a function that is awaited after each step.

    Raises:
        Void: the machine is too busy to judge fairly. Recorders have got the reason `void`.
    """
    number = 0
    breath = perf_counter() + BREATH
    watched = bool(observers) or pace is not None
    with _Recording(recorders, state) as recording:
        catch_up, unrecorded = recording.catch_up, recording.unrecorded
        while due := state.requests():
            round_ = state.round
            request = due[0]
            seat, ask, _ = request
            if len(due) == 1:
                player, clock = players[seat], clocks[seat]
                answer = player.at_once(request, clock, catch_up)
                if answer is None:
                    catch_up()  # unless the player called it
                    answer = await player.ask(request, clock)
                _, action, _, elapsed, cpu, _ = answer
                clock.charge(elapsed, cpu)
                answers, actions = [answer], [action]
            else:
                answers, actions = await _ask_all(players, clocks, due, catch_up)
            recording.between_steps = False
            events = state.advance(actions)
            recording.between_steps = True
            number += 1
            step = tuple_of(Step, (number, round_, ask, answers, events))
            unrecorded.append(step)
            if watched:
                catch_up()
                for observe in observers:
                    observe(step)
                if pace is not None:
                    await pace(step)
            if perf_counter() > breath:
                catch_up()
                await trio.lowlevel.checkpoint()
                breath = perf_counter() + BREATH
        catch_up()  # here, so that recorders get the end even if Ctrl-C interrupts it
    return state.current_result()


class _Recording:
    """Gives the recorders the steps, many together (theory, point 4), and at its exit the end.

    Attributes:
        unrecorded: the steps that they have not got yet.
        between_steps: whether the state has a position; it has none in the middle of `advance`.
    """

    def __init__(self, recorders: Sequence[StepRecorder], state: State[Any, Any]) -> None:
        self._recorders, self._state = recorders, state
        self.unrecorded: list[Step] = []
        self.between_steps = True

    def __enter__(self) -> _Recording:
        return self

    def catch_up(self) -> None:
        """Give the recorders all steps so far."""
        if self.unrecorded:
            steps = self.unrecorded[:]
            self.unrecorded.clear()  # even if a recorder fails
            for recorder in self._recorders:
                recorder.record(steps)

    def __exit__(self, _kind: object, ended: BaseException | None, _trace: object) -> None:
        """Give all recorders the end (theory, point 3), even if some fail. Raises what ended the match, or failed first."""
        first = ended
        try:
            self.catch_up()
        except Exception as failed:
            first = first or failed
        if self.between_steps:
            outcome, final = self._state.current_result(), self._state.position()
            if isinstance(ended, Void):
                outcome = replace(outcome, reason=VOID)
            for recorder in self._recorders:
                try:
                    recorder.end(outcome, final)
                except Exception as failed:
                    first = first or failed
        if ended is None and first is not None:
            raise first


async def _ask_all(
    players: Sequence[Player], clocks: Sequence[Clock], due: Sequence[Request[Any]], meanwhile: Callable[[], None]
) -> tuple[list[Answer[Any]], list[Any]]:
    """All answers and their actions: the immediate ones first, then the others, awaited concurrently."""
    answers = [players[request.seat].at_once(request, clocks[request.seat], meanwhile) for request in due]
    if None in answers:
        meanwhile()
        await _wait_for(answers, players, clocks, due)
    whole = [answer for answer in answers if answer is not None]
    actions = []
    for seat, action, _, elapsed, cpu, _ in whole:
        clocks[seat].charge(elapsed, cpu)
        actions.append(action)
    return whole, actions


async def _wait_for(
    answers: list[Answer[Any] | None], players: Sequence[Player], clocks: Sequence[Clock], due: Sequence[Request[Any]]
) -> None:
    """Wait for the answers that are still missing."""

    async def wait(index: int) -> None:
        request = due[index]
        answers[index] = await players[request.seat].ask(request, clocks[request.seat])

    with ungrouped():  # several stalls at one moment make one void match
        async with trio.open_nursery() as nursery:
            for index, answer in enumerate(answers):
                if answer is None:
                    nursery.start_soon(wait, index)
