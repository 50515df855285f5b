"""What happened in a step, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.contract.game import Event, Fault, Game, Step
from referee.errors import MISTAKE, GameError

FAULT: Final = "fault"
"""The kind of `Sentence` for a failure of a player that plays on, which is not an event."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One event in words: its round, its seat (None without one), its name as `kind`, and the game's text for it."""

    round: int
    seat: int | None
    kind: str
    text: str
    step: int


def in_words(game: Game[Any, Any], event: Event, names: Sequence[str]) -> str | None:
    """Any event in one line of plain words; None for an event not worth a line."""
    if event["event"] == "disqualified":
        return f"{names[event['seat']]} is disqualified: {event['why']}, {event['detail']}"
    text = game.tell(event, names)
    if not isinstance(text, str | None):
        raise GameError(f"{MISTAKE} {game.name}: `tell` returned {text!r:.80} instead of a text or None")
    return text


def sentences(game: Game[Any, Any], step: Step, names: Sequence[str]) -> Iterable[Sentence]:
    """The lines for a step: faults without an event, and its events, in order.

    A fault that disqualifies is an event. In games where a player goes on after a fault, it is not.
    """
    out = [event["seat"] for event in step.events if event["event"] == "disqualified"]
    for seat, action, *_ in step.answers:
        if isinstance(action, Fault) and seat not in out:
            text = f"{names[seat]} fails: {action.kind}, {action.detail}"
            yield Sentence(step.round, seat, FAULT, text, step.number)
    for event in step.events:
        if words := in_words(game, event, names):
            yield Sentence(step.round, event.get("seat"), event["event"], words, step.number)
