"""The colours of seats and cells, as `#rrggbb`, for terminals, pages and pictures.

1. Seats have the eight colours of Okabe and Ito, which people with any colour vision can distinguish. From the ninth seat
   they repeat; the number of the seat is always shown too.
2. The board has its own dark floor, so that it has the same contrast on light and dark grounds.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.contract.frame import Mark, Tone

SEAT_COLOURS: Final = ("#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#F0E442", "#0072B2", "#D55E00", "#BBBBBB")
FLOOR: Final = "#14171c"
BLACK: Final = "#000000"
WHITE: Final = "#ffffff"

_FIELD: Final = {
    Tone.EMPTY: ("#3d434d", FLOOR),
    Tone.WALL: ("#7d8694", "#4a515d"),
    Tone.GOAL: (BLACK, WHITE),
    Tone.ITEM: ("#c9b48e", FLOOR),
    Tone.POWER: ("#a6ff4d", FLOOR),
}
"""Ink and ground of cells without an owner."""
_HUES: Final = ("#8f66e0", "#1fa89b", "#b8922e", "#cf4f92", "#3f86d8", "#7aa52f")
"""The colours of `Mark.hue`, which are darkened by the floor, so that they are not taken for seats."""
_UNKNOWN: Final = (BLACK, "#9aa0aa")


class Paint(NamedTuple):
    """The colours of a cell: of its text, and of what is below it."""

    ink: str
    ground: str


def seat_colour(seat: int) -> str:
    """The seat's colour."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def paint(tone: Tone, seat: int | None, hue: int | None = None, level: float = 1.0) -> Paint:
    """The colours of a cell that shows its text; `hue` and `level` as in `Mark`."""
    if seat is None and hue is not None:
        ground = mix(FLOOR, _HUES[hue % len(_HUES)], 0.15 + 0.45 * level)
        return Paint(mix(ground, WHITE, 0.7), ground)
    if seat is None:
        return Paint(*_FIELD.get(tone, _UNKNOWN))
    ground = seat_colour(seat) if tone is Tone.HEAD else mix(seat_colour(seat), BLACK, 0.18)
    ground = mix(ground, BLACK, 0.5 * (1 - level))
    return Paint(ink_on(ground), ground)


def paint_of(mark: Mark) -> Paint:
    """The colours of this cell."""
    return paint(mark.tone, mark.seat, mark.hue, mark.level)


def ink_on(ground: str) -> str:
    """Black or white, whichever has the higher contrast on `ground` by WCAG's measure."""
    light = luminance(ground)
    return BLACK if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else WHITE


def mix(colour: str, other: str, part: float) -> str:
    """`part` (0 … 1) of `other` mixed into `colour`."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """The relative luminance by WCAG, 0 to 1."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
