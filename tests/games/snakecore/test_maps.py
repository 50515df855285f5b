"""Maps of SnakeCore: reading, fairness, and the setup of a match (rule 19 of the game's README.md)."""

from __future__ import annotations

import tomllib
from functools import partial
from typing import Any

import pytest
from games.playing import map_refusal, refusal, shipped
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.boards.grid import DIRECTIONS, GROUPS, SYMMETRIES, Cell
from referee.errors import SetupError
from referee.games.snakecore.maps import MAPS

SHIPPED = shipped("snakecore")
SEEDS = st.integers(0, 2**63)

LEGEND = "use W wall, R reactor, b or e block, . empty, 1 to 8 start"
FAIR = """
    1..b.
    .W.R.
    ..e..
    .R.W.
    .b..2
"""


def drawn(field: str, symmetry: str = "none", **more: Any) -> dict[str, Any]:
    """A document with this field."""
    return {"name": "Drawn", "description": "For a test.", "symmetry": symmetry, "field": field, **more}


def random_blocks(ordinary: int = 0, energy: int = 0) -> dict[str, Any]:
    return {"blocks": {"ordinary": ordinary, "energy": energy}}


refused = partial(map_refusal, MAPS)


def neighbours(cell: Cell, size: int) -> set[Cell]:
    """The cells of the field that share an edge with this one."""
    beside = {(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS.values()}
    return {(x, y) for x, y in beside if 0 <= x < size and 0 <= y < size}


def blocks_of(position: dict[str, Any]) -> dict[Cell, str]:
    return {(x, y): c for y, row in enumerate(position["field"]) for x, c in enumerate(row) if c in "be"}


# -- The shipped maps ------------------------------------------------------------------------------------------------


def test_there_are_maps_for_two_four_and_eight_and_the_default_is_for_four() -> None:
    assert len(SHIPPED) >= 9
    assert {len(MAPS.facts(document).starts) for document in SHIPPED.values()} == {2, 4, 8}
    assert len(MAPS.facts(SHIPPED[MAPS.default]).starts) == 4
    assert min(MAPS.facts(document).size for document in SHIPPED.values()) < 11


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_map_has_a_description_and_no_dead_end(name: str) -> None:
    facts = MAPS.facts(SHIPPED[name])
    assert facts.name.lower().replace(" ", "-").startswith(name)
    assert facts.description.endswith(".")
    free = {(x, y) for y, row in enumerate(facts.rows) for x, c in enumerate(row) if c not in "WR"}
    assert [cell for cell in free if len(free.intersection(neighbours(cell, facts.size))) < 2] == []


# -- Reading a map ---------------------------------------------------------------------------------------------------


def test_facts_of_a_map() -> None:
    facts = MAPS.facts(drawn(FAIR, "half", rounds=120, **random_blocks(4, 2)))
    assert (facts.name, facts.description, facts.rounds, facts.symmetry) == ("Drawn", "For a test.", 120, "half")
    assert (facts.size, facts.starts) == (5, [(0, 0), (4, 4)])
    assert facts.rows == ["1..b.", ".W.R.", "..e..", ".R.W.", ".b..2"]
    assert facts.counts == {"walls": 2, "reactors": 2, "ordinary": 6, "energy": 3}


def test_the_default_is_300_rounds_and_no_further_blocks() -> None:
    assert MAPS.facts(drawn(FAIR, "half")).rounds == 300
    assert MAPS.facts(drawn(FAIR, "half")).counts["ordinary"] == 2


def test_a_field_with_windows_line_ends_is_the_same() -> None:
    assert MAPS.facts(drawn(FAIR.replace("\n", "\r\n"))).rows == MAPS.facts(drawn(FAIR)).rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": 0}, "rounds: must be 1 or more"),
        ({"rounds": 200_001}, "rounds: must be 200000 or less"),
        ({"name": "a\nb"}, "name: must be one line of text, not empty"),
        ({"description": "\x1b[2J"}, "description: must be one line of text, not empty"),
        ({"symmetry": "third"}, f"symmetry: must be {', '.join(map(repr, [*GROUPS][:-1]))} or 'full'"),
        ({"colour": "red"}, "colour: unknown key"),
        ({"blocks": {"energy": -2}}, "blocks.energy: must be 0 or more"),
        ({"blocks": {"ordinery": 4}}, "blocks.ordinery: unknown key (did you mean 'ordinary'?)"),
        ({"blocks": {"ordinary": 5}}, "blocks.ordinary: 5 cannot be placed symmetrically, 2 at a time: use 4 or 6"),
    ],
)
def test_an_invalid_value_is_refused_with_its_key_and_the_remedy(change: dict[str, Any], message: str) -> None:
    assert refused({**drawn(FAIR, "half"), **change}) == message


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("1.\n.2", "field: must have 3 to 999 rows, not 2"),
        ("1..\n....\n...", "field: row 2 has 4 characters, but a field of 3 rows needs 3 in each"),
        ("1..\n.#.\n...", f"field: '#' at (1, 1) is not a cell: {LEGEND}"),
        ("...\n...\n...", "field: no place to start: write 1 on an empty cell, 2 on another, and so on"),
        ("1..\n...\n..3", "field: start 3 but no start 2: number the starts from 1 without a gap"),
        ("1..\n.2.\n..1", "field: start 1 is at (0, 0) and at (2, 2): use each number once"),
    ],
)
def test_an_invalid_field_is_refused(field: str, message: str) -> None:
    assert refused(drawn(field)) == message


