"""The keys of a view as a table: how people read them, what they mean, and what they do.

A view looks up each key in the same table from which its hints and its help are made. So no key of the help does nothing, and
the help has every key that does something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from referee.terminal.keys import Key
from referee.terminal.palette import Look

View = TypeVar("View")
Value = TypeVar("Value")

_ASCII: Final = str.maketrans({"←": "<-", "→": "->", "↑": "Up", "↓": "Down", "−": "-", "–": "-"})


class Binding(NamedTuple, Generic[View]):
    """A row of a table of keys.

    Attributes:
        name: the keys as people read them. meaning: what they do, in words.
        actions: what each of them does to the view, other spellings of the same key included.
        hint: whether it is among the hints beside the board; the help has all rows.
    """

    name: str
    meaning: str
    actions: Mapping[Key, Callable[[View], object]]
    hint: bool = True


Keys: TypeAlias = Sequence[Binding[Any]]
"""A table of keys, in the order of the help. A key is in one row."""


def label(name: str, look: Look) -> str:
    """The name of keys as a terminal shows it."""
    return name.translate(_ASCII) if look.ascii_only else name


def act(keys: Sequence[Binding[View]], view: View, key: Key) -> bool:
    """Do what a key means to a view; False if it means nothing."""
    for row in keys:
        if key in row.actions:
            row.actions[key](view)
            return True
    return False


def both_ways(action: Callable[[View, bool], object], back: Key, forth: Key) -> dict[Key, Callable[[View], object]]:
    """The actions of two keys: one goes back, which is False, and the other forth."""
    return {back: _with(action, False), forth: _with(action, True)}


def digits(action: Callable[[View, str], object]) -> dict[Key, Callable[[View], object]]:
    """The actions of the keys `0` to `9`, which get their digit."""
    return {digit: _with(action, digit) for digit in "0123456789"}


def next_seat(seat: int | None, seats: int, *, forward: bool) -> int | None:
    """The next seat to follow, or the previous one: from none to the first, through all seats, and back to none."""
    ring: list[int | None] = [None, *range(seats)]
    return ring[(ring.index(seat) + (1 if forward else -1)) % len(ring)]


def _with(action: Callable[[View, Value], object], value: Value) -> Callable[[View], object]:
    return lambda view: action(view, value)
