"""Checks of states: requests, events, rounds, ranking, chance, copies and frames. The first line of a docstring is the rule."""

from __future__ import annotations

from copy import deepcopy
from itertools import chain
from random import Random

from referee.contract.frame import Frame
from referee.contract.game import State
from referee.match.contract_check import wrong_events
from referee.moments.scene import wrong_frame
from referee.testing.subject import AnyState, Subject, guests
from referee.text.words import counted


def requests(subject: Subject) -> None:
    """There are requests until there is an outcome, all of one name, one for each seat at most; they change nothing."""
    for line_up in subject.line_ups:
        state = subject.new(6, line_up)
        for _ in chain([None], subject.steps(state, Random(6), 1_000)):
            before, due, outcome = state.position(), state.requests(), state.outcome()
            subject.alike("`requests` changes the state", ([], before), ([], state.position()))
            subject.must(bool(due) == (outcome is None), f"{len(due)} requests, and the outcome is {outcome}")
            seats = [request.seat for request in due]
            subject.must(len(set(seats)) == len(seats), f"the seats {seats} have several requests")
            subject.must(set(seats) <= set(range(state.seats)), f"the seats {seats} of {state.seats}")
            asks = {request.ask for request in due}
            subject.must(len(asks) <= 1, f"requests of several names are due at once: {sorted(asks)}")


def events(subject: Subject) -> None:
    """An event is an object for JSON with its name as `event` and, if it is about a seat, its number as `seat`."""
    state = subject.new(7)
    for step in subject.steps(state, Random(7), faults=0.01):
        wrong = wrong_events(step.events, state.seats)
        subject.must(wrong is None, str(wrong))


def rounds(subject: Subject) -> None:
    """Names are asked in round 0 and nothing else is; the round never goes back, except to 1 for another run."""
    for line_up in subject.line_ups:
        state, last = subject.new(7, line_up), 0
        for step in subject.steps(state, Random(7)):
            subject.must((step.ask == "getName") == (step.round == 0), f"{step.ask} is asked in round {step.round}")
            subject.must(step.round >= last or step.round == 1, f"round {step.round} comes after round {last}")
            last = step.round


def names(subject: Subject) -> None:
    """Players that stay for the match are asked for a name first. One that lives for a turn has its entrant's name."""
    for line_up in subject.line_ups:
        state = subject.new(1, line_up)
        steps = list(subject.steps(state, Random(1), 2 * state.seats))
        named = {answer.seat for step in steps if step.ask == "getName" for answer in step.answers}
        stay = {seat for seat in guests(state, line_up) if not line_up or line_up[seat].lifetime == "game"}
        subject.must(named == stay, f"the seats {sorted(named)} are asked, {sorted(stay)} stay for the match")
        for seat, name in ((line.seat, line.name) for line in state.current_result().ranking):
            subject.must(seat in named or name == line_up[seat].name, f"seat {seat} is called {name!r}")


def together(subject: Subject) -> None:
    """`Game.together` says whether several seats can be due at once: their clocks run at the same time."""
    most = 0
    for line_up in subject.line_ups:
        for step in subject.steps(subject.new(8, line_up), Random(8), 100):
            most = max(most, len(step.answers))
    says = f"`Game.together` is {subject.game.together}, and at most {counted(most, 'seat')} had to answer at once"
    subject.must((most > 1) == subject.game.together, says)


def ranking(subject: Subject) -> None:
    """The result ranks every seat but those of the house, the best first."""
    for line_up in subject.line_ups:
        state = subject.new(2, line_up)
        expected = guests(state, line_up)
        for most in (0, 40):
            lines = subject.played(state, Random(2), most).current_result().ranking
            seats = sorted(line.seat for line in lines)
            who = "those without `house` in their `Entrant`" if line_up else "without entrants, all"
            subject.must(seats == expected, f"the seats {seats} are ranked instead of {expected} ({who})")
            places = [line.rank for line in lines]
            subject.must(places == sorted(places), f"the places are {places}")


