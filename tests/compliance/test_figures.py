"""Measured times and memory, and warnings if they are close to the limits."""

from __future__ import annotations

import pytest

from referee.compliance import figures
from referee.contract.clock import TimeControl

LIMITS = TimeControl(first=15.0, answer=1.0, total=120.0)


def test_the_median_is_of_all_matches_and_the_total_is_of_the_slowest():
    times = figures.measure([[1.0, *[0.001] * 98, 0.3, 0.4], [2.0, *[0.002] * 100]])
    assert (times.answers, times.first, times.slowest) == (200, 2.0, 0.4)
    assert times.median == pytest.approx(0.002)
    assert times.total == pytest.approx(2.2)


def test_without_matches_all_times_are_zero():
    assert figures.measure([]) == figures.AnswerTimes(0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("first", "answer", "total", "words"),
    [
        (7.0, 0.4, 59.0, []),
        (8.0, 0.4, 59.0, ["the slowest first answer took 8.00 s of 15 s"]),
        (7.0, 0.6, 59.0, ["the slowest answer took 600 ms of 1 s"]),
        (7.0, 0.4, 61.0, ["the slowest match took 61.00 s of 120 s"]),
    ],
)
def test_a_time_close_to_its_limit_gives_a_warning(first, answer, total, words):
    warnings = figures.time_warnings(figures.AnswerTimes(9, first, 0.1, answer, total), LIMITS)
    assert [warning.partition(":")[0] for warning in warnings] == words


def test_without_a_total_limit_there_is_no_warning():
    times = figures.AnswerTimes(9, 0.1, 0.1, 0.1, 1e6)
    assert figures.time_warnings(times, TimeControl(15.0, 1.0, None)) == []


@pytest.mark.parametrize(("peak", "limit", "warned"), [(750, 1000, False), (751, 1000, True), (10**12, None, False)])
def test_memory_close_to_its_limit_gives_a_warning(peak, limit, warned):
    assert bool(figures.memory_warnings(peak << 20, limit and limit << 20)) is warned


@pytest.mark.parametrize(
    ("matches", "words"),
    [
        ([{"waited": 12}, {"waited": 18}], ["none of its 30 turns had a use: most often it waited"]),
        ([{"waited": 12}, {"skipped": 8}], ["none of its 20 turns had a use: most often it waited"]),
        ([{"waited": 12}, {"skipped": 7}], []),
        ([{"waited": 90}, None], []),
    ],
)
def test_a_bot_whose_turns_all_come_to_nothing_gives_a_warning(matches, words):
    assert figures.idle_warnings(matches, b"") == words


def test_the_warning_about_idle_turns_quotes_the_last_answer():
    (warning,) = figures.idle_warnings([{"waited": 20}], b"debug\nN\n")
    assert warning.endswith(r'most often it waited; its last answer was "debug\nN\n"')
