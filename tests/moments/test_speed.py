import pytest

from referee.moments import speed


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (speed.faster, 8.0, 16.0), (speed.faster, 1024.0, speed.UNLIMITED), (speed.faster, speed.UNLIMITED, speed.UNLIMITED),
        (speed.slower, 8.0, 4.0), (speed.slower, 0.25, 0.25), (speed.slower, speed.UNLIMITED, 1024.0),
        (speed.faster, 3.0, 4.0), (speed.slower, 3.0, 2.0),
    ],
)  # fmt: skip
def test_plus_and_minus_go_to_the_next_level_and_stop_at_the_ends(change, before, after):
    assert change(before) == after


@pytest.mark.parametrize(("digit", "steps"), [("1", 1.0), ("2", 2.0), ("5", 16.0), ("9", 256.0), ("0", 0.0)])
def test_digits(digit: str, steps: float) -> None:
    assert speed.of_digit(digit) == steps


@pytest.mark.parametrize(("steps", "start"), [(0, 16.0), (2880, 16.0), (2881, 32.0), (40_000, 256.0), (10**7, 1024.0)])
def test_a_long_replay_starts_faster(steps: int, start: float) -> None:
    assert speed.sensible(steps) == start


def test_words() -> None:
    assert [speed.words(s) for s in (0.5, 1.0, 8.0, 0.0)] == ["0.5 steps/s", "1 step/s", "8 steps/s", "full speed"]
