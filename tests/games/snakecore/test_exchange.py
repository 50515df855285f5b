"""Exchanges of cells that send each start to the next (symmetry `paths`, rule 19 of the game's README.md)."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.games.snakecore import exchange, symmetry
from referee.games.snakecore.maps import MAPS
from referee.games.snakecore.ways import Ways
from referee.grid import Cell

TRIANGLE = Path(__file__).parents[3] / "maps" / "snakecore" / "triangle.toml"

STAR = ["RW.2R", "1W.WW", "..b..", "WWWW3", "WWWWR"]
"""Three starts about a crossing, each between a reactor and a way that bends."""

TWINS = ["WWWWWWW", "WW...WW", "W.W2W.W", "W.1.3.W", "W.WWW.W", "WWWWWWW", "WWWWWWW"]
"""Behind each start a fork whose two ends nothing tells apart."""

RING = ["....", ".WW.", ".WW.", "...."]


def field(rows: Sequence[str]) -> tuple[dict[Cell, str], list[Cell]]:
    """The cells that are not walls, starts as empty ones, and the starts in their order."""
    cells = {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row) if c != "W"}
    starts = sorted((cell for cell, c in cells.items() if c.isdigit()), key=lambda cell: cells[cell])
    return {cell: "." if c.isdigit() else c for cell, c in cells.items()}, starts


def group_of(contents: Mapping[Cell, str], starts: Sequence[Cell]) -> list[symmetry.Exchange] | None:
    ways = Ways(contents)
    return symmetry.exchanges(ways, [ways.distances(start) for start in starts])


def beside(cell: Cell, contents: Mapping[Cell, str]) -> set[Cell]:
    """The neighbours of a cell that are ways from it or to it: between two reactors there is none."""
    return {d for d in symmetry.four(cell) if d in contents and not contents[cell] == contents[d] == "R"}


def assert_keeps(group: Sequence[symmetry.Exchange], contents: Mapping[Cell, str], starts: Sequence[Cell]) -> None:
    """The rule: neighbours and contents stay, and one step of the exchange sends each start to the next."""
    assert len(group) == len(starts)
    step = group[1 % len(group)]
    assert [step(start) for start in starts] == [*starts[1:], starts[0]]
    assert {step(cell) for cell in contents} == set(contents)
    for cell, kind in contents.items():
        assert contents[step(cell)] == kind
        assert {step(near) for near in beside(cell, contents)} == beside(step(cell), contents)
        at = cell
        for send in group:
            assert send(cell) == at
            at = step(at)
        assert at == cell


def exists(contents: Mapping[Cell, str], starts: Sequence[Cell]) -> bool:
    """Whether there is an exchange, found by trying every cell for every cell."""
    cells = [*starts, *(cell for cell in contents if cell not in starts)]
    near = {cell: beside(cell, contents) for cell in contents}
    images: dict[Cell, Cell] = dict(zip(starts, [*starts[1:], starts[0]], strict=True))

    def fits(cell: Cell, image: Cell) -> bool:
        return (
            contents[cell] == contents[image]
            and len(near[cell]) == len(near[image])
            and all((other in near[cell]) == (images[other] in near[image]) for other in images if other != cell)
        )

    def goes_on(at: int) -> bool:
        if at == len(cells):
            return True
        for image in cells[len(starts) :]:
            if image not in images.values() and fits(cells[at], image):
                images[cells[at]] = image
                if goes_on(at + 1):
                    return True
                del images[cells[at]]
        return False

    return all(fits(cell, image) for cell, image in images.items()) and goes_on(len(starts))


@pytest.mark.parametrize("rows", [STAR, TWINS, tomllib.loads(TRIANGLE.read_text(encoding="utf-8"))["field"].split()])
def test_an_exchange_keeps_neighbours_and_contents_and_goes_round_in_as_many_steps_as_starts(rows: list[str]) -> None:
    contents, starts = field(rows)
    group = group_of(contents, starts)
    assert group is not None
    assert_keeps(group, contents, starts)


@st.composite
def fields(draw: st.DrawFn) -> tuple[dict[Cell, str], list[Cell]]:
    """A field of few cells, often one that a symmetry of the square keeps, with starts that are often alike."""
    size = draw(st.integers(2, 4))
    rows = draw(st.lists(st.text("...WRRb", min_size=size, max_size=size), min_size=size, max_size=size))
    contents = {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row)}
    group = symmetry.of_square(draw(st.sampled_from(list(symmetry.GROUPS))), size)
    contents = {cell: contents[min(symmetry.orbit(cell, group))] for cell in contents}
    first = draw(st.sampled_from(sorted(contents)))
    some = st.lists(st.sampled_from(sorted(contents)), min_size=1, max_size=4, unique=True)
    starts = draw(st.one_of(st.permutations(symmetry.orbit(first, group)), some))
    contents |= dict.fromkeys(starts, ".")
    return {cell: kind for cell, kind in contents.items() if kind != "W"}, starts


@given(fields())
@settings(max_examples=300, deadline=None)
def test_an_exchange_is_found_where_there_is_one_and_only_there(drawn: tuple[dict[Cell, str], list[Cell]]) -> None:
    contents, starts = drawn
    group = group_of(contents, starts)
    if group is None:
        # An exchange of which no power goes round in as many steps as starts makes no group of so many elements.
        ways = Ways(contents)
        steps = [ways.distances(start) for start in starts]
        assert exchange._Colours(ways, steps).exchange() is not None or not exists(contents, starts)
    else:
        assert_keeps(group, contents, starts)


def test_two_starts_on_a_ring_are_exchanged_though_a_mirror_has_to_be_guessed() -> None:
    contents, _ = field(RING)
    group = group_of(contents, [(0, 0), (3, 3)])
    assert group is not None
    assert_keeps(group, contents, [(0, 0), (3, 3)])


def test_the_way_between_two_reactors_is_nobodys() -> None:
    contents, starts = field(["1RRW", "WWWW", "2RWR", "WWWW"])
    assert group_of(contents, starts) is not None
    contents, starts = field(["1RbW", "WWWW", "2RWb", "WWWW"])
    assert group_of(contents, starts) is None


def test_equal_distances_do_not_make_an_exchange() -> None:
    contents, starts = field([*STAR[:4], "WWW.R"])
    assert group_of(contents, starts) is None


@given(st.data(), st.integers(5, 12), st.sampled_from(["half", "quarter", "left-right", "diagonal"]))
@settings(max_examples=100, deadline=None)
def test_on_a_field_that_a_symmetry_of_the_square_keeps_there_is_an_exchange(
    data: st.DataObject, size: int, name: str
) -> None:
    square = symmetry.of_square(name, size)
    walls = data.draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=size))
    solid = {image for cell in walls for image in symmetry.orbit(cell, square)}
    contents = {(x, y): "." for x in range(size) for y in range(size) if (x, y) not in solid}
    turns = [square[0], square[2], square[1], square[3]] if name == "quarter" else square
    moved = [cell for cell in contents if len(symmetry.orbit(cell, square)) == len(square)]
    assume(moved)
    first = data.draw(st.sampled_from(moved))
    starts = [send(first) for send in turns]
    group = group_of(contents, starts)
    assert group is not None
    assert_keeps(group, contents, starts)


def test_an_exchange_that_needs_two_rounds_is_mended_to_one() -> None:
    assert exchange.powers([1, 2, 3, 4, 5, 0, 6], 3) == [
        [0, 1, 2, 3, 4, 5, 6],
        [4, 5, 0, 1, 2, 3, 6],
        [2, 3, 4, 5, 0, 1, 6],
    ]


def test_an_exchange_that_no_power_mends_makes_no_group() -> None:
    rings = [(0, 1), range(2, 2 + 37)]
    images = list(range(39))
    for ring in rings:
        for number, image in zip(ring, [*ring[1:], ring[0]], strict=True):
            images[number] = image
    assert exchange.powers(images, 2) is None


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many rounds were made, and how many cells they looked at."""
    count: Counter[str] = Counter()
    parts = exchange._Colours._parts

    def counted(self: exchange._Colours, nodes: Collection[int]) -> dict[int, list[list[int]]]:
        count["rounds"] += 1
        count["cells"] += len(nodes)
        return parts(self, nodes)

    monkeypatch.setattr(exchange._Colours, "_parts", counted)
    return count


