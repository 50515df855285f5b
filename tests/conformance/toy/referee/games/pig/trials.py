"""Positions on which a bot is tried out."""

from __future__ import annotations

from typing import Any, Final

from referee.game import Trial

BYSTANDERS: Final = {"getName": b"Bystander", "getAction": b"hold"}


def trials() -> list[Trial]:
    """The simplest first."""
    return [
        _trial("the start", 50, [0, 0]),
        _trial("one point before the goal", 50, [49, 0]),
        _trial("far behind", 50, [0, 49]),
        _trial("the smallest goal", 1, [0, 0]),
        _trial("the largest goal", 10_000, [0] * 6),
        _trial("everything at stake", 50, [20, 30], stake=29),
        _trial("a rival that is out", 50, [0, 10], out="exit"),
        _trial("many turns", 10_000, [0, 0], rounds=100),
    ]


def _trial(
    title: str, goal: int, scores: list[int], *, stake: int = 0, out: str | None = None, rounds: int = 6
) -> Trial:
    players: list[dict[str, Any]] = [{"score": score} for score in scores]
    players[1]["disqualified"] = out
    return Trial(title, {"goal": goal, "rounds": rounds, "stake": stake, "players": players}, BYSTANDERS)
