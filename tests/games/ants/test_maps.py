"""Maps of Ants: reading, fairness, and the setup of a match (rule 11 of the game's README.md)."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from games.playing import map_refusal, shipped
from hypothesis import given
from hypothesis import strategies as st

from referee.boards.grid import orbit
from referee.errors import SetupError
from referee.games.ants.generate import KEPT_CLEAR, SYMMETRY, Larder, corners, lay_food, quarter
from referee.games.ants.maps import EXAMPLE, MAPS
from referee.games.ants.rules import start
from referee.games.ants.trials import trials

SHIPPED = shipped("ants")
FIELD = """
    H.....H
    .......
    .......
    ..1a1..
    .......
    .......
    H.....H
"""
LARDER = {"heaps": 3, "smallest": 2, "largest": 8, "crumbs": 4, "centre": 9}
NO_FOOD = {"heaps": 0, "smallest": 1, "largest": 1}
LAID = {"name": "Laid", "description": "For a test.", "size": 13, "food": LARDER}


def drawn(field: str = FIELD, **more: Any) -> dict[str, Any]:
    """A document with this field."""
    return {"name": "Drawn", "description": "For a test.", "field": field, **more}


def larder_of(*amounts: int) -> Larder:
    return Larder(**dict(zip(Larder.model_fields, amounts, strict=True)))


refused = partial(map_refusal, MAPS)


# -- Reading a map ---------------------------------------------------------------------------------------------------


def test_facts_of_a_drawn_map() -> None:
    facts = MAPS.facts(drawn(units=120, ants=4))
    assert (facts.name, facts.description, facts.size, facts.rounds) == ("Drawn", "For a test.", 7, 120)
    assert facts.starts == [(0, 0), (6, 0), (0, 6), (6, 6)]
    assert facts.rows == [row.strip() for row in FIELD.strip().splitlines()]
    assert facts.symmetry == "four-mirrors"
    assert facts.counts == {"mg of food": 12, "cells with food": 3, "ants a hill": 4}


def test_facts_of_a_laid_map_draw_an_example_and_say_so() -> None:
    facts = MAPS.facts(LAID)
    assert facts.description == "For a test." + EXAMPLE
    assert "example" in facts.description
    assert (facts.size, facts.rounds) == (13, 1000)
    assert facts.counts == {"mg of food": 4 * (2 + 5 + 8 + 4) + 9, "cells with food": 4 * 7 + 1, "ants a hill": 10}
    assert sum(row.count("1") for row in facts.rows) == 16
    assert facts.rows[6][6] == "9"


def test_letters_are_amounts_above_nine() -> None:
    document = drawn(FIELD.replace("1a1", "9z9"))
    assert MAPS.setup(document, seats=2, rng_seed=1)["food"] == [[2, 3, 9], [3, 3, 35], [4, 3, 9]]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (drawn(units=0), "units: "),
        (drawn(ants=101), "ants: "),
        (drawn(size=7), "field: it has its own size and food: leave out `size` and [food], or the field"),
        ({"name": "a", "description": "b"}, "field: is missing: draw one, or give `size` and a table [food]"),
        ({**LAID, "food": None}, "field: is missing: draw one"),
        ({**LAID, "size": 201}, "size: "),
        ({**LAID, "food": {**LARDER, "smallest": 9}}, "food: smallest: 9 is more than largest, 8"),
        ({**LAID, "food": {**LARDER, "crumbs": 40}}, "food: 43 cells in each quarter, but there is room for 20:"),
        ({**LAID, "size": 9}, "food: 7 cells in each quarter, but there is room for 0:"),
        ({**LAID, "size": 8, "food": {**NO_FOOD, "centre": 1}}, "food.centre: the middle"),
        (drawn("H"), "field: must have 2 to 200 rows, not 1"),
        (drawn("H.H\n.0.\nH.H"), "field: '0' at (1, 1) is not a cell: use . for nothing, 1 to 9 or a to z for food"),
        (drawn("H.H\n.H.\nH.H"), "field: 'H' at (1, 1): H must be in the four corners and nowhere else"),
        (drawn("H.H\n...\n..H"), "field: '.' at (0, 2): H must be in the four corners and nowhere else"),
    ],
)
def test_an_invalid_document_is_refused_with_the_key(document: dict[str, Any], message: str) -> None:
    assert refused(document).startswith(message)


# -- Checking a map --------------------------------------------------------------------------------------------------


def test_a_fair_map_has_no_warnings() -> None:
    assert MAPS.check(drawn()) == []
    assert MAPS.check(LAID) == []


def test_check_names_food_without_its_mirror_image() -> None:
    one, other = drawn(FIELD.replace("1a1", "1a2")), drawn(FIELD.replace("H.....H", "H..4..H", 1))
    assert MAPS.check(one) == ["The food at (2, 3), 1 mg, is not mirrored at (4, 3), with 2 mg."]
    assert MAPS.check(other) == ["The food at (3, 0), 4 mg, is not mirrored at (3, 6), with 0 mg."]
    assert MAPS.facts(one).symmetry == "none"


def test_half_turn_symmetry_is_not_enough() -> None:
    assert MAPS.check(drawn("H...H\n.3...\n.....\n...3.\nH...H"))[0].startswith("The food at (1, 1), 3 mg")


def test_check_warns_of_a_map_without_food() -> None:
    warnings = ["There is no food, so that nobody can score."]
    assert MAPS.check(drawn("H..H\n....\n....\nH..H")) == warnings
    assert MAPS.check({**LAID, "food": NO_FOOD}) == warnings


@pytest.mark.parametrize("name", SHIPPED)
def test_the_corners_of_a_shipped_map_have_no_food(name: str) -> None:
    for seed in range(3):
        setup = MAPS.setup(SHIPPED[name], seats=2, rng_seed=seed)
        far = [max(abs(x - a), abs(y - b)) for x, y, _ in setup["food"] for a, b in corners(setup["size"])]
        assert min(far) > KEPT_CLEAR


def test_the_default_map_is_shipped() -> None:
    facts = MAPS.facts(SHIPPED[MAPS.default])
    assert (facts.size, facts.rounds, facts.counts["ants a hill"], facts.counts["mg of food"]) == (31, 1000, 10, 380)


# -- The setup of a match --------------------------------------------------------------------------------------------


def test_a_setup_has_every_key() -> None:
    assert MAPS.setup(drawn(units=50, ants=3), seats=3, rng_seed=1, rotate=1) == {
        "size": 7, "units": 50, "unit": 1, "ants": 3, "hills": [[6, 0], [0, 6], [0, 0]],
        "food": [[2, 3, 1], [3, 3, 10], [4, 3, 1]], "smells": [], "teams": [[], [], []], "next": [0, 0],
        "disqualified": [None, None, None],
    }  # fmt: skip


def test_rounds_are_units() -> None:
    assert MAPS.setup(drawn(units=50), seats=2, rng_seed=1, rounds=7)["units"] == 7


@pytest.mark.parametrize(
    ("rounds", "why"),
    [
        (0, "rounds: must be 1 or more units, not 0"),
        (-3, "rounds: must be 1 or more units, not -3"),
        (10_001, "rounds: 10001 are too many to save: with 2 hills and ants = 10, use at most 10000"),
    ],
)
def test_wrong_numbers_of_rounds_are_refused(rounds: int, why: str) -> None:
    with pytest.raises(SetupError, match=why):
        MAPS.setup(drawn(ants=10), seats=2, rng_seed=1, rounds=rounds)
    assert MAPS.setup(drawn(ants=10), seats=2, rng_seed=1, rounds=10_000)["units"] == 10_000


def test_too_many_units_for_the_number_of_seats_are_refused() -> None:
    assert MAPS.setup(drawn(units=50_000, ants=2), seats=2, rng_seed=1)["units"] == 50_000
    why = "units: 50000 are too many to save: with 3 hills and ants = 2, use at most 33333"
    with pytest.raises(SetupError, match=why):
        MAPS.setup(drawn(units=50_000, ants=2), seats=3, rng_seed=1)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_wrong_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(SetupError, match=f"Drawn is for 2 to 4 bots, not {seats}"):
        MAPS.setup(drawn(), seats=seats, rng_seed=1)


def test_the_food_of_a_seed_is_the_same_in_every_version() -> None:
    """A saved command line with its seed plays the same match in every version."""
    food = MAPS.setup(LAID, seats=2, rng_seed=42)["food"]
    upper_left = [[4, 0, 1], [5, 1, 1], [0, 4, 1], [2, 4, 5], [0, 5, 1], [4, 5, 8], [5, 5, 2]]
    assert [entry for entry in food if entry[0] < 6 and entry[1] < 6] == upper_left


@given(
    st.integers(10, 24), st.integers(0, 3), st.integers(1, 9), st.integers(0, 20), st.integers(0, 5), st.integers(0, 9),
    st.integers(0, 2**63),
)  # fmt: skip
def test_11_laid_food_is_mirrored_clear_of_corners_and_complete(size, heaps, smallest, more, crumbs, centre, seed):
    larder = larder_of(heaps, smallest, smallest + more, crumbs, centre)
    if heaps + crumbs > len(quarter(size)):
        return
    document = {"name": "a", "description": "b", "size": size, "food": larder.model_dump()}
    setup = MAPS.setup(document, seats=2, rng_seed=seed)
    food = {(x, y): amount for x, y, amount in setup["food"]}
    assert all(food[image] == amount for cell, amount in food.items() for image in orbit(cell, SYMMETRY, size))
    assert all(max(abs(x - a), abs(y - b)) > 3 for x, y in food for a, b in corners(size))
    middles = (1 if size % 2 else 4) * (centre > 0)
    assert len(food) == 4 * (heaps + crumbs) + middles
    assert sum(food.values()) == 4 * sum(larder.amounts()) + middles * centre
    assert start(setup, 1).position() == setup


def test_the_sizes_of_heaps_are_spread_evenly() -> None:
    assert larder_of(6, 5, 20, 2, 0).amounts() == [20, 17, 14, 11, 8, 5, 1, 1]
    assert larder_of(3, 2, 3, 0, 0).amounts() == [3, 3, 2]
    assert larder_of(1, 2, 9, 0, 0).amounts() == [9]
    assert larder_of(0, 2, 9, 1, 0).amounts() == [1]


def test_every_cell_of_a_quarter_can_get_food() -> None:
    seen = {cell for seed in range(60) for cell in lay_food(larder_of(0, 1, 1, 4, 0), 12, random.Random(seed))}
    assert seen == {image for cell in quarter(12) for image in orbit(cell, SYMMETRY, 12)}


# -- The boards of `referee check` -----------------------------------------------------------------------------------


def board(title: str) -> dict[str, Any]:
    (trial,) = (trial for trial in trials() if trial.title == title)
    return start(trial.setup, 1).position()


def test_memories_of_boards_are_empty_and_smells_are_extreme() -> None:
    """In a match, a bot finds in a memory only what it has stored itself."""
    assert {ant["memory"] for trial in trials() for team in board(trial.title)["teams"] for ant in team} <= {"0" * 64}
    smells = board("extreme smells")["smells"]
    assert {entry[2] for entry in smells} >= {2**31 - 1, -(2**31)}
    assert {entry[3] for entry in smells} >= {100, 99, 20}