def same_seed(subject: Subject) -> None:
    """The same seed and the same answers give the same match: all chance comes from the generator of the state."""
    for line_up in subject.line_ups:
        one, other = subject.new(9, line_up), subject.new(9, line_up)
        _both_played(subject, "the second match is another one", one, other, faults=0.01)


def _both_played(subject: Subject, what: str, one: AnyState, other: AnyState, *, faults: float) -> None:
    """Play two states with the same answers, and check that the same happens."""
    before = subject.step
    once = [(step.events, subject.moment(one)) for step in subject.steps(one, Random(3), 150, faults)]
    subject.step = before
    for (events, moment), step in zip(once, subject.steps(other, Random(3), 150, faults), strict=True):
        subject.alike(what, (events, *moment), (step.events, *subject.moment(other)))


def copies_are_independent(subject: Subject) -> None:
    """A copy of a state shares nothing with it that changes."""
    for before in (0, 5, 40):
        state = subject.played(subject.new(8), Random(8), before)
        moment, other = subject.moment(state), deepcopy(state)
        subject.played(other, Random(9), 60)
        subject.alike("the original changes while its copy is played", ([], *moment), ([], *subject.moment(state)))


def copies_continue(subject: Subject) -> None:
    """A copy of a state makes the same random choices, so replays and searches can play on from it."""
    for before, faults in ((0, 0.0), (1, 0.0), (3, 0.0), (60, 0.0), (60, 1.0)):
        state = subject.played(subject.new(8), Random(8), before, faults)
        _both_played(subject, "the copy goes on in another way", state, deepcopy(state), faults=0.02)


def foresight(subject: Subject) -> None:
    """`foresee` returns what `advance` returns, and changes nothing."""
    state, chance = subject.new(2), Random(2)
    for step in range(1, 61):
        if not state.requests():
            return
        subject.step = step
        actions = [answer.action for answer in subject.answers(state, chance, 0.1)]
        foreseen, before = state.foresee(actions), state.position()
        subject.must(before == state.position(), "the position has changed")
        subject.must(foreseen == state.advance(actions), "something else happened")


def frames(subject: Subject) -> None:
    """A frame has rows of equal length, two printable ASCII characters a cell, and a line with all figures for each seat.

    What a person sees is such a frame, of the same size and with the same figures.
    """
    state = subject.new(11)
    for _ in chain([None], subject.steps(state, Random(11), 150, faults=0.01)):
        drawn(subject, state)
    drawn(subject, subject.played(state, Random(12), 1_000))


def drawn(subject: Subject, state: AnyState) -> None:
    """Check the frame of a moment, and those that people see instead."""
    whole = state.draw()
    _frame(subject, state, whole)
    for seat in () if type(state).draw_for is State.draw_for else range(state.seats):
        own = state.draw_for(seat)
        _frame(subject, state, own)
        same = [len(row) for row in own.cells] == [len(row) for row in whole.cells] and own.figures == whole.figures
        subject.must(same, f"the frame for seat {seat} has another size or other figures")


def _frame(subject: Subject, state: AnyState, frame: Frame) -> None:
    why = wrong_frame(frame, state.seats)
    subject.must(why is None, why or "")
    for mark in {mark for row in frame.cells for mark in row} | {mark for mark, _ in frame.legend}:
        is_cell = len(mark.text) == 2 and mark.text.isascii() and mark.text.isprintable()
        subject.must(is_cell, f"the mark {mark.text!r} is not two printable ASCII characters")
        subject.must(mark.seat is None or 0 <= mark.seat < state.seats, f"a mark is of seat {mark.seat}")
    subject.must(all(len(line.figures) == len(frame.figures) for line in frame.seats), "a line lacks a figure")
    due = [request.seat for request in state.requests()]
    subject.must(list(frame.to_move) == due, f"to_move is {list(frame.to_move)}, the seats {due} are due")
