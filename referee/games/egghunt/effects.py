"""What a turn of the egg hunt meant for the players: eggs collected, and turns that led nowhere.

Numbers in brackets are the rules of README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.contract.game import Effect, Event, Step
from referee.games.egghunt.rules import STAY, Action
from referee.games.egghunt.wire import decode


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
