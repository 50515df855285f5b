"""Checks of positions: they survive JSON, a match can go on from any, and invalid ones are refused."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import chain
from random import Random
from typing import Any, Final

from referee.contract.positions import Position
from referee.errors import SetupError
from referee.saved.record import digest
from referee.testing.subject import Subject

DAMAGED: Final = 150
NONSENSE: Final[list[Any]] = [None, True, -3, 7, 0.5, 1e300, "", "strange", [], [1], {}, {"strange": 1}, [[0, 0]], [{}]]
"""Wrong values, as they may be in an untrusted file."""
STRANGE_NUMBERS: Final = {"1e+30": 10**30, "-1e+30": -(10**30), "10**5000": 10**5000, "1.5": 1.5, "nan": float("nan")}
"""What stands in a file where a small whole number should, as messages show it."""


def positions(subject: Subject) -> None:
    """A position survives JSON, and a match that starts from it has that position."""
    for line_up in subject.line_ups:
        state = subject.new(10, line_up)
        for _ in chain([None], subject.steps(state, Random(10), 100, faults=0.02)):
            subject.restarted(state)
    subject.restarted(subject.played(state, Random(11), 1_000))


def positions_are_apart(subject: Subject) -> None:
    """A position shares nothing with its state."""
    for before in (5, 60):
        state = subject.played(subject.new(3), Random(3), before)
        position, then = state.position(), digest(state.position())
        subject.played(state, Random(4), 5)
        now = digest(state.position())
        subject.must(digest(position) == then, "a position changes when the match goes on")
        _clear(position)
        subject.must(digest(state.position()) == now, "the state changes with the position that it gave")


def _clear(value: Any) -> None:
    if isinstance(value, dict | list):
        for inner in list(value.values() if isinstance(value, dict) else value):
            _clear(inner)
        value.clear()


def positions_continue(subject: Subject) -> None:
    """A match from a position goes on like the original when `follow` gets the recorded events."""
    game = subject.game
    for line_up in subject.line_ups:
        seats = subject.new().seats
        for before in (*range(seats, seats + 8), 50, 111):
            state = subject.played(subject.new(1, line_up), Random(before), before, faults=0.005)
            if not state.round or not state.requests():
                continue
            other = game.start(state.position(), 2, line_up)
            while (due := other.requests()) and due[0].ask == "getName":  # players give their names again
                other.advance(["a name"] * len(due))
            for step in subject.steps(state, Random(-before), 60, faults=0.005):
                subject.must(other.round == step.round, f"round {other.round} instead of {step.round}")
                due = other.requests()
                is_same = [(r.ask, r.seat) for r in due] == [(step.ask, answer.seat) for answer in step.answers]
                subject.must(is_same, "other seats are due")
                other.follow(step.events)
                same = other.advance([answer.action for answer in step.answers])
                ours, theirs = (step.events, state.position()), (same, other.position())
                subject.alike("it goes on in another way", ours, theirs)
            subject.must(bool(other.requests()) == bool(state.requests()), "only one of both matches is over")


def invalid_positions(subject: Subject) -> None:
    """An invalid position is refused with a `SetupError` of one printable line that names the key."""
    for strange in ({}, {"strange": 1}, {"size": -1}, {"field": ["."], "players": []}):
        _refusal(subject, strange, f"{strange}")
    setup = subject.setup
    message = _refusal(subject, {**setup, "strange": 1}, "an unknown key")
    subject.must("strange" in message, f"an unknown key is not named: {message}")
    for key, value in setup.items():
        for wrong in ("strange", {"strange": 1}, None):  # null does not stand for an omitted key
            hint = " (of a key that may be left out, the type is `MayBeMissing`)" if wrong is None else ""
            message = _refusal(subject, {**setup, key: wrong}, f"{key} = {wrong!r}{hint}")
            subject.must(key in message, f"{key} = {wrong!r} is refused without the key: {message}")
        for shown, number in STRANGE_NUMBERS.items() if type(value) is int else ():
            message = _refusal(subject, {**setup, key: number}, f"{key} = {shown} (`Field(ge=…, le=…)` sets bounds)")
            is_short = message.startswith(f"{key}: ") and len(message) < 300
            subject.must(is_short, f"a huge {key} is refused with: {message[:300]}")


def _refusal(subject: Subject, setup: Position, what: str) -> str:
    message = subject.refusal(SetupError, what, subject.game.start, setup, 1)
    subject.must(message.isprintable(), f"the message for {what} is not one printable line: {message}")
    return message


def _inside(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: the object or list, and the key or index."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _inside(value[key])


def damaged_positions(subject: Subject) -> None:
    """A damaged position is refused with a `SetupError`, or a match can be played from it."""
    for number in range(DAMAGED):
        chance = Random(number)
        setup = deepcopy(subject.played(subject.new(1), chance, chance.randrange(61)).position())
        for _ in range(chance.randint(1, 2)):
            holder, key = chance.choice(list(_inside(setup)) or [(setup, "size")])
            if chance.random() < 0.5:
                holder[key] = deepcopy(chance.choice(NONSENSE))
            elif isinstance(holder[key], int):
                holder[key] += chance.choice([-1, 1, 2**40])
            else:
                del holder[key]
        subject.seed, subject.step = number, 0
        try:
            state = subject.game.start(setup, 1)
        except SetupError:
            continue
        subject.restarted(state)
        for step in subject.steps(state, chance, 25):
            subject.must(step.events or step.ask != "getName", "a name has no event")
        state.draw()
        subject.restarted(state)
