"""Hypothesis strategies for the egg hunt: small crowded positions, and answers for several turns."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from referee.contract.positions import Position

MEMORIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=5)
ANSWERS = st.tuples(st.integers(1, 9), st.sampled_from("ACN"), MEMORIES)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Up to seven players, walls and eggs on a board of up to 5 × 5 cells, mostly without a border."""
    width, height = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    cells = draw(st.permutations([[x, y] for y in range(height) for x in range(width)]))
    count = draw(st.integers(1, min(7, len(cells) - 1)))
    eggs = draw(st.integers(1, len(cells) - count))
    walls = cells[count + eggs :][: draw(st.integers(0, 6))]
    return {
        "turns": draw(st.integers(1, 9)),
        "field": ["".join("#" if [x, y] in walls else " " for x in range(width)) for y in range(height)],
        "eggs": cells[count : count + eggs],
        "players": cells[:count],
    }


def turns(most: int = 9) -> st.SearchStrategy[list[list[Any]]]:
    """The answers for several turns: seven in each, even if there are fewer players."""
    return st.lists(st.lists(ANSWERS, min_size=7, max_size=7), min_size=1, max_size=most)