# -- Checking a map --------------------------------------------------------------------------------------------------


def test_a_fair_map_has_no_warnings() -> None:
    assert MAPS.check(drawn(FAIR, "half", **random_blocks(4, 2))) == []


def test_one_start_needs_no_symmetry() -> None:
    assert MAPS.check(drawn("1.b\nWW.\nWR.")) == []


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("1.b/.R./b.2", "half"),
        ("b.b/1R2/...", "left-right"),
        ("b1./.R./b2.", "top-bottom"),
        (".b1/bR./2..", "diagonal"),
        ("1b./.Rb/..2", "anti-diagonal"),
        ("1b3/bRb/4b2", "quarter"),
        ("1b4/.R./3b2", "four-mirrors"),
        ("1b./bRb/.b2", "quarter"),
        (".1.5./7b.b3/..R../4b.b8/.6.2.", "full"),
        (".1.3./7b.b5/..R../6b.b8/.4.2.", "full"),
    ],
)
def test_every_symmetry_makes_its_starts_equivalent(field: str, name: str) -> None:
    assert MAPS.check(drawn(field.replace("/", "\n"), name)) == []


@pytest.mark.parametrize(
    ("before", "after", "thing", "image"),
    [
        (".W.R.", "...R.", "wall at (3, 3)", "(1, 1)"),
        (".W.R.", ".W...", "reactor at (1, 3)", "(3, 1)"),
        (".b..2", "....2", "ordinary block at (3, 0)", "(1, 4)"),
        ("..e..", ".ee..", "energy block at (1, 2)", "(3, 2)"),
    ],
)
def test_check_names_a_cell_without_counterpart(before: str, after: str, thing: str, image: str) -> None:
    sentence = f"The {thing} has no counterpart at {image}, which the symmetry half requires."
    assert MAPS.check(drawn(FAIR.replace(before, after), "half")) == [sentence]


@pytest.mark.parametrize(
    ("field", "name", "starts"),
    [
        ("1.b/.R./b2.", "half", "2"),
        ("1b3/bRb/4b2", "half", "3, 4"),
        (".1.5./7b.b3/..R../4b.b8/.6.2.", "quarter", "5, 6, 7, 8"),
    ],
)
def test_check_names_starts_that_are_not_equivalent(field: str, name: str, starts: str) -> None:
    (sentence,) = MAPS.check(drawn(field.replace("/", "\n"), name))
    assert sentence.startswith(f"Starts that are not alike with start 1: {starts}. The symmetry {name} ")


