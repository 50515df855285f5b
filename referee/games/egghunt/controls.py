"""What a person can do in the egg hunt, and what each action would do now if all others stay where they are.

A direction alone is a move with the stance `N`. The keys of the other stances come before a direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.contract.frame import Control
from referee.games.egghunt.rules import STAY, Action, EggHunt
from referee.games.egghunt.wire import format_action

KEYS: Final = (
    (1, "up left", ["u"]), (2, "up", ["i", "up"]), (3, "up right", ["o"]),
    (8, "left", ["j", "left"]), (9, "stay", ["k"]), (4, "right", ["l", "right"]),
    (7, "down left", ["m"]), (6, "down", [",", "down"]), (5, "down right", ["."]),
)  # fmt: skip
"""Each direction of an answer, in words, and its keys, which lie on a keyboard as the directions do."""
STANCES: Final = {"a": "attack beats plain moves", "c": "counter beats attacks"}
"""The keys of the stances, and whom each beats."""


def controls(state: EggHunt, seat: int, names: Sequence[str]) -> list[Control]:
    """The nine directions, and the stances with theirs."""
    stances = [
        Control([key], words, then=_directions(state, seat, key.upper(), names)) for key, words in STANCES.items()
    ]
    return [*_directions(state, seat, "N", names), *stances]


def _directions(state: EggHunt, seat: int, stance: str, names: Sequence[str]) -> list[Control]:
    choices = []
    for direction, where, keys in KEYS:
        action = Action(direction, stance, "")
        what = _words(state, seat, action, names)
        choices.append(Control(keys, f"{where}: {what}" if what else where, format_action(action)))
    return choices


def _words(state: EggHunt, seat: int, action: Action, names: Sequence[str]) -> str:
    """What an action would do, beside going; empty for nothing else."""
    mine = [request.seat for request in state.requests()].index(seat)
    actions = [STAY] * len(state.requests())
    actions[mine] = action
    events = {
        event["event"]: event
        for event in state.foresee(actions)
        if seat in (event.get("seat"), *event.get("seats", ()))
    }
    if "fight" in events:
        return f"meet {' and '.join(names[other] for other in events['fight']['seats'] if other != seat)}"
    if "collect" in events or "destroy" in events:
        return f"{'collect' if 'collect' in events else 'destroy'} an egg"
    if "back" in events:
        return "an egg, which sends you back"
    return "" if "to" in events or action.direction == STAY.direction else "a wall"
