from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from referee.moments.columns import cut, cut_name, fit
from referee.moments.formatting import clean


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


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("n_ants_python#2", 10, "n_ants_…#2"),
        ("Otto#2", 6, "Otto#2"),
        ("Otto#2", 3, "Ot…"),
        ("n_ants_python", 8, "n_ants_…"),
    ],
)
def test_a_truncated_name_keeps_its_number(name: str, width: int, shown: str) -> None:
    assert cut_name(name, width) == shown
