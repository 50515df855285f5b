"""Student's quantiles and the interval of a mean."""

import pytest

from referee.tournament.figures.intervals import mean_interval, t_quantile


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


def test_the_interval_of_a_mean() -> None:
    #   mean 3, variance 2.5, standard error 0.7071, t(4) = 2.776
    assert mean_interval([1, 2, 3, 4, 5]) == pytest.approx((1.037, 4.963), abs=0.01)
