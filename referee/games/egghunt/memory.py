"""What a player of the egg hunt remembers: the third line of its answer, which comes back with the next request (2, 3)."""

from __future__ import annotations

from referee.game import Fault, Position
from referee.games.egghunt.rules import STAY, Action, Decision


def remembering(action: Decision | Fault, other: Decision | None) -> Decision:
    """The action with the memory that another one leaves, with an empty one for None; of a fault what counts for it (3, 4)."""
    if isinstance(action, str):
        return action
    taken = STAY if isinstance(action, Fault) else action
    return taken._replace(memory=other.memory if isinstance(other, Action) else "")


def forgotten(setup: Position, seat: int) -> Position:
    """The position in which this seat remembers nothing."""
    memory = setup.get("memory")
    if not memory:
        return setup
    return {**setup, "memory": [*memory[:seat], "", *memory[seat + 1 :]]}
