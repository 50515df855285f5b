import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from referee.moments.columns import cut, fit
from referee.moments.formatting import bar, clean, lapse, milliseconds, number, numeral, places


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (45.0, "45"), (-3, "-3"), (12.5, "12.5"), (1 / 3, "0.33"), (1234567, "1234567"), (10**20, str(10**20)),
     (10**400, str(10**400))],
)  # fmt: skip
def test_numbers_are_never_shortened(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("ranks", [[1, 2, None, 2, 4], [1, 2.5, None, 2.5, 4]])
def test_a_shared_place_reads_the_same_in_games_that_say_its_mean(ranks: list[float | None]) -> None:
    assert places(ranks) == ["1", "2=", "", "2=", "4"]
    assert list(map(numeral, places(ranks))) == ["1.", "2=", "-", "2=", "4."]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0.00ms"), (0.00041, "0.41ms"), (0.009996, "10ms"), (0.012, "12ms"), (0.9994, "999ms"), (0.9996, "1.00s"),
     (1.24, "1.24s"), (9.996, "10.0s"), (31.49, "31.5s"), (99.96, "100s"), (118.2, "118s")],
)  # fmt: skip
def test_time_spans(seconds: float, text: str) -> None:
    assert lapse(seconds) == text


def test_a_time_in_milliseconds_is_zero_only_if_it_is() -> None:
    shown = [milliseconds(value) for value in (None, 0.0, 0.0041, 0.031, 0.1, 12.34)]
    assert shown == ["–", "0.0", "0.004", "0.03", "0.1", "12.3"]


@given(st.floats(0, 99_999))
def test_a_time_span_takes_six_columns_at_most(seconds: float) -> None:
    assert len(lapse(seconds)) <= 6


@given(st.floats(-1, 2), st.integers(0, 30), st.booleans())
def test_a_bar_has_the_given_width(part: float, width: int, ascii_only: bool) -> None:
    full, empty = bar(part, width, ascii_only)
    assert len(full) + len(empty) == width


def test_a_bar_is_empty_only_at_zero() -> None:
    assert bar(1.0, 8) == ("█" * 8, "")
    assert bar(0.98, 8) == ("█" * 8, "")
    assert bar(0.87, 8) == ("█" * 7, "░")
    assert bar(0.001, 8) == ("█", "░" * 7)
    assert bar(0.0, 8, ascii_only=True) == ("", "-" * 8)


@given(st.text(), st.integers(0, 40), st.booleans(), st.booleans())
def test_fitted_text_has_the_exact_width_and_no_control_characters(text, width, ascii_only, right):
    shown = fit(clean(text, ascii_only), width, ascii_only, right=right)
    assert cell_len(shown) == width
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown)
    assert not ascii_only or shown.isascii()


def test_truncated_text_ends_with_an_ellipsis() -> None:
    assert cut("Greedy", 6) == "Greedy"
    assert cut("Greedy", 5) == "Gree…"
    assert cut("Greedy", 5, ascii_only=True) == "Gree~"
    assert cut("日本語", 5) == "日本…"
    assert cut("日本語", 4) == "日…"
    assert cut("Greedy", 0) == ""
    assert cut("\u200d\u200d中👧\u200d文b", 2) == "\u200d\u200d…", "a zero-width joiner alone makes no room"
