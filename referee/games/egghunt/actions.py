"""The actions of the egg hunt in words: what a person can do and what that would do now, and what a turn meant.

Numbers in brackets are the rules of README.md. `controls` assumes that all other players stay where they are. A direction alone
is a move with the stance `N`. The keys of the other stances come before a direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.contract.frame import Control
from referee.contract.game import Effect, Event, Step
from referee.games.egghunt.rules import STAY, Action, EggHunt
from referee.games.egghunt.wire import decode, format_action

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


def effects(step: Step, before: Sequence[float], after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step: first those of eggs, then the reason why each player that answered did not move."""
    seats_moved: set[int] = set()
    back: dict[int, Event] = {}
    fights: dict[int, Event] = {}
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "fight":
                fights |= dict.fromkeys(event["seats"], event)
            case "back":
                back[seat] = event
            case "to":
                seats_moved.add(seat)
            case "collect":
                seats_moved.add(seat)
                if gained := after[seat] - before[seat]:  # seats of the house have no points (6)
                    yield Effect(seat, "points", "eggs", gained, event)
            case "destroy":
                seats_moved.add(seat)
                yield Effect(seat, "nothing", "destroyed an egg (stance A)", 1, event)
    for answer in step.answers:
        seat, text = answer.seat, answer.text
        if text is None or not step.round or seat in seats_moved:
            continue
        action = decode(step.ask, text.encode(errors="replace").split(b"\n"))
        if isinstance(action, Action):
            yield _in_place(seat, action, back.get(seat), fights.get(seat))


def _in_place(seat: int, action: Action, back: Event | None, fight: Event | None) -> Effect:
    """Why a player did not move (5)."""
    if fight is not None and fight["winner"] != seat:
        what = "sent back after a fight that nobody won" if fight["winner"] is None else "sent back after a lost fight"
        rivals = [other for other in fight["seats"] if other != seat]
        return Effect(seat, "nothing", what, 1, fight, rivals[0] if len(rivals) == 1 else None)
    if back is not None:
        if action.stance == "C":
            return Effect(seat, "nothing", "sent back from an egg with stance C, or by a player", 1, back)
        return Effect(seat, "nothing", "sent back by a player in the way", 1, back)
    what = "stayed where it was" if action.direction == STAY.direction else "walked into a wall"
    return Effect(seat, "nothing", what)
