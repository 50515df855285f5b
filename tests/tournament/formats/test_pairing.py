"""Groups of neighbours without rematches."""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.boards.chance import shuffled
from referee.tournament.formats.pairing import MeetingCounts, neighbours


def met(*pairs: tuple[int, int]) -> MeetingCounts:
    return {pair: pairs.count(pair) for pair in pairs}


def rematches(groups: Sequence[Sequence[int]], before: MeetingCounts) -> int:
    return sum(pair in before for group in groups for pair in combinations(sorted(group), 2))


@pytest.mark.parametrize(
    ("order", "seats", "before", "groups"),
    [
        pytest.param([5, 3, 4, 0, 1, 2], 2, {}, [[5, 3], [4, 0], [1, 2]], id="neighbours that have not met"),
        pytest.param(range(6), 2, met((0, 1), (0, 2)), [[0, 3], [1, 2], [4, 5]], id="the nearest that 0 has not met"),
        pytest.param(range(4), 2, met((2, 3)), [[0, 2], [1, 3]], id="0 yields, or 2 would have to meet 3 again"),
        pytest.param(
            range(6),
            2,
            met(*product((0, 1, 2), (3, 4, 5))),
            [[0, 1], [2, 3], [4, 5]],
            id="of two triangles, the nearest meet again",
        ),
        pytest.param(
            range(4),
            2,
            met((0, 1), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (2, 3)),
            [[0, 2], [1, 3]],
            id="all have met, 0 and 1 twice",
        ),
        pytest.param([7, 6, 5, 4, 3, 2, 1, 0], 4, {}, [[7, 6, 5, 4], [3, 2, 1, 0]], id="groups of neighbours"),
        pytest.param(range(6), 3, met((0, 1)), [[0, 2, 3], [1, 4, 5]], id="whom the members have met least"),
        # 6 changes with 5: [3, 4, 6] and [5, 7, 8]. 7 would meet 6 in the middle group, so it changes with 2.
        pytest.param(
            range(9),
            3,
            met((6, 7), (6, 8), (7, 8)),
            [[0, 1, 7], [2, 5, 8], [3, 4, 6]],
            id="the last group is mended by exchanges",
        ),
    ],
)
def test_neighbours(order: Sequence[int], seats: int, before: MeetingCounts, groups: list[list[int]]) -> None:
    assert neighbours(order, seats, before) == groups


@given(st.integers(2, 4), st.integers(2, 4), st.floats(0.1, 0.7), st.randoms())
def test_no_exchange_of_two_has_fewer_rematches(seats: int, count: int, density: float, rng: Random) -> None:
    before = {pair: 1 for pair in combinations(range(seats * count), 2) if rng.random() < density}
    groups = neighbours(range(seats * count), seats, before)
    least = rematches(groups, before)
    for one, other in combinations(range(seats * count), 2):
        exchanged = [[{one: other, other: one}.get(number, number) for number in group] for group in groups]
        assert rematches(exchanged, before) >= least


@given(st.integers(4, 40), st.randoms())
def test_two_seats_have_no_rematch_in_the_first_half(count: int, rng: Random) -> None:
    """Whatever the standing, and whoever has the bye of an odd field."""
    before: dict[tuple[int, int], int] = {}
    for _ in range(count // 2):
        groups = neighbours(shuffled(range(count), rng)[count % 2 :], 2, before)
        assert rematches(groups, before) == 0
        before |= {(min(group), max(group)): 1 for group in groups}


@pytest.mark.parametrize(("count", "seats", "tours"), [(24, 4, 3), (48, 4, 7), (30, 3, 7), (200, 4, 20)])
def test_large_fields_have_tours_without_rematches(count: int, seats: int, tours: int) -> None:
    """No theorem promises these: the search finds them."""
    rng = Random(1)
    before: dict[tuple[int, int], int] = {}
    for _ in range(tours):
        groups = neighbours(shuffled(range(count), rng), seats, before)
        assert rematches(groups, before) == 0
        before |= {pair: 1 for group in groups for pair in combinations(sorted(group), 2)}
