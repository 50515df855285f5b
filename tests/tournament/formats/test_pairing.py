"""Groups of neighbours without rematches, and the matching behind them."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.boards.chance import shuffled
from referee.tournament.formats.pairing import NOBODY, Matching, MeetingCounts, neighbours


def met(*pairs: tuple[int, int]) -> MeetingCounts:
    return {pair: pairs.count(pair) for pair in pairs}


def pairings(numbers: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair an even number of entrants."""
    if not numbers:
        yield []
        return
    for at in range(1, len(numbers)):
        for others in pairings([*numbers[1:at], *numbers[at + 1 :]]):
            yield [(numbers[0], numbers[at]), *others]


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
        pytest.param(
            range(4),
            2,
            met(*combinations(range(4), 2), (2, 3)),
            [[0, 2], [1, 3]],
            id="all have met, and 0 yields, or 2 would meet 3 a third time",
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


# Two seats.


@given(
    st.integers(1, 4).flatmap(lambda half: st.tuples(st.permutations(range(2 * half)), st.randoms(), st.floats(0, 1)))
)
def test_the_best_have_the_nearest_rival_of_all_that_are_possible(drawn: tuple[list[int], Random, float]) -> None:
    """Of all pairs with the fewest rematches, ours are the first: the best has the nearest rival, then the next."""
    order, rng, density = drawn
    before = {pair: 1 for pair in combinations(sorted(order), 2) if rng.random() < density}
    least = min(rematches(pairs, before) for pairs in pairings(order))

    def nearness(pairs: Sequence[Sequence[int]]) -> list[tuple[bool, int]]:
        return [(rematches([pair], before) > 0, order.index(pair[1])) for pair in pairs]

    best = min(nearness(pairs) for pairs in pairings(order) if rematches(pairs, before) == least)
    assert nearness(neighbours(order, 2, before)) == best


# More seats.


@given(st.integers(3, 4), st.integers(2, 4), st.floats(0.1, 0.7), st.randoms())
def test_no_exchange_of_two_has_fewer_rematches(seats: int, count: int, density: float, rng: Random) -> None:
    before = {pair: 1 for pair in combinations(range(seats * count), 2) if rng.random() < density}
    groups = neighbours(range(seats * count), seats, before)
    least = rematches(groups, before)
    for one, other in combinations(range(seats * count), 2):
        exchanged = [[{one: other, other: one}.get(number, number) for number in group] for group in groups]
        assert rematches(exchanged, before) >= least


@pytest.mark.parametrize(("count", "seats", "tours"), [(24, 4, 3), (48, 4, 7), (30, 3, 7), (200, 4, 20)])
def test_large_fields_have_tours_without_rematches(count: int, seats: int, tours: int) -> None:
    """No theorem promises these: the search finds them."""
    rng = Random(1)
    before: dict[tuple[int, int], int] = {}
    for _ in range(tours):
        groups = neighbours(shuffled(range(count), rng), seats, before)
        assert rematches(groups, before) == 0
        before |= {pair: 1 for group in groups for pair in combinations(sorted(group), 2)}


# Matchings.


def test_a_blossom() -> None:
    """The way from 5, the last without a partner, leads around the odd cycle 0 2 3 1 4."""
    #    0 - 2 - 3
    #   / \      |
    #  5   4 --- 1
    #   \_______/
    matching = Matching([[2, 4, 5], [3, 4, 5], [0, 3], [1, 2], [0, 1], [0, 1]])
    assert NOBODY not in matching.mates


@given(st.integers(1, 9), st.randoms(), st.floats(0, 1))
def test_it_is_maximum(size: int, rng: Random, density: float) -> None:
    edges = {pair for pair in combinations(range(size), 2) if rng.random() < density}
    graph = [[other for other in range(size) if (min(one, other), max(one, other)) in edges] for one in range(size)]
    mates = Matching(graph).mates
    assert all(mates[mate] == index and mate in graph[index] for index, mate in enumerate(mates) if mate != NOBODY)

    def most(free: frozenset[int]) -> int:
        if not free:
            return 0
        one = min(free)
        with_one = [1 + most(free - {one, other}) for other in graph[one] if other in free]
        return max([most(free - {one}), *with_one])

    assert sum(mate != NOBODY for mate in mates) == 2 * most(frozenset(range(size)))
