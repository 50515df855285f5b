"""How a turn is settled, once everybody has decided (rule 5 of README.md). Pure: cells come in as any hashable marks.

1. Two players on one target fight, three or more all return. Each cell then has at most one player who stands there
   without returning, so the order in which returns spread does not matter: it is one closure.
2. Who returns leaves the place where it would stand; whoever stands on its home returns too, and so on. A player that
   stayed may return as well: it goes nowhere, but the one who beat it there has to leave.
3. Eggs come last. Who counters on one returns, returns spread once more, and what is done to eggs is done by those left.
   Nobody is at home on an egg, so no return ever drives somebody off one.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple

BEATS: Final = frozenset({("A", "N"), ("N", "C"), ("C", "A")})
"""The pairs of stances of which the first wins."""


class Fight(NamedTuple):
    """A meeting on one target: the seats in order, and the winner; None on a tie and where three or more met."""

    seats: Sequence[int]
    winner: int | None


class Settlement(NamedTuple):
    """The result of a turn, in seat order: meetings (by first seat), players that return, take an egg, break an egg."""

    fights: Sequence[Fight]
    back: Sequence[int]
    collect: Sequence[int]
    destroy: Sequence[int]


def settle(homes: Sequence[int], targets: Sequence[int], stances: Sequence[str], eggs: Container[int]) -> Settlement:
    """Settle a turn.

    Args:
        homes: where each player stood; no two on one cell.
        targets: the target of each player; its home if it stays or would run into a wall.
        stances: `A`, `C` or `N` of each.
        eggs: the cells with an egg.
    """
    standing = dict(zip(targets, range(len(targets)), strict=True))
    back: list[int] = []
    fights: list[Fight] = []
    if len(standing) < len(targets):
        for cell, seats in _met(targets).items():
            winner = _winner(seats, stances)
            fights.append(Fight(seats, winner))
            del standing[cell]
            if winner is not None:
                standing[cell] = winner
            back += [seat for seat in seats if seat != winner]
        fights.sort()
        _spread(back, homes, standing)
    on_eggs = [seat for cell, seat in standing.items() if cell in eggs]
    if on_eggs:
        if countering := [seat for seat in on_eggs if stances[seat] == "C"]:
            _spread(countering, homes, standing)
            back += countering
            on_eggs = [seat for seat in on_eggs if seat not in countering]
        on_eggs.sort()
    back.sort()
    return Settlement(
        fights,
        back,
        [seat for seat in on_eggs if stances[seat] == "N"],
        [seat for seat in on_eggs if stances[seat] == "A"],
    )


def _met(targets: Sequence[int]) -> dict[int, list[int]]:
    """The cells that are the target of more than one, with their seats."""
    found: dict[int, list[int]] = {}
    for seat, cell in enumerate(targets):
        found.setdefault(cell, []).append(seat)
    return {cell: seats for cell, seats in found.items() if len(seats) > 1}


def _winner(seats: Sequence[int], stances: Sequence[str]) -> int | None:
    if len(seats) == 2:
        first, second = seats
        if (stances[first], stances[second]) in BEATS:
            return first
        if (stances[second], stances[first]) in BEATS:
            return second
    return None


def _spread(returning: list[int], homes: Sequence[int], standing: dict[int, int]) -> None:
    """Add to `returning` each player that stands on the home of a player in it, and remove it from `standing`."""
    left = list(returning)
    while left:
        if (other := standing.pop(homes[left.pop()], None)) is not None:
            left.append(other)
            returning.append(other)
