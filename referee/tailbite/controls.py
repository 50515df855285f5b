"""What a person can do with a tail-biting snake: its possible moves, and what each would do now, by the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.contract.frame import Control
from referee.contract.game import Event
from referee.tailbite.rules import TailBite

KEYS: Final = {"U": "up", "L": "left", "D": "down", "R": "right"}


def controls(state: TailBite, seat: int, names: Sequence[str]) -> list[Control]:
    """The possible moves of the seat to move: one letter each, so that nothing is left to chance (5)."""
    return [
        Control([KEYS[letter]], _words(state.foresee([letter]), state, names), letter)
        for letter in state.board.possible(seat)
    ]


def _words(events: Sequence[Event], state: TailBite, names: Sequence[str]) -> str:
    """A move and its bite, which are the first events. The others follow from chance and from other snakes."""
    bite, eaten = [*events[1:3], {}, {}][:2]
    if bite.get("event") != "bite":
        return "move"
    victim = bite["victim"]
    if eaten.get("event") == "eaten":
        return f"eat {names[victim]}"
    left = len(state.board.snakes[victim].cells) - 1
    return f"bite {names[victim]}, {left} left" if left else f"bite what is left of {names[victim]}"
