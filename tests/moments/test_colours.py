"""The colours of cells: readable, and different where they mean different things."""

import pytest

from referee.contract.frame import HUES, Mark, Tone
from referee.moments.colours import FLOOR, luminance, paint_of, seat_colour

LEVELS = (1.0, 0.75, 0.5, 0.25, 0.0)
SEATS = range(8)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("level", LEVELS)
def test_the_text_of_a_cell_with_a_hue_can_be_read(level: float) -> None:
    for hue in range(HUES):
        paint = paint_of(Mark("~~", Tone.EMPTY, hue=hue, level=level))
        assert contrast(paint.ink, paint.ground) >= 3


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("tone", [Tone.HEAD, Tone.BODY, Tone.TAIL])
def test_the_text_of_a_seat_can_be_read_at_any_level(seat: int, tone: Tone) -> None:
    for level in LEVELS:
        paint = paint_of(Mark("1.", tone, seat, level=level))
        assert contrast(paint.ink, paint.ground) >= 4.5


def test_hues_differ_from_each_other_and_from_seats_and_get_darker() -> None:
    grounds = [
        [paint_of(Mark("~~", Tone.EMPTY, hue=hue, level=level)).ground for level in LEVELS] for hue in range(HUES)
    ]
    assert len({ground for row in grounds for ground in row}) == HUES * len(LEVELS)
    for row in grounds:
        shades = [luminance(ground) for ground in row]
        assert shades == sorted(shades, reverse=True)
        assert shades[-1] > luminance(FLOOR)
        assert max(shades) < min(luminance(seat_colour(seat)) for seat in SEATS) + 0.1


def test_a_hue_beyond_the_last_one_has_a_colour() -> None:
    assert paint_of(Mark("~~", Tone.EMPTY, hue=HUES)) == paint_of(Mark("~~", Tone.EMPTY, hue=0))
