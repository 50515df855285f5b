"""Draws the parts of a film with Pillow: cells, the title and the lines of the seats, each as a small picture (a tile)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from referee.contract.frame import SeatLine
from referee.export.shapes import FAINT, GROUND, LINES, TEXT, Box, Disc, Label, Look, Polygon, Shape, shapes
from referee.moments.colours import FLOOR, ink_on, seat_colour
from referee.moments.columns import cut
from referee.moments.formatting import clean, clean_name, number

_Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

TITLE: Final = 28
ROW: Final = 28
"""The heights of the title and of a seat's line, in pixels."""
_FINE: Final = 4
"""Tiles are drawn so many times as large, and then made smaller, which smooths edges."""
_FONTS: Final = ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "Arial Bold.ttf")
"""Fonts that know more scripts than the one that Pillow brings along, which is used if there is none of them."""


def cell(look: Look, unit: int) -> Image.Image:
    """A cell with its floor; `unit` is its side."""
    tile = _Tile(unit, unit, FLOOR)
    scale = unit * _FINE
    tile.pen.line((0, scale, 0, 0, scale, 0), LINES, _FINE)
    for shape in shapes(look):
        tile.draw(shape, scale)
    return tile.finished()


def title(text: str, width: int) -> Image.Image:
    """The line above the seats."""
    tile = _Tile(width, TITLE, GROUND)
    tile.write(4, TITLE / 2, 15, cut(clean(text), width // 10), TEXT)
    return tile.finished()


def seat(line: SeatLine, width: int) -> Image.Image:
    """A seat's number, name and points; the name of a disqualified one is struck through."""
    tile = _Tile(width, ROW, GROUND)
    colour, middle = seat_colour(line.seat), ROW / 2
    tile.pen.rounded_rectangle((0, 2 * _FINE, (width - 6) * _FINE, (ROW - 2) * _FINE), 6 * _FINE, FLOOR)
    tile.draw(Disc(16, middle, 9, colour), _FINE)
    tile.draw(Label(16, middle, 12 if line.seat < 9 else 10, str(line.seat + 1), ink_on(colour)), _FINE)
    points = number(line.score)
    room = width - 56 - 10 * len(points)
    name = cut(clean_name(line.name), max(2, room // 8))
    end = tile.write(32, middle, 13, name, TEXT if line.disqualified is None else FAINT)
    if line.disqualified is not None:
        tile.pen.line((32 * _FINE, middle * _FINE, end, middle * _FINE), FAINT, _FINE)
    tile.write(width - 14, middle, 14, points, TEXT, anchor="rm")
    return tile.finished()


def palette(tiles: Iterable[Image.Image], most: int) -> Image.Image:
    """A picture whose palette has at most so many colours: those that fill the largest part of some tile.

    So the colours of plain areas are exact, also those of a few small shapes among a lot of text.
    """
    parts: dict[tuple[int, ...], float] = {}
    for tile in tiles:
        area = tile.width * tile.height
        for count, colour in tile.getcolors(area) or ():
            if isinstance(colour, tuple):
                parts[colour] = max(parts.get(colour, 0.0), count / area)
    picture = Image.new("P", (1, 1))
    picture.putpalette([channel for colour in sorted(parts, key=parts.__getitem__)[-most:] for channel in colour])
    return picture


def with_palette(picture: Image.Image, palette: Image.Image) -> Image.Image:
    """The picture in the colours of a palette, each pixel in the nearest one."""
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


class _Tile:
    """A picture that is being drawn, `_FINE` times as large as it will be."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self._image = Image.new("RGB", (width * _FINE, height * _FINE), ground)
        self.pen = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        return self._image.reduce(_FINE)

    def draw(self, shape: Shape, scale: int) -> None:
        """Draw a shape; `scale` is the length of its unit."""
        match shape:
            case Disc(x, y, r, fill, rim):
                box = [round(v * scale) for v in (x - r, y - r, x + r, y + r)]
                if rim:
                    self.pen.ellipse(box, outline=fill, width=round(rim * scale))
                else:
                    self.pen.ellipse(box, fill)
            case Polygon(points, fill):
                self.pen.polygon([(x * scale, y * scale) for x, y in points], fill)
            case Box(left, top, right, bottom, radius, fill, corners):
                box = [round(v * scale) for v in (left, top, right, bottom)]
                self.pen.rounded_rectangle(box, radius * scale, fill, corners=corners)
            case Label(x, y, size, text, fill):
                self.pen.text((x * scale, y * scale), text, fill, _font(round(size * scale)), "mm")

    def write(self, x: float, y: float, size: int, text: str, fill: str, anchor: str = "lm") -> float:
        """Write text at a place in pixels, its middle at `y`. Returns where it ends."""
        font = _font(size * _FINE)
        self.pen.text((x * _FINE, y * _FINE), text, fill, font, anchor)
        return x * _FINE + font.getlength(text)


@lru_cache(maxsize=32)
def _font(size: int) -> _Font:
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