@pytest.mark.parametrize(
    ("rows", "starts"),
    [
        (["." * 60] * 60, [(0, 0), (59, 59)]),
        (["." * 59, "W" * 59, *["." * 59] * 57], [(0, 0), (58, 0)]),
        ([".." + "W" * 38, "W" * 40, *["." * 40, "W" * 39 + ".", "." * 40, "." + "W" * 39] * 9], [(0, 0), (1, 0)]),
    ],
    ids=["a mirror", "a field that no start reaches", "a long way that no start reaches"],
)
def test_to_look_for_an_exchange_is_not_to_look_at_every_cell_in_every_round(
    looked_at: Counter[str], rows: list[str], starts: list[Cell]
) -> None:
    contents, _ = field(rows)
    group = group_of(contents, starts)
    assert group is not None
    assert_keeps(group, contents, starts)
    both = 2 * len(contents)
    assert both <= looked_at["cells"] <= both * math.log2(both)


@given(st.integers(5, 9), st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=16))
@settings(max_examples=100, deadline=None)
def test_refined_colours_are_as_fine_as_the_neighbours_colours_make_them(size: int, walls: set[Cell]) -> None:
    contents = {(x, y): "." for x in range(size) for y in range(size) if (x, y) not in walls}
    ways = Ways(contents)
    colours = exchange._Colours(ways, [[-1] * len(ways.kinds)])
    assert colours._refine(colours._order)
    for parts in colours._parts(colours._order).values():
        assert len(parts) == 1