@pytest.mark.parametrize(
    ("field", "name", "sentence"),
    [
        ("1b2/bRb/4b3", "quarter", "Two bots would not start alike: number the starts so that 2 is opposite 1"),
        (".1.2./7b.b3/..R../4b.b8/.6.5.", "full", "Two bots would not start alike: number the starts so that 2 is"),
        (".1.3./7b.b5/..R../4b.b8/.6.2.", "full", "Four bots would not start alike: number the starts so that quarter"),
    ],
)
def test_check_names_starts_that_are_not_equivalent_for_fewer_bots(field: str, name: str, sentence: str) -> None:
    (warning,) = MAPS.check(drawn(field.replace("/", "\n"), name))
    assert warning.startswith(sentence)


@pytest.mark.parametrize(
    ("field", "sentences"),
    [
        ("1b.W./...WW/...../...../R....", ["The cell at (4, 0) cannot be reached from start 1."]),
        ("1b.WR/...WW/...../...../R....", ["The reactor at (4, 0) cannot be reached from start 1."]),
        ("1b.../...../...../...../.....", ["Start 1 cannot reach a reactor."]),
        ("1bR../..R../..R../..R../..R..", ["The cell at (3, 0) cannot be reached from start 1."]),
        ("1..../...../...../...../R....", ["There are no blocks, so that nobody can score."]),
    ],
)
def test_check_names_what_cannot_be_reached_or_scored(field: str, sentences: list[str]) -> None:
    assert MAPS.check(drawn(field.replace("/", "\n"))) == sentences


def test_check_names_a_start_without_a_reactor() -> None:
    assert "Start 2 cannot reach a reactor." in MAPS.check(drawn("1bW2W\n..WWW\n.....\n.....\nR....", "none"))


def test_check_names_the_room_for_blocks_if_there_are_too_many() -> None:
    document = drawn("1..\n.R.\n..2", "half", **random_blocks(6, 2))
    (sentence,) = MAPS.check(document)
    assert sentence == "Blocks: 8 do not fit on 6 symmetric empty cells: place fewer, or clear some cells."
    with pytest.raises(SetupError, match="do not fit on 6 symmetric empty cells"):
        MAPS.setup(document, seats=2, rng_seed=1)
    assert MAPS.check(drawn("1..\n.R.\n..2", "half", **random_blocks(4, 2))) == []


def test_fixed_cells_of_a_symmetry_are_not_room_for_whole_orbits() -> None:
    field = "1..\n.R.\n..."  # the mirror's axis runs through the start and the opposite corner
    document = drawn(field, "diagonal", **random_blocks(8))
    assert "do not fit on 6 symmetric empty cells" in MAPS.check(document)[-1]


# -- Starting a match ------------------------------------------------------------------------------------------------


def test_a_setup_is_a_position_with_every_key() -> None:
    assert MAPS.setup(drawn(FAIR, "half"), seats=2, rng_seed=1, rounds=50) == {
        "size": 5, "rounds": 50, "round": 1, "seat": 0, "field": ["...b.", ".W.R.", "..e..", ".R.W.", ".b..."],
        "pythons": [
            {"cells": [cell], "blocks": "", "shield": 0, "score": 0, "disqualified": None} for cell in ([0, 0], [4, 4])
        ],
    }  # fmt: skip


def test_a_seed_places_the_same_blocks_on_every_version_of_python() -> None:
    """The code may use only Random.random, because its sequence is guaranteed."""
    position = MAPS.setup(drawn(FAIR, "half", **random_blocks(4, 2)), seats=2, rng_seed=42)
    assert position["field"] == [".b.b.", "bWeR.", "..e..", ".ReWb", ".b.b."]


@pytest.mark.parametrize("name", SHIPPED)
@given(seed=SEEDS)
@settings(max_examples=10)
def test_random_blocks_are_symmetric(name: str, seed: int) -> None:
    document = SHIPPED[name]
    size = MAPS.facts(document).size
    blocks = blocks_of(MAPS.setup(document, seats=1, rng_seed=seed))
    for element in GROUPS[document["symmetry"]]:
        assert {SYMMETRIES[element](cell, size): kind for cell, kind in blocks.items()} == blocks


