"""Hypothesis strategies for Ants: legal positions and actions."""

from __future__ import annotations

from typing import Any

from games.playing import FAULTS
from hypothesis import strategies as st

from referee.contract.game import Fault
from referee.contract.positions import Position
from referee.games.ants.rules import Action

HUES = st.sampled_from([0, 1, 7, -1, 2**31 - 1, -(2**31)])
MEMORIES = st.sampled_from(["0" * 64, "f" * 64, "0123456789abcdef" * 4])


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position between two turns, on a field so small that ants meet."""
    n = draw(st.integers(2, 4))
    seats = draw(st.integers(2, 4))
    corners = [[0, 0], [n - 1, 0], [0, n - 1], [n - 1, n - 1]]
    cells = [(x, y) for y in range(n) for x in range(n)]
    units = draw(st.integers(1, 12))
    unit = draw(st.integers(1, units))
    ants = draw(st.integers(1, 4))
    at, disabled = st.sampled_from(cells).map(list), st.sampled_from([0, 0, 0, 0, 1, 2, 5, 8])
    seen: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {"at": at, "food": st.booleans(), "memory": MEMORIES, "disabled": disabled}
    )
    most = min(unit, ants)
    teams = [draw(st.lists(seen, min_size=most, max_size=most)) for _ in range(seats)]
    for ant in (ant for team in teams for ant in team):
        ant["food"] = ant["food"] and not ant["disabled"]  # a bitten ant has dropped its food
    food = draw(st.dictionaries(st.sampled_from(cells), st.integers(1, 3)))
    smells = draw(st.dictionaries(st.sampled_from(cells), st.tuples(HUES, st.integers(0, 100))))
    return {
        "size": n, "units": units, "unit": unit, "ants": ants,
        "hills": draw(st.permutations(corners))[:seats],
        "food": [[x, y, food[x, y]] for x, y in cells if (x, y) in food],
        "smells": [[x, y, *smells[x, y]] for x, y in cells if (x, y) in smells],
        "teams": teams,
        "next": [draw(st.integers(0, seats - 1)), draw(st.integers(0, most - 1))],
        "disqualified": [draw(st.sampled_from([None, None, None, None, "exit"])) for _ in range(seats)],
    }  # fmt: skip


ACTIONS = st.builds(
    Action,
    st.one_of(st.integers(0, 9), st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, 10, -1, 2**31 - 1])),
    st.booleans(),
    HUES,
    MEMORIES.map(str.encode),
)


def answers(most: int = 40) -> st.SearchStrategy[list[Action | Fault]]:
    """The answers of the ants in turn. A few are faults."""
    return st.lists(st.one_of(*[ACTIONS] * 30, FAULTS), max_size=most)
