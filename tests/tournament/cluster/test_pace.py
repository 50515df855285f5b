"""How many matches make a batch."""

from __future__ import annotations

from referee.tournament.cluster.pace import BATCH, MOST, Pace


def test_a_batch_takes_about_five_seconds_once_the_speed_is_known() -> None:
    pace = Pace()
    sizes = []
    for _ in range(6):
        sizes.append(size := pace.size(10_000, 2))
        pace.learn(size * 0.25, size)
    assert sizes == [1, 4, 16, 20, 20, 20]
    assert BATCH == 20 * 0.25


def test_a_slow_match_is_a_batch() -> None:
    pace = Pace()
    pace.learn(40.0, 1)
    assert pace.size(10_000, 2) == 1


def test_the_last_matches_are_shared_by_all_lanes() -> None:
    pace = Pace()
    for size in (1, 4, 16, 64):
        pace.learn(size * 0.01, size)
    assert [pace.size(waiting, 8) for waiting in (10_000, 400, 9, 8, 1)] == [MOST, 50, 2, 1, 1]


def test_a_worker_that_becomes_slower_gets_fewer() -> None:
    pace = Pace()
    pace.learn(0.5, 1)
    pace.learn(20.0, 10)
    assert pace.size(10_000, 1) == int(BATCH / (0.7 * 0.5 + 0.3 * 2))
