"""What a turn of SnakeCore meant for the seats: points, blocks lost to bites, and turns that came to nothing.

Numbers in brackets are the rules of README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.contract.game import Effect, Step
from referee.games.snakecore.view import WHY


def effects(step: Step, _before: Sequence[float], _after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step. Only deliveries (13) and bites (11) change points."""
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "deliver" if event["points"]:
                yield Effect(seat, "points", "deliveries", event["points"], event)
            case "deliver":
                yield Effect(seat, "nothing", "delivered without a body", 1, event)
            case "bite" if event["victim"] == seat:
                if event["length"] > 1:  # the bitten block itself stays
                    yield Effect(seat, "loss", "blocks lost in bites into itself", event["length"] - 1, event)
            case "bite":
                victim = event["victim"]
                yield Effect(seat, "points", "bites", event["points"], event, victim)
                yield Effect(victim, "loss", "blocks bitten off by rivals", event["length"], event, seat)
            case "skip":
                yield Effect(seat, "nothing", f"skipped ({WHY[event['why']]})", 1, event)
            case "wait":
                yield Effect(seat, "nothing", "waited", 1, event)