def test_where_the_distances_differ_nothing_more_is_looked_at(looked_at: Counter[str]) -> None:
    contents, starts = field(["1..b", "WWWW", "2.b.", "WWWW"])
    assert group_of(contents, starts) is None
    assert looked_at["rounds"] == 0


def test_where_the_ways_join_otherwise_no_more_than_one_round_is_looked_at(looked_at: Counter[str]) -> None:
    contents, starts = field([*STAR[:4], "WWW.R"])
    assert group_of(contents, starts) is None
    assert looked_at["rounds"] == 1


def test_a_guess_that_is_taken_back_leaves_no_trace() -> None:
    contents, starts = field(["1...", "....", "....", "...2"])
    ways = Ways(contents)
    colours = exchange._Colours(ways, [ways.distances(start) for start in starts])
    before = (list(colours._colour), list(colours._size))
    classes = [colours._order[at : at + size] for at, size in enumerate(colours._size) if size > 2]
    assert len(classes) > 1
    for nodes in classes:
        colours._split(colours._colour[nodes[0]], nodes[1:3])
        colours._split(colours._colour[nodes[0]], nodes[:1])
    assert (colours._colour, colours._size) != before
    colours._take_back(0)
    assert (colours._colour, colours._size) == before
    for nodes in classes:
        at = colours._colour[nodes[0]]
        assert set(colours._order[at : at + len(nodes)]) == set(nodes)


def test_a_map_made_to_be_hard_is_given_up_after_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Counter[str] = Counter()
    for name in ("_match", "_refine"):
        whole = getattr(exchange._Colours, name)

        def counted(*given: Any, name: str = name, whole: Any = whole) -> Any:
            made[name] += 1
            return whole(*given)

        monkeypatch.setattr(exchange._Colours, name, counted)
    islands = ["1" + "W" * 39 + "2", "W" * 41, *[".W" * 20 + ".", "W" * 41] * 19, "W" * 41]
    document: dict[str, Any] = {"name": "Islands", "description": "Each must be guessed.", "symmetry": "paths"}
    unfair, *_ = MAPS.check(document | {"field": "\n".join(islands)})
    assert unfair.startswith("The starts are not alike: no exchange of cells")
    assert made == {"_match": 200, "_refine": 200}
