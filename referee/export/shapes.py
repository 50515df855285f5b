"""What the cells of a frame look like in pictures, as a few simple shapes that SVG and pixels can both draw.

1. A `Look` is everything that a cell's picture depends on: its mark, and the neighbours that it is joined to. Cells with the
   same look have the same picture, so a film draws each look once.
2. Lengths are in cells; (0, 0) is the top left corner of the cell, (1, 1) the bottom right one. An arm to a neighbour reaches
   a little into it, so that no seam shows; pixels are clipped at the edge of the cell.
3. Shapes tell cells apart without colour: a head has its seat's number and eyes, walls are blocks, items are discs, powers
   are diamonds, goals are rings. What the text of a mark says beyond that is written on the cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Frame, Mark, Tone
from referee.moments.colours import BLACK, FLOOR, WHITE, ink_on, mix, paint, paint_of, seat_colour

Point: TypeAlias = tuple[float, float]

GROUND: Final = mix(FLOOR, BLACK, 0.4)
"""The ground of a picture, around the floor."""
LINES: Final = mix(FLOOR, WHITE, 0.07)
"""The lines between the cells."""
TEXT: Final = mix(WHITE, FLOOR, 0.06)
FAINT: Final = mix(WHITE, FLOOR, 0.38)
"""Text of less weight; its contrast on `GROUND` is above 4.5."""

_LEFT, _RIGHT = DIRECTIONS["L"], DIRECTIONS["R"]
_FACING: Final = dict(zip("^<v>", DIRECTIONS.values(), strict=True))
_SHOWN: Final = str.maketrans("", "", " ^<v>o#._*")
"""Characters of a seat's mark that its shape shows."""
_BODY: Final = 0.66
_TIP: Final = 0.2
_RIM: Final = 0.07
_REACH: Final = 0.58
_SEAM: Final = 0.03
"""How far shapes of one colour overlap, so that no ground shines through between them."""
_POWERED: Final = "*%"
"""Characters of a body that has a power in it."""


class Disc(NamedTuple):
    """A disc, or with `rim` (a width) a ring."""

    x: float
    y: float
    r: float
    fill: str
    rim: float = 0.0


class Box(NamedTuple):
    """An upright rectangle; `round` says which corners have the radius: top left, top right, bottom right, bottom left."""

    left: float
    top: float
    right: float
    bottom: float
    radius: float
    fill: str
    round: tuple[bool, bool, bool, bool] = (True, True, True, True)


class Polygon(NamedTuple):
    """A filled polygon."""

    points: Sequence[Point]
    fill: str


class Label(NamedTuple):
    """Text around its middle; `size` is that of the font."""

    x: float
    y: float
    size: float
    text: str
    fill: str


Shape: TypeAlias = Disc | Box | Polygon | Label


class Look(NamedTuple):
    """What the picture of a cell depends on.

    Attributes:
        arms: the directions (dx, dy) in which it is joined: of a body to its neighbours in it, of a wall to walls.
        facing: the direction of a head; None if it has none.
        end: whether it is the last cell of a body.
    """

    mark: Mark
    arms: tuple[tuple[int, int], ...] = ()
    facing: tuple[int, int] | None = None
    end: bool = False


def looks(frame: Frame) -> list[list[Look]]:
    """The look of each cell, as `[y][x]`."""
    grid = [
        [Look(mark, _walls_beside(frame, x, y), _facing(mark)) for x, mark in enumerate(row)]
        for y, row in enumerate(frame.cells)
    ]
    for body in frame.bodies:
        if not body or _tone_at(frame, *body[0]) is not Tone.HEAD:
            continue  # what is left of a dead one lies in pieces
        for ahead, (x, y), behind in zip([None, *body[:-1]], body, [*body[1:], None], strict=True):
            arms = tuple((cell[0] - x, cell[1] - y) for cell in (ahead, behind) if cell is not None)
            facing = (-arms[0][0], -arms[0][1]) if ahead is None and arms else None
            grid[y][x] = Look(frame.cells[y][x], arms, facing, end=behind is None and ahead is not None)
    return grid


def sample(mark: Mark, *, joined: bool) -> Look:
    """The look of a mark of the legend; with `joined`, parts of a body look as if they had neighbours."""
    facing = _facing(mark)
    if not joined or mark.seat is None:
        return Look(mark, facing=facing)
    if mark.tone is Tone.HEAD:
        return Look(mark, (_LEFT,) if facing == _RIGHT else (), facing)
    if mark.text[1:].translate(_SHOWN):
        return Look(mark)
    return Look(mark, (_LEFT,), end=True) if mark.tone is Tone.TAIL else Look(mark, (_LEFT, _RIGHT))


