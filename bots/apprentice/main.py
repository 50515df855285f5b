"""Apprentice: takes the action with the largest weighted sum of features. Nobody chose the weights: train.py did.

A feature is a number that says one thing about the moment after an action: how near the next block is, what a rival could bite
off. The weights are in weights.json.
"""

import json
from functools import lru_cache
from pathlib import Path

from snake import ACTIONS, AreaInfo, Outcome, run

FEATURES = (
    "points", "blocks", "energy", "block near", "block far", "blocks around", "energy near", "load near reactor",
    "load far from reactor", "value near reactor", "last way", "prey near", "value in danger", "value near rivals",
    "shield", "stays",
)  # fmt: skip
USUAL_ROUNDS, LAST_WAY = 300, 25
"""The protocol does not say how long a game is. In the last turns of the usual length, only what is delivered counts."""

FAR = 40
"""Moves to something that cannot be reached."""


def choose(area: AreaInfo) -> str:
    """The action of the bot."""
    return best(area, trained_weights())


def best(area: AreaInfo, weights: list[float]) -> str:
    """The best action by these weights that is not a skip; among equals, the first in the order U L D R N A."""
    outcomes = {action: area.outcome(action) for action in ACTIONS}
    possible = [action for action in ACTIONS if outcomes[action].kind != "skip"]
    return max(possible, key=lambda action: worth(weights, features(area, action, outcomes[action])))


@lru_cache(maxsize=None)
def trained_weights() -> list[float]:
    """The weights that training found, in the order of FEATURES."""
    weights = json.loads((Path(__file__).parent / "weights.json").read_text(encoding="utf-8"))["weights"]
    return [weights[name] for name in FEATURES]


def worth(weights: list[float], values: list[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values))  # noqa: B905 - Python 3.9 has no strict=


def features(area: AreaInfo, action: str, outcome: Outcome) -> list[float]:
    """The features of the moment after an action, in the order of FEATURES, each about as large as 1."""
    after = area.after(action)
    me = after.me
    load = len(me.blocks)
    # The board before the action serves all searches, so that actions which stay share one.
    distances = area.distances(me.head)
    blocks = [distances[cell] for cell in area.free_blocks if cell != me.head and cell in distances]
    energy = [distances[cell] for cell in area.free_energy if cell != me.head and cell in distances]
    reactors = [distances[cell] for cell in area.reactors if cell in distances]
    way = min(reactors, default=FAR)
    near = 0.9**way
    now, soon = dangers(after)
    return [
        outcome.points / 10,
        load / 10,
        min(me.energy, 3) / 3,
        0.8 ** min(blocks, default=FAR),
        min(blocks, default=FAR) / FAR,
        sum(0.6**moves for moves in blocks),
        0.8 ** min(energy, default=FAR),
        near * load / 10,
        way / FAR * load / 10,
        near * me.value / 50,
        near * load / 10 if area.turn > USUAL_ROUNDS - LAST_WAY else 0.0,
        prey(after, distances),
        now / 50,
        soon / 50,
        min(me.shield, 10) / 10,
        float(outcome.target == area.me.head or outcome.kind == "deliver"),
    ]


def prey(area: AreaInfo, distances: dict[tuple[int, int], int]) -> float:
    """The best bite: blocks bitten off, worth less for each move to get there."""
    highest = 0.0
    for rival in area.rivals:
        if not rival.shield:
            for index, cell in enumerate(rival.body[:-1], 1):
                if cell in distances:
                    highest = max(highest, 0.7 ** distances[cell] * (rival.length - index) / 10)
    return highest


def dangers(area: AreaInfo) -> tuple[int, int]:
    """The value that my load would lose by the worst bite of a rival: in its next move, and in its next two or three."""
    me, now, soon = area.me, 0, 0
    if me.shield:
        return 0, 0
    for index, (x, y) in enumerate(me.body[:-1], 1):
        gap = min((abs(rival.head[0] - x) + abs(rival.head[1] - y) for rival in area.rivals), default=99)
        if gap <= 3:
            left = index - 1
            loss = me.value - left * (left + 1) // 2
            if gap == 1:
                now = max(now, loss)
            soon = max(soon, loss)
    return now, soon


if __name__ == "__main__":
    run("Apprentice", choose)
