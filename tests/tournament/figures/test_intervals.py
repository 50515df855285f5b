"""Student's quantiles."""

import pytest

from referee.tournament.figures.intervals import t_quantile


@pytest.mark.parametrize(
    ("freedom", "tabulated", "error"),
    [
        (1, 12.7062, 3.0),
        (2, 4.3027, 0.14),
        (4, 2.7765, 0.01),
        (6, 2.4469, 0.002),
        (9, 2.2622, 3e-4),
        (39, 2.0227, 1e-4),
    ],
)
def test_quantiles_agree_with_the_printed_tables(freedom: int, tabulated: float, error: float) -> None:
    assert t_quantile(freedom) == pytest.approx(tabulated, abs=error)
