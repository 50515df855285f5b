"""What the turn of an ant meant for the teams: food on hills, food dropped, bites, and void actions.

Numbers in brackets are the rules of README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.contract.game import Effect, Event, Step

_VOID: Final = (
    *["walked into the border"] * 4,
    *["bit a cell without an enemy"] * 4,
    "took food where none was, or with food already",
    "put food down without carrying any",
)
_ON_HILLS: Final = {
    "put": ("carried home", "put there by rivals"),
    "take": ("taken away again", "taken by rivals"),
    "drop": ("dropped there", "dropped by rivals"),
}
"""What changed the points of a hill: by its own team, and by another one."""
_UNKNOWN: Final = "answered a number that is no action"


def effects(step: Step, before: Sequence[float], after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step. An event does not say where it happened: the points say whether it was on a hill (9)."""
    biter: int | None = None
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "take" | "put" | "drop":
                yield from _on_hills(event, seat, before, after)
                if event["event"] == "drop":
                    yield Effect(seat, "loss", "mg of food dropped after a bite", 1, event, biter)
            case "bite":
                biter = seat
                yield Effect(event["victim"][0], "loss", "bites suffered, each costs 8 turns", 1, event, seat)
            case "void":
                yield Effect(seat, "nothing", _why(step.answers[0].text), 1, event)


def _on_hills(event: Event, seat: int, before: Sequence[float], after: Sequence[float]) -> Iterator[Effect]:
    """The change of points, at most one, that this event made. `seat` is that of its ant."""
    for owner, (old, new) in enumerate(zip(before, after, strict=True)):
        if new == old:
            continue
        own, by_rivals = _ON_HILLS[event["event"]]
        if owner == seat:
            yield Effect(owner, "points", own, new - old, event)
        else:
            yield Effect(owner, "points", by_rivals, new - old, event, seat)


def _why(answer: str | None) -> str:
    """Why an action had no effect (4)."""
    number = int((answer or "-1").split()[0])
    return _VOID[number] if 0 <= number < len(_VOID) else _UNKNOWN
