"""What a turn meant for the tail-biting snakes: segments gained and lost, and turns that were no choice of theirs.

Numbers in brackets are the rules of games/ava/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.contract.game import Effect, Step


def effects(step: Step, before: Sequence[float], _after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step. A bite is a segment more for one snake and one less for the other (4).

    A snake that is eaten loses its last segment too (7). After that, bites take nothing from it.
    """
    score = list(before)
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "bite":
                victim = event["victim"]
                score[seat] += 1
                yield Effect(seat, "points", "bites", 1, event, victim)
                if score[victim] > 0:
                    score[victim] -= 1
                    yield Effect(victim, "points", "bitten", -1, event, seat)
            case "eaten":
                yield Effect(seat, "points", "eaten", -score[seat], event)
                score[seat] = 0
            case "skip":
                yield Effect(seat, "nothing", "skipped without a possible move", 1, event)
            case "move" if event["how"] == "random":
                yield Effect(seat, "nothing", "answered only impossible moves", 1, event)
