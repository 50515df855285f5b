"""How the workers of a cluster share the processors of their machines, and how many matches make a batch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.cluster.booking import BATCH_MATCHES, BATCH_SECONDS, Host, Pace, shares


def host(machine: str, processors: str, threads: int = 64) -> Host:
    """A worker on a machine, with the processors of these digits."""
    return Host(machine, frozenset(map(int, processors)), threads)


@pytest.mark.parametrize(("hosts", "running", "jobs", "expected"), [
    pytest.param([host("a", "01234567")], 4, None, [2], id="as `jobs` would"),
    pytest.param([host("a", "01234567")], 1, None, [8], id="one player at a time"),
    pytest.param([host("a", "01234567", threads=3)], 1, None, [3], id="no more than Dask's threads"),
    pytest.param([host("a", "0123", 1), host("a", "0123", 1)], 2, None, [1, 1], id="two share a machine"),
    pytest.param([host("a", "0123"), host("a", "0123")], 2, None, [2, 0], id="the first has taken all"),
    pytest.param([host("a", "0123"), host("b", "0123")], 2, None, [2, 2], id="two machines"),
    pytest.param([host("a", "01"), host("a", "23")], 2, None, [1, 1], id="each has its own processors"),
    pytest.param([host("a", "012"), host("a", "234")], 2, None, [1, 1], id="one processor is left over"),
    pytest.param([host("a", "01")], 4, None, [1], id="too few for one match"),
    pytest.param([host("a", "01"), host("a", "01")], 4, None, [1, 0], id="still one match on that machine"),
    pytest.param(
        [host("a", "0"), host("a", "123")], 3, None, [1, 0], id="the first has too few, and plays all the same"
    ),
    pytest.param([host("a", "0"), host("a", "123")], 2, None, [1, 1], id="there are enough for two"),
    pytest.param([host("a", "0123"), host("a", "4567")], 1, 5, [4, 1], id="at most five on a machine"),
])  # fmt: skip
def test_shares(hosts: list[Host], running: int, jobs: int | None, expected: list[int]) -> None:
    assert shares(hosts, running=running, jobs=jobs) == expected


workers = st.lists(
    st.builds(Host, st.sampled_from("ab"), st.frozensets(st.integers(0, 9), min_size=1), st.integers(1, 9)), max_size=6
)


@given(workers, st.integers(1, 5))
def test_no_machine_has_more_players_than_processors_and_none_is_idle(hosts: list[Host], running: int) -> None:
    result = shares(hosts, running=running, jobs=None)
    for machine in {worker.machine for worker in hosts}:
        here = [(worker, share) for worker, share in zip(hosts, result, strict=True) if worker.machine == machine]
        processors = set().union(*(worker.processors for worker, _ in here))
        assert 1 <= sum(share for _, share in here) <= max(1, len(processors) // running)


@given(workers, st.integers(1, 5))
def test_who_comes_later_takes_nothing_from_those_before(hosts: list[Host], running: int) -> None:
    result = shares(hosts, running=running, jobs=None)
    assert [shares(hosts[: count + 1], running=running, jobs=None)[-1] for count in range(len(hosts))] == result


def test_a_batch_takes_about_five_seconds_once_the_speed_is_known() -> None:
    pace = Pace()
    sizes = []
    for _ in range(6):
        sizes.append(size := pace.size(10_000, 2))
        pace.learn(size * 0.25, size)
    assert sizes == [1, 4, 16, 20, 20, 20]
    assert BATCH_SECONDS == 20 * 0.25


def test_a_slow_match_is_a_batch() -> None:
    pace = Pace()
    pace.learn(40.0, 1)
    assert pace.size(10_000, 2) == 1


def test_the_last_matches_are_shared_by_all_lanes() -> None:
    pace = Pace()
    for size in (1, 4, 16, 64):
        pace.learn(size * 0.01, size)
    assert [pace.size(waiting, 8) for waiting in (10_000, 400, 9, 8, 1)] == [BATCH_MATCHES, 50, 2, 1, 1]
