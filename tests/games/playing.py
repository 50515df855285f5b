"""What the tests of all games share: seats, faults, names, and answers in turn."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st

from referee.contract.frame import Frame
from referee.contract.game import Event, Fault, FaultKind, State
from referee.contract.positions import Maps, Position
from referee.errors import SetupError
from referee.files import assets

AnyState = TypeVar("AnyState", bound=State[Any, Any])

A, B, C, D = range(4)
SEATS = "ABCDEFGH"
TIMEOUT = Fault(FaultKind.TIMEOUT, "no answer within 1 s")

FAULTS = st.builds(Fault, st.sampled_from(list(FaultKind)), st.text(max_size=5))
SEEDS = st.integers(0, 2**32)


def named(state: AnyState) -> AnyState:
    """The state after every player has given its name, `a`, `b` …."""
    while (due := state.requests()) and due[0].ask == "getName":
        state.advance([SEATS[due[0].seat].lower()])
    return state


def ended(state: State[Any, Any]) -> tuple[str, int] | None:
    """The reason and the rounds of a match that is over; None while it goes on."""
    outcome = state.outcome()
    return None if outcome is None else (outcome.reason, outcome.rounds)


def sides(drawing: str, after: str | None) -> tuple[str, str]:
    """The positions before and after: both in a drawing, with `|` between them, or each in a drawing of its own."""
    if after is not None:
        return drawing, after
    left, right = zip(*(line.partition("|")[::2] for line in drawing.splitlines()), strict=True)
    return "\n".join(left), "\n".join(right)


def playing(state: State[Any, Any], actions: Iterable[Any]) -> Iterator[tuple[Any, list[Event]]]:
    """Play a match of one request at a time until no player is due. Yields each action and its events."""
    for action in actions:
        if not state.requests():
            return
        yield action, list(state.advance([action]))


def changed(setup: Position, *path: Any, to: Any) -> Position:
    """The setup with another value at the end of this path."""
    position = deepcopy(setup)
    node: Any = position
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = to
    return position


def refusal(call: Callable[..., object], *args: Any, **more: Any) -> str:
    """The message with which a call refuses a setup or a map: one short line."""
    with pytest.raises(SetupError) as caught:
        call(*args, **more)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 300
    return message


def map_refusal(maps: Maps, document: dict[str, Any]) -> str:
    """The message for an invalid map, which is the same from `facts`, `check` and `setup`."""
    setup = partial(maps.setup, seats=2, rng_seed=1)
    (message,) = {refusal(call, document) for call in (maps.facts, maps.check, setup)}
    return message


def board(frame: Frame) -> list[str]:
    """The cells of a frame as text, row by row."""
    return ["".join(mark.text for mark in row) for row in frame.cells]


def shipped(game: str) -> dict[str, dict[str, Any]]:
    """The maps that come with a game, by name."""
    files = sorted(assets.folder("maps").joinpath(game).glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}


def event(name: str, *keys: str) -> Callable[..., Event]:
    """A function that makes events of this name. Its arguments are the seat, and the values of these keys."""
    return lambda seat, *values: {"event": name, "seat": seat, **dict(zip(keys, values, strict=True))}


def out(seat: int, why: str = "timeout", detail: str = TIMEOUT.detail) -> Event:
    return {"event": "disqualified", "seat": seat, "why": why, "detail": detail}
