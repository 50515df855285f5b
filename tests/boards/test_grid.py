"""Symmetry groups, and the cells that steps reach."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.boards.grid import DIRECTIONS, GROUPS, SYMMETRIES, first_asymmetry, orbit, reachable_cells

CELLS = [(x, y) for y in range(5) for x in range(5)]


@pytest.mark.parametrize("name", GROUPS)
def test_a_symmetry_of_a_map_is_a_group(name: str) -> None:
    images = {tuple(SYMMETRIES[element](cell, 5) for cell in CELLS) for element in GROUPS[name]}
    assert len(images) == len(GROUPS[name])
    for one, other in product(images, images):
        assert tuple(one[CELLS.index(cell)] for cell in other) in images


def test_an_orbit_starts_with_the_cell_and_its_opposite_and_has_no_duplicates() -> None:
    assert orbit((1, 0), "quarter", 5) == [(1, 0), (3, 4), (4, 1), (0, 3)]
    assert orbit((1, 0), "four-mirrors", 5) == [(1, 0), (3, 4), (3, 0), (1, 4)]
    assert orbit((1, 0), "full", 5) == [(1, 0), (3, 4), (4, 1), (0, 3), (3, 0), (1, 4), (0, 1), (4, 3)]
    assert orbit((2, 2), "quarter", 5) == [(2, 2)]
    assert orbit((3, 3), "diagonal", 5) == [(3, 3)]


def test_the_first_asymmetry_is_a_cell_and_its_unequal_image() -> None:
    assert first_asymmetry({(0, 0): "b", (4, 4): "b"}, "half", 5) is None
    assert first_asymmetry({(0, 0): "b", (4, 4): "e"}, "half", 5) == ((0, 0), (4, 4))
    assert first_asymmetry({(3, 0): "b", (1, 0): "b"}, "half", 5) == ((1, 0), (3, 4))
    assert first_asymmetry({(3, 0): "b"}, "none", 5) is None


@given(st.sets(st.sampled_from(CELLS), min_size=1))
def test_reachable_cells_are_the_connected_area(cells: set[tuple[int, int]]) -> None:
    steps = DIRECTIONS.values()
    for start in cells:
        area = reachable_cells(start, cells, steps)
        assert start in area <= cells
        assert {(x + dx, y + dy) for x, y in area for dx, dy in steps} & cells <= area
        assert all(reachable_cells(cell, cells, steps) == area for cell in area)