def shapes(look: Look) -> Iterator[Shape]:
    """The picture of a cell, the lowest shape first. The floor below it is not part of it."""
    mark = look.mark
    match mark.tone:
        case Tone.WALL:
            yield from _wall(look)
        case Tone.GOAL if mark.seat is not None:
            colour = seat_colour(mark.seat)
            yield Box(0.04, 0.04, 0.96, 0.96, 0.18, WHITE)
            yield Box(0.11, 0.11, 0.89, 0.89, 0.12, colour)
            yield _label(mark.text.strip(), ink_on(colour))
        case Tone.GOAL:
            yield Disc(0.5, 0.5, 0.4, WHITE, rim=0.1)
            yield Disc(0.5, 0.5, 0.16, WHITE)
        case Tone.ITEM:
            fill = paint_of(mark).ink
            yield Disc(0.5, 0.5, 0.32, fill)
            if text := mark.text.strip("()% ") if mark.amount is None else str(mark.amount):
                yield _label(text, ink_on(fill), 0.48)
            elif "%" in mark.text:
                yield Disc(0.5, 0.5, 0.43, fill, rim=0.07)
        case Tone.POWER:
            yield from _diamond(0.38, paint_of(mark).ink)
        case Tone.EMPTY:
            if mark.hue is not None:
                yield Box(0.06, 0.06, 0.94, 0.94, 0.2, paint_of(mark).ground)
            elif text := mark.text.strip():
                yield _label(text, mix(paint_of(mark).ink, WHITE, 0.25))
        case _:
            yield from _part(look)


def _part(look: Look) -> Iterator[Shape]:
    """A part of a seat: a head, or a body, alone or joined."""
    mark = look.mark
    head = mark.tone is Tone.HEAD
    colours = paint_of(mark)
    if mark.strong:
        yield from _limbs(look, WHITE, WHITE, _REACH - 2 * _SEAM, rim=_RIM)
    yield from _limbs(look, paint(Tone.BODY, mark.seat, level=mark.level).ground, colours.ground, _REACH)
    if look.facing is not None:
        yield from _eyes(look.facing, colours.ink)
    elif not head and any(sign in mark.text for sign in _POWERED):
        yield from _diamond(0.21, paint(Tone.POWER, None).ink)
    text = mark.text.translate(_SHOWN)
    if head or not look.arms:
        dx, dy = look.facing or (0, 0)
        yield Label(0.5 - 0.1 * dx, 0.5 - 0.1 * dy, 0.58 if len(text) < 2 else 0.46, text, colours.ink)


def _limbs(look: Look, arm_fill: str, disc_fill: str, reach: float, rim: float = 0.0) -> Iterator[Shape]:
    """The arms of a part, and the disc in its middle unless it is straight, each wider by the `rim`."""
    mark, end = look.mark, _TIP if look.end else _BODY / 2
    for arm in look.arms:
        yield _arm(arm, _BODY / 2 + rim, end + rim, reach, arm_fill)
    if len(look.arms) < 2 or look.arms[0] != (-look.arms[1][0], -look.arms[1][1]):
        radius = 0.46 - _RIM * mark.strong if mark.tone is Tone.HEAD else end
        yield Disc(0.5, 0.5, radius + rim, disc_fill)


def _walls_beside(frame: Frame, x: int, y: int) -> tuple[tuple[int, int], ...]:
    """The directions in which a wall is joined to walls; none for another cell."""
    if frame.cells[y][x].tone is not Tone.WALL:
        return ()
    return tuple((dx, dy) for dx, dy in DIRECTIONS.values() if _tone_at(frame, x + dx, y + dy) is Tone.WALL)


def _facing(mark: Mark) -> tuple[int, int] | None:
    return _FACING.get(mark.text[1]) if mark.tone is Tone.HEAD and mark.seat is not None else None


def _tone_at(frame: Frame, x: int, y: int) -> Tone | None:
    """The tone of a cell; None outside the board."""
    if 0 <= y < len(frame.cells) and 0 <= x < len(frame.cells[y]):
        return frame.cells[y][x].tone
    return None


def _label(text: str, fill: str, size: float = 0.52) -> Label:
    return Label(0.5, 0.5, size, text, fill)


def _arm(direction: tuple[int, int], outer: float, inner: float, reach: float, fill: str) -> Polygon:
    """From the middle of the cell into the neighbour in this direction; `outer` and `inner` are half widths."""
    dx, dy = direction
    ends = ((-_SEAM, inner), (0.5, outer), (reach, outer))
    left, right = ([(0.5 + r * dx - k * w * dy, 0.5 + r * dy + k * w * dx) for r, w in ends] for k in (1, -1))
    return Polygon((*left, *reversed(right)), fill)


def _eyes(facing: tuple[int, int], ink: str) -> Iterator[Shape]:
    dx, dy = facing
    for side in (1, -1):
        yield Disc(0.5 + 0.29 * dx - 0.19 * side * dy, 0.5 + 0.29 * dy + 0.19 * side * dx, 0.075, ink)


def _diamond(radius: float, fill: str) -> Iterator[Shape]:
    for r, colour in ((radius + 0.05, FLOOR), (radius, fill)):
        yield Polygon(((0.5, 0.5 - r), (0.5 + r, 0.5), (0.5, 0.5 + r), (0.5 - r, 0.5)), colour)
    half = radius / 2
    yield Polygon(((0.5, 0.5 - half), (0.5, 0.5 + half), (0.5 - half, 0.5)), mix(fill, WHITE, 0.6))


def _wall(look: Look) -> Iterator[Shape]:
    up, left, down, right = (direction in look.arms for direction in DIRECTIONS.values())
    corners = (not (up or left), not (up or right), not (down or right), not (down or left))
    yield Box(0.0, 0.0, 1.0 + _SEAM * right, 1.0 + _SEAM * down, 0.26, paint_of(look.mark).ground, corners)
