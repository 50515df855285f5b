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


def controls(state: EggHunt, seat: int, names: Sequence[str]) -> list[Control]:
    """The nine directions, and the stances with theirs."""
    moves, attacks, counters = (_directions(state, seat, stance, names) for stance in "NAC")
    attack = Control(["a"], "attack beats plain moves", then=attacks)
    return [*moves, attack, Control(["c"], "counter beats attacks", then=counters)]


def _directions(state: EggHunt, seat: int, stance: str, names: Sequence[str]) -> list[Control]:
    choices = []
    for direction, where, keys in KEYS:
        action = Action(direction, stance, "")
        what = _words(state, seat, action, names)
        choices.append(Control(keys, f"{where}: {what}" if what else where, format_action(action)))
    return choices


def _words(state: EggHunt, seat: int, action: Action, names: Sequence[str]) -> str:
    """What an action would do, beside going; empty for nothing else."""
    happened = state.foresee([action if request.seat == seat else STAY for request in state.requests()])
    about_seat = [event for event in happened if seat in (event.get("seat"), *event.get("seats", ()))]
    events = {event["event"]: event for event in about_seat}
    if "fight" in events:
        return f"meet {' and '.join(names[other] for other in events['fight']['seats'] if other != seat)}"
    if "collect" in events or "destroy" in events:
        return f"{'collect' if 'collect' in events else 'destroy'} an egg"
    if "back" in events:
        return "an egg, which sends you back"
    return "" if "to" in events or action.direction == STAY.direction else "a wall"
