"""What ants remember: the last word of an ant's answer, which comes back when the same ant is asked again (8)."""

from __future__ import annotations

from referee.game import Fault, Position
from referee.games.ants.position import NO_MEMORY
from referee.games.ants.rules import Action


def remembering(action: Action | str | Fault, other: Action | str | None) -> Action | str | Fault:
    """The action with the memory that another one leaves, with one of zeros for None. A fault costs the seat, and stays one."""
    if not isinstance(action, Action):
        return action
    return action._replace(memory=other.memory if isinstance(other, Action) else NO_MEMORY.encode())


def forgotten(setup: Position, seat: int) -> Position:
    """The position in which no ant of this seat remembers anything."""
    teams = setup.get("teams")
    if not teams:
        return setup
    ants = [{**ant, "memory": NO_MEMORY} if "memory" in ant else ant for ant in teams[seat]]
    return {**setup, "teams": [*teams[:seat], ants, *teams[seat + 1 :]]}
