"""The meaning of colours, and their replacement without colour.

1. `colours` chooses the colours; here they become styles.
2. Colour is never the only sign: cells have text, heads are bold, and `strong` is underlined. Half blocks have no text, and
   letters only the number of the seat: there, heads are lighter and tails darker than the body;
   with 16 colours, heads are reversed and tails dim.
3. Styles are cached for each mark, so that most comparisons of styles are by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from rich.style import Style

from referee.contract.frame import Mark, Tone
from referee.moments.colours import BLACK, FLOOR, WHITE, ink_on, mix, paint_of, seat_colour

EDGE: Final = "#7d8694"
"""The line around the field, visible on dark and on light terminals."""
EDGE_PIXEL: Final = "#4a515d"
"""The same in half mode, where it is as thick as a cell."""
_PIXELS: Final = {
    Tone.EMPTY: FLOOR,
    Tone.WALL: "#4a515d",
    Tone.GOAL: WHITE,
    Tone.ITEM: "#8f7a55",
    Tone.POWER: "#a6ff4d",
}
"""The colour of such a cell in half mode."""
_FEW: Final = ("yellow", "bright_cyan", "green", "magenta", "bright_yellow", "blue", "red", "white")
"""The colours of seats on a terminal with 16 colours. By the nearest ones, two seats would look alike."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a terminal can show.

    Attributes:
        colour: whether there is any colour.
        shades: whether there are 256 colours or more, which half blocks need. With 16, a seat has one colour.
        ascii_only: whether to keep to printable ASCII.
    """

    colour: bool = True
    shades: bool = True
    ascii_only: bool = False


NOTHING: Final = Style()
DIM: Final = Style(dim=True)
BOLD: Final = Style(bold=True)


@cache
def cell_style(mark: Mark, look: Look) -> Style:
    """The style of a cell in double mode."""
    weight = True if mark.tone in (Tone.HEAD, Tone.GOAL, Tone.POWER) else None
    line = mark.strong or None
    if not look.colour:
        return Style(bold=weight, underline=line, dim=True if mark.tone is Tone.EMPTY else None)
    ink, ground = paint_of(mark)
    if mark.seat is not None and not look.shades:
        ink, ground = ink_on(seat_colour(mark.seat)), _seat_ground(mark.seat, look.shades)
    return Style(color=ink, bgcolor=ground, bold=weight, underline=line)


@cache
def letter_style(mark: Mark, look: Look) -> Style:
    """The style of a cell in letters mode."""
    style = cell_style(mark, look)
    if mark.seat is None:
        return style
    if not (look.colour and look.shades):
        return style + Style(reverse=mark.tone is Tone.HEAD or None, dim=mark.tone is Tone.TAIL or None)
    ground = cell_pixel(mark)
    return style + Style(color=ink_on(ground), bgcolor=ground)


@cache
def cell_pixel(mark: Mark) -> str:
    """The colour of a cell in half mode, `#rrggbb`."""
    if mark.seat is None and mark.hue is not None:
        return paint_of(mark).ground
    if mark.seat is None:
        return _PIXELS.get(mark.tone, "#9aa0aa")
    colour = seat_colour(mark.seat)
    if mark.tone is Tone.HEAD:
        return mix(colour, WHITE, 0.65 if mark.strong else 0.45)
    if mark.tone is Tone.GOAL:
        return mix(colour, WHITE, 0.85)
    faded = 0.4 * (1 - mark.level)
    return mix(colour, FLOOR, 0.45 + faded) if mark.tone is Tone.TAIL else mix(colour, BLACK, faded)


@cache
def edge_style(colour: bool) -> Style:
    """The line around the field."""
    return Style(color=EDGE) if colour else DIM


@cache
def half_style(upper: str, lower: str | None) -> Style:
    """The style of `▀` with these two halves; None is the terminal's background."""
    return Style(color=upper, bgcolor=lower)


@cache
def seat_style(seat: int, look: Look) -> Style:
    """The style of a seat's number: on its colour, or bold."""
    ink = ink_on(seat_colour(seat))
    return Style(color=ink, bgcolor=_seat_ground(seat, look.shades), bold=True) if look.colour else BOLD


@cache
def seat_ink(seat: int, look: Look) -> Style:
    """The style of a seat's bar."""
    return Style(color=_seat_ground(seat, look.shades)) if look.colour else NOTHING


def _seat_ground(seat: int, shades: bool) -> str:
    return seat_colour(seat) if shades else _FEW[seat % len(_FEW)]
