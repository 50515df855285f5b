"""A whole saved match as a film: an animated GIF or WebP, made with Pillow.

1. A match of at most `SHORT` steps has a picture for each step, a longer one for the end of each round. If these are more than
   `MOST`, or the film is larger than `LARGEST_FILE`, only every second one is shown, or every third, and so on. The film always
   ends with the last step, which is shown longer.
2. A picture is made of tiles: the cells, the title, the seats. Cells with the same look share a tile, which is drawn once. From
   picture to picture only the tiles that change are placed.
3. All pictures share one palette: the colours that the tiles have most. A GIF needs one, and pictures of a byte for each
   pixel are quick to compare. One entry stays free, with which Pillow leaves out what a picture has in common with the one
   before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from math import ceil
from typing import Final, Literal, NamedTuple, TypeAlias

from PIL import Image

from referee.contract.frame import Frame, SeatLine
from referee.export import pixels
from referee.export.shapes import GROUND, Look, looks
from referee.moments.scene import draw_with_names
from referee.saved.replay import Replay
from referee.terminal.board import extent

Format: TypeAlias = Literal["GIF", "WEBP"]
_Content: TypeAlias = Look | SeatLine | str
_Corner: TypeAlias = tuple[int, int]
_Patches: TypeAlias = Sequence[tuple[_Corner, _Content]]
"""What a picture shows and the one before did not, by its top left corner."""

SHORT: Final = 300
MOST: Final = 600
LARGEST_FILE: Final = 2_900_000
"""Bytes of a film; many places that show pictures refuse more than 3 MB."""
DELAY: Final = 100
FIRST: Final = 1000
LAST: Final = 4000
"""Milliseconds of a picture, of the first one and of the last one."""
SIDE: Final = 480
"""The longer side of the board in pixels, unless its cells would be larger than `LARGEST`."""
LARGEST: Final = 32
NARROWEST: Final = 320
MARGIN: Final = 8
COLUMN: Final = 200
"""The least width of a seat's line."""
COLOURS: Final = 255
_OPTIONS: Final[Mapping[Format, Mapping[str, bool | int]]] = {
    "GIF": {"optimize": True, "disposal": 1},
    "WEBP": {"lossless": True, "quality": 30, "method": 1},
}


def film(saved: Replay, kind: Format) -> bytes:
    """The film of a match.

    Raises:
        SavedGameError: a step does not follow from the rules.
    """
    most, data = MOST, b""
    while not data or (len(data) > LARGEST_FILE and most > 2):
        steps = shown_steps(saved, most)
        data, most = _film_of(saved, steps, kind), len(steps) // 2
    return data


def shown_steps(saved: Replay, most: int) -> list[int]:
    """The steps that a film of about this many pictures shows, in order (point 1)."""
    last = len(saved.steps)
    ends = [at for at in range(1, last) if last <= SHORT or saved.steps[at].round != saved.steps[at - 1].round]
    return sorted({0, *ends[:: ceil(len(ends) / most) or 1], last})


def _film_of(saved: Replay, steps: Sequence[int], kind: Format) -> bytes:
    layout = Layout.of(_frame_at(saved, 0))
    shown: dict[_Corner, _Content] = {}
    changes = []
    for at in steps:
        contents = layout.contents(_frame_at(saved, at))
        changes.append([(corner, what) for corner, what in contents if shown.get(corner) != what])
        shown.update(changes[-1])
    originals = {what: layout.tile(what) for what in dict.fromkeys(what for patches in changes for _, what in patches)}
    palette = pixels.palette(originals.values(), COLOURS)
    tiles = {what: pixels.with_palette(tile, palette) for what, tile in originals.items()}
    ground = pixels.with_palette(Image.new("RGB", layout.size, GROUND), palette)
    pictures = _pictures(ground, changes, tiles)
    delays = [FIRST, *[DELAY] * (len(steps) - 2), LAST][-len(steps) :]
    file = BytesIO()
    next(pictures).save(file, kind, save_all=True, append_images=pictures, duration=delays, loop=0, **_OPTIONS[kind])
    return file.getvalue()


class Layout(NamedTuple):
    """Where the parts of a picture are, in pixels.

    Attributes:
        unit: the side of a cell. left: of the board, which begins at the top margin. below: where the title begins.
        width, columns: of a seat's line, and how many are side by side.
    """

    unit: int
    left: int
    below: int
    width: int
    columns: int
    size: tuple[int, int]

    @classmethod
    def of(cls, frame: Frame) -> Layout:
        """The layout of a match that begins with this frame."""
        across, down = extent(frame)
        unit = max(1, min(LARGEST, SIDE // max(across, down, 1)))
        inner = max(NARROWEST, unit * across)
        columns = max(1, min(inner // COLUMN, len(frame.seats)))
        below = 2 * MARGIN + unit * down
        rows = ceil(len(frame.seats) / columns)
        size = 2 * MARGIN + inner, below + pixels.TITLE + rows * pixels.ROW + MARGIN
        return cls(unit, MARGIN + (inner - unit * across) // 2, below, inner // columns, columns, size)

    def contents(self, frame: Frame) -> Iterator[tuple[_Corner, _Content]]:
        """Everything that a picture of this frame shows, by its top left corner."""
        for y, row in enumerate(looks(frame)):
            for x, look in enumerate(row):
                yield (self.left + x * self.unit, MARGIN + y * self.unit), look
        yield (MARGIN, self.below), frame.title
        for index, line in enumerate(frame.seats):
            down, across = divmod(index, self.columns)
            at = MARGIN + across * self.width, self.below + pixels.TITLE + down * pixels.ROW
            yield at, SeatLine(line.seat, line.name, line.score, (), line.disqualified)

    def tile(self, what: _Content) -> Image.Image:
        """What is at such a corner, drawn."""
        if isinstance(what, str):
            return pixels.title(what, self.size[0] - 2 * MARGIN)
        return pixels.cell(what, self.unit) if isinstance(what, Look) else pixels.seat(what, self.width)


def _frame_at(saved: Replay, at: int) -> Frame:
    return draw_with_names(saved.state_at(at), saved.entrants)


def _pictures(
    picture: Image.Image, changes: Sequence[_Patches], tiles: dict[_Content, Image.Image]
) -> Iterator[Image.Image]:
    for patches in changes:
        for corner, what in patches:
            picture.paste(tiles[what], corner)
        yield picture.copy()