def test_blocks_are_placed_only_where_the_whole_orbit_is_empty() -> None:
    document = drawn("1.W\n.R.\n..2", "half", **random_blocks(4))
    for seed in range(10):
        assert MAPS.setup(document, seats=2, rng_seed=seed)["field"] == [".bW", "bRb", ".b."]


def test_other_seeds_place_other_blocks_and_use_every_orbit() -> None:
    document = drawn("1....\n.....\n..R..\n.....\n....2", "half", **random_blocks(2, 2))
    fields = [tuple(MAPS.setup(document, seats=2, rng_seed=seed)["field"]) for seed in range(60)]
    assert len(set(fields)) > 40
    assert {field[y][x] for field in fields for x, y in [(1, 0)]} == set("be.")


def test_the_number_of_bots_and_their_rotation_do_not_change_the_blocks() -> None:
    document = SHIPPED["arena"]
    fields = [
        MAPS.setup(document, seats=seats, rng_seed=9, rotate=rotate)["field"]
        for seats in (1, 2, 3, 4)
        for rotate in range(seats)
    ]
    assert all(field == fields[0] for field in fields)


@pytest.mark.parametrize(
    ("name", "seats", "rotate", "places"),
    [
        ("crossroads", 4, 1, "2341"),
        ("crossroads", 4, 5, "2341"),
        ("crossroads", 2, 1, "21"),
        ("crossroads", 3, 2, "312"),
        ("compass", 6, 2, "345612"),
    ],
)
def test_seats_rotate_over_as_many_places_as_there_are_bots(name: str, seats: int, rotate: int, places: str) -> None:
    document = SHIPPED[name]
    starts = MAPS.facts(document).starts
    position = MAPS.setup(document, seats=seats, rng_seed=1, rotate=rotate)
    assert [tuple(p["cells"][0]) for p in position["pythons"]] == [starts[int(digit) - 1] for digit in places]


def test_rounds_default_to_those_of_the_map() -> None:
    assert MAPS.setup(SHIPPED["duel"], seats=2, rng_seed=1)["rounds"] == SHIPPED["duel"]["rounds"] == 200
    assert MAPS.setup(SHIPPED["duel"], seats=2, rng_seed=1, rounds=7)["rounds"] == 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 3}, "Drawn takes at most 2 bots, not 3: choose a larger map"),
        ({"seats": 0}, "a match on Drawn needs at least 1 bot"),
        ({"seats": 2, "rounds": 0}, "rounds: must be 1 or more, not 0"),
        ({"seats": 2, "rounds": 100_001}, "rounds: 100001 are too many to save: with 2 pythons, use at most 100000"),
    ],
)
def test_an_impossible_setup_is_refused(arguments: dict[str, int], message: str) -> None:
    assert refusal(MAPS.setup, drawn(FAIR, "half"), rng_seed=1, **arguments) == message


# -- Generated maps --------------------------------------------------------------------------------------------------

KINDS = [
    (1, None),
    (2, None),
    *((2, name) for name in ("left-right", "top-bottom", "diagonal", "anti-diagonal", "quarter", "four-mirrors")),
    (3, None),
    (4, None),
    (4, "four-mirrors"),
    *((players, None) for players in (5, 6, 7, 8)),
]
PLACES = {3: 4, 5: 8, 6: 8, 7: 8}
"""How many places a map has, if that is not the number of players."""


def generated(size: int, players: int, symmetry: str | None, seed: int) -> str:
    return MAPS.generate(size=size, players=players, symmetry=symmetry, rng_seed=seed, name="Drawn")


def smallest(players: int) -> int:
    """The smallest side of a map for so many players."""
    return 15 if players > 4 else 5


