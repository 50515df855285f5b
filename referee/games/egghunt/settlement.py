"""How a turn is settled when all players have decided (rule 5 of README.md). Pure functions; cells are any hashable values.

1. Two players with the same target fight; three or more all return. After that, at most one player that does not return stands
   on each cell. So the order in which returns spread does not matter.
2. A player that returns leaves its target cell. If another player stands on its home cell, that player returns too, and so on.
   A player that stayed may also return: it does not move, but the player that beat it there has to leave.
3. Eggs come last. A player that counters on an egg returns, and returns spread once more. The players then left on eggs collect
   or destroy them. No home cell has an egg, so a return never drives another player off an egg.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple

BEATS: Final = frozenset({("A", "N"), ("N", "C"), ("C", "A")})
"""The pairs of stances in which the first stance wins."""


class Fight(NamedTuple):
    """Players with the same target: their seats in order, and the winner. After a tie, or if three or more met, it is None."""

    seats: Sequence[int]
    winner: int | None


class Settlement(NamedTuple):
    """The result of a turn: fights by their first seat, and the seats that return, that collect and that destroy an egg."""

    fights: Sequence[Fight]
    back: Sequence[int]
    collect: Sequence[int]
    destroy: Sequence[int]


def settle(homes: Sequence[int], targets: Sequence[int], stances: Sequence[str], eggs: Container[int]) -> Settlement:
    """Settle a turn.

    Args:
        homes: the cell of each player before the turn; all cells are different.
        targets: the target of each player: its home if it stays or goes into a wall.
        stances: `A`, `C` or `N` for each player.
        eggs: the cells with an egg.
    """
    standing = dict(zip(targets, range(len(targets)), strict=True))
    back: list[int] = []
    fights: list[Fight] = []
    if len(standing) < len(targets):
        for cell, seats in _meetings(targets).items():
            winner = _winner(seats, stances)
            fights.append(Fight(seats, winner))
            del standing[cell]
            if winner is not None:
                standing[cell] = winner
            back += [seat for seat in seats if seat != winner]
        _spread(back, homes, standing)
    on_eggs = sorted([seat for cell, seat in standing.items() if cell in eggs])
    if countering := [seat for seat in on_eggs if stances[seat] == "C"]:
        _spread(countering, homes, standing)
        back += countering
    back.sort()
    collect = [seat for seat in on_eggs if stances[seat] == "N"]
    destroy = [seat for seat in on_eggs if stances[seat] == "A"]
    return Settlement(fights, back, collect, destroy)


def _meetings(targets: Sequence[int]) -> dict[int, list[int]]:
    """The cells that are the target of more than one player, with the seats of these players; ordered by the first seat."""
    seats_at: dict[int, list[int]] = {}
    for seat, cell in enumerate(targets):
        seats_at.setdefault(cell, []).append(seat)
    return {cell: seats for cell, seats in seats_at.items() if len(seats) > 1}


def _winner(seats: Sequence[int], stances: Sequence[str]) -> int | None:
    if len(seats) == 2:
        first, second = seats
        if (stances[first], stances[second]) in BEATS:
            return first
        if (stances[second], stances[first]) in BEATS:
            return second
    return None


def _spread(returning: list[int], homes: Sequence[int], standing: dict[int, int]) -> None:
    """Move each player that stands on the home of a returning player from `standing` to `returning`."""
    left = list(returning)
    while left:
        if (other := standing.pop(homes[left.pop()], None)) is not None:
            left.append(other)
            returning.append(other)
