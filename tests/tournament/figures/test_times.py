"""Answer times in buckets."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.figures.times import Histogram

seconds = st.floats(1e-8, 1e5)


def times_of(*values: float) -> Histogram:
    times = Histogram()
    for value in values:
        times.add(value)
    return times


@given(st.lists(seconds, min_size=1), st.floats(0, 1))
def test_a_quantile_is_four_per_cent_off_at_most(values: list[float], part: float) -> None:
    exact = sorted(values)[max(0, ceil(part * len(values)) - 1)]
    assert times_of(*values).quantile_ms(part) == pytest.approx(1000 * exact, rel=0.0400001)


@given(st.lists(seconds), st.lists(seconds))
def test_merging_is_counting_both(one: list[float], other: list[float]) -> None:
    merged = times_of(*one)
    merged.merge(times_of(*other))
    assert merged.counts == times_of(*one, *other).counts
    assert merged.total == len(one) + len(other)


@given(st.lists(seconds))
def test_they_are_read_as_they_were_written(values: list[float]) -> None:
    times = times_of(*values)
    assert Histogram.from_json(times.as_json()).counts == times.counts


def test_the_json_form_lists_buckets_in_use() -> None:
    times = times_of(0.001, 0.001, 0.002)
    first, two, second, one = times.as_json()
    assert (two, one) == (2, 1)
    assert second - first in {8, 9}, "the bounds of buckets grow by 8.3 %, and 1.083 to the power of 8.66 is 2"


def test_half_a_bucket_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        Histogram.from_json([3, 1, 4])


def test_no_answers_have_no_quantiles() -> None:
    assert Histogram().quantile_ms(0.5) is None


def test_no_time_at_all_is_zero() -> None:
    assert times_of(0.0, 0.0, 1.0).quantile_ms(0.5) == 0.0