@given(size=st.integers(5, 45), kind=st.sampled_from(KINDS), seed=SEEDS)
def test_a_generated_map_is_fair_and_playable(size: int, kind: tuple[int, str | None], seed: int) -> None:
    players, name = kind
    size = max(size, smallest(players))
    text = generated(size, players, name, seed)
    document = tomllib.loads(text)
    assert MAPS.check(document) == []
    facts = MAPS.facts(document)
    assert (facts.size, len(facts.starts), facts.name) == (size, PLACES.get(players, players), "Drawn")
    if name:
        assert facts.symmetry == name
    MAPS.setup(document, seats=players, rng_seed=seed)
    assert generated(size, players, name, seed) == text


@given(size=st.integers(15, 45), kind=st.sampled_from(KINDS), seed=SEEDS)
def test_a_generated_map_has_enough_walls_and_blocks_and_no_dead_end(size, kind, seed) -> None:
    players, name = kind
    size += 6 if players > 4 else 0
    facts = MAPS.facts(tomllib.loads(generated(size, players, name, seed)))
    empty = sum(c == "." for row in facts.rows for c in row)
    blocks = facts.counts["ordinary"] + facts.counts["energy"]
    assert 0.10 <= blocks / empty <= 0.14
    assert abs(facts.counts["energy"] - blocks / 5) <= len(GROUPS[facts.symmetry]) / 2
    assert facts.counts["walls"] >= 0.04 * size * size
    free = {(x, y) for y, row in enumerate(facts.rows) for x, c in enumerate(row) if c not in "WR"}
    assert [cell for cell in free if len(free.intersection(neighbours(cell, size))) < 2] == []


def test_a_generated_map_for_eight_has_walls_although_eight_images_of_a_piece_seldom_fit() -> None:
    for seed in range(10):
        assert MAPS.facts(tomllib.loads(generated(21, 8, None, seed))).counts["walls"] >= 0.08 * 21 * 21


@pytest.mark.parametrize("larger", range(5))
@pytest.mark.parametrize("kind", KINDS)
def test_a_generated_map_may_be_small(larger: int, kind: tuple[int, str | None]) -> None:
    for seed in range(3):
        size = smallest(kind[0]) + larger
        document = tomllib.loads(generated(size, *kind, seed))
        assert MAPS.check(document) == []
        MAPS.setup(document, seats=kind[0], rng_seed=1)


def test_a_seed_generates_the_same_map_on_every_version_of_python() -> None:
    assert generated(9, 2, None, 3) == GOLDEN_MAP


def test_another_seed_generates_another_map() -> None:
    assert len({tomllib.loads(generated(21, 4, None, seed))["field"] for seed in range(20)}) == 20


GOLDEN_MAP = """\
name = "Drawn"
description = "Drawn at random for 2 players, with seed 3."
symmetry = "half"
field = '''
.........
.1.WWWWR.
.........
...WW....
.........
....WW...
.........
.RWWWW.2.
.........
'''

[blocks]
ordinary = 6
energy = 2
"""


def test_a_name_in_quotes_or_another_script_survives() -> None:
    for name in ('"Ünï" \\ 蛇 ☃', "'''"):
        text = MAPS.generate(size=9, players=2, symmetry=None, rng_seed=1, name=name)
        assert tomllib.loads(text)["name"] == name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 4}, "size: a map can be drawn with 5 to 300 cells a side, not 4"),
        ({"size": 14, "players": 5}, "size: a map can be drawn with 15 to 300 cells a side, not 14"),
        ({"players": 0}, "players: a map can be drawn for 1 to 8 players, not 0"),
        ({"players": 9}, "players: a map can be drawn for 1 to 8 players, not 9"),
        ({"players": 3, "symmetry": "half"}, "symmetry: for 4 players use quarter or four-mirrors, not 'half'"),
        ({"name": "a\nb"}, "name: must be one line of text, not empty"),
    ],
)
def test_generate_names_the_invalid_argument(change: dict[str, Any], message: str) -> None:
    usual = {"size": 21, "players": 4, "symmetry": None, "rng_seed": 1, "name": "X"}
    assert refusal(MAPS.generate, **{**usual, **change}) == message
