"""Fair maps at random, for one to eight players (rule 19 of README.md).

1. A map is built from *pieces*: bars, angles, tees, crosses, brackets and rooms with doors. A piece is laid together with
   all its images under the map's symmetry, and only if a ring of free cells stays around each. So no piece touches another
   or the edge, none encloses a cell, every cell stays reachable, and there are no dead ends.
2. Reactors replace cells of pieces, far from the starts and from each other. The centre often has one.
3. Three players get a map for four, and five to seven players a map for eight, because no symmetry of the square has 3, 5, 6
   or 7 alike places. They take turns at them.
4. Two starts are near opposite corners, four near all corners, and eight near the edges, two at each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from referee.boards.chance import pick, shuffled
from referee.boards.grid import DIRECTIONS, GROUPS, SYMMETRIES, Cell, orbit, reachable_cells
from referee.boards.maptext import document
from referee.errors import SetupError
from referee.games.snakecore.position import MAX_SEATS
from referee.text.words import counted, is_line, shorten

SIZES: Final = range(5, 301)
"""Below 5 there is no room; above 300 a map takes many seconds and no match on it would be watched."""
SIZES_FOR_EIGHT: Final = range(15, SIZES.stop)
"""On a smaller field, eight starts leave no room for pieces."""
_USUAL: Final = {1: "none", 2: "half", 4: "quarter", 8: "full"}
_POSSIBLE: Final = {
    1: ("none",),
    2: ("half", "left-right", "top-bottom", "diagonal", "anti-diagonal", "quarter", "four-mirrors"),
    4: ("quarter", "four-mirrors"),
    8: ("full",),
}

_STYLES: Final = (
    ("bar", "bar", "angle"),
    ("angle", "angle", "bracket"),
    ("cross", "tee", "bar"),
    ("room", "bar", "bar", "pillar"),
    ("room", "bracket", "angle", "bar"),
    ("bar", "angle", "tee", "cross", "bracket", "room", "pillar"),
)
"""The kinds of pieces that a map is made of. Each map has one style, so that maps differ."""


@dataclass
class _Plan:
    """A map in the making: `solid` holds walls and reactors, `clear` what must stay empty, `pieces` the walls laid."""

    size: int
    symmetry: str
    starts: Sequence[Cell]
    solid: set[Cell] = field(default_factory=set)
    clear: set[Cell] = field(default_factory=set)
    pieces: list[Cell] = field(default_factory=list)
    reactors: list[Cell] = field(default_factory=list)

    def open(self) -> list[Cell]:
        """The cells without walls and reactors, by rows."""
        cells = ((x, y) for y in range(self.size) for x in range(self.size))
        return [cell for cell in cells if cell not in self.solid]

    def orbit(self, cell: Cell) -> list[Cell]:
        """The cells that the map's symmetry makes alike."""
        return orbit(cell, self.symmetry, self.size)


def map_text(*, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
    """A fair map as TOML text; the same arguments give the same text on every version of Python.

    `size` is the side in cells. Without a `symmetry`, the map gets the usual one for the number of players. A map for three has
    four places, and a map for five to seven has eight.

    Raises: SetupError: no such map can be drawn.
    """
    if not 1 <= players <= MAX_SEATS:
        raise SetupError(f"players: a map can be drawn for 1 to {MAX_SEATS} players, not {players}")
    players = next(places for places in _POSSIBLE if places >= players)
    if not is_line(name):
        raise SetupError("name: must be one line of text, not empty")
    if size not in (sizes := SIZES_FOR_EIGHT if players == 8 else SIZES):
        raise SetupError(f"size: a map can be drawn with {sizes[0]} to {sizes[-1]} cells a side, not {size}")
    symmetry = symmetry or _USUAL[players]
    if symmetry not in _POSSIBLE[players]:
        choices = " or ".join(_POSSIBLE[players])
        raise SetupError(f"symmetry: for {players} players use {choices}, not {shorten(repr(symmetry), 40)}")
    rng = Random(f"snakecore map {size} {players} {symmetry} {rng_seed}")
    plan = _square(size, players, symmetry, rng)
    _lay_pieces(plan, rng)
    _place_reactors(plan, rng)
    ordinary, energy = _blocks(plan)
    player_range = "5 to 8 players" if players == 8 else counted(players, "player")
    description = f"Drawn at random for {player_range}, with seed {rng_seed}."
    text = document(name, description, {"symmetry": symmetry}, _rows(plan))
    return f"{text}\n[blocks]\nordinary = {ordinary}\nenergy = {energy}\n"


def _margin(size: int) -> int:
    """How far a start is from the edge."""
    return 0 if size < 7 else 1 if size < 16 else 2


def _neighbourhood(cell: Cell) -> list[Cell]:
    """A cell and the eight around it."""
    return [(cell[0] + dx, cell[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def _four(cell: Cell) -> list[Cell]:
    """The four cells beside a cell, those beyond the edge included."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS.values()]


def _square(size: int, players: int, symmetry: str, rng: Random) -> _Plan:
    """An open field with its starts near the corners, or near edges if a mirror requires it."""
    near, far = _margin(size), size - 1 - _margin(size)
    along = near + pick(rng, size - 2 * near)
    even = (near + size // 2) // 2  # eight starts are as far from each other at a corner as along an edge
    firsts = {"left-right": (near, along), "top-bottom": (along, near), "diagonal": (near, far), "full": (even, near)}
    # All places of the orbit stay clear, used or not.
    places = orbit(firsts.get(symmetry, (near, near)), symmetry, size)
    plan = _Plan(size, symmetry, places[:players])
    plan.clear.update(near for place in places for near in _neighbourhood(place))
    return plan


def _piece(kind: str, rng: Random) -> list[Cell]:
    """A piece of wall about the origin, turned and mirrored at random."""
    a, b = 2 + pick(rng, 4), 2 + pick(rng, 3)
    match kind:
        case "pillar":
            cells = {(0, 0)}
        case "bar":
            cells = {(k, 0) for k in range(a)}
        case "angle":
            cells = {(k, 0) for k in range(a)} | {(0, k) for k in range(b)}
        case "tee":
            cells = {(k, 0) for k in range(-2, 3)} | {(0, k) for k in range(b)}
        case "cross":
            arm = 1 + pick(rng, 2)
            cells = {(k, 0) for k in range(-arm, arm + 1)} | {(0, k) for k in range(-arm, arm + 1)}
        case "bracket":
            cells = {(k, 0) for k in range(a + 2)} | {(0, k) for k in range(b)} | {(a + 1, k) for k in range(b)}
        case _:
            width, height = a + 3, b + 3
            cells = {(x, y) for x in range(width) for y in range(height) if x in (0, width - 1) or y in (0, height - 1)}
            doors = [(width // 2, 0), (width // 2, height - 1), (0, height // 2), (width - 1, height // 2)]
            shut = pick(rng, 5)
            cells -= {door for k, door in enumerate(doors) if k != shut}
    flip, mirror, turn = (rng.random() < 0.5 for _ in range(3))
    piece = sorted(cells)
    if flip:
        piece = [(-x, y) for x, y in piece]
    if mirror:
        piece = [(x, -y) for x, y in piece]
    return [(y, x) for x, y in piece] if turn else piece


def _lay_pieces(plan: _Plan, rng: Random) -> None:
    """Walls, until a sixth of the open cells or so are walls or no more pieces fit."""
    room = plan.open()
    style = _STYLES[pick(rng, len(_STYLES))]
    wall_count = len(room) * (0.12 + 0.08 * rng.random())
    tries = len(room) * (4 if plan.symmetry == "full" else 1)  # eight images of a piece seldom fit
    for _ in range(tries):
        if len(plan.pieces) >= wall_count:
            return
        x, y = room[pick(rng, len(room))]
        piece = [(x + dx, y + dy) for dx, dy in _piece(style[pick(rng, len(style))], rng)]
        if all(_is_free(plan, cell) for cell in piece):
            sends = [SYMMETRIES[name] for name in GROUPS[plan.symmetry]]
            images = {frozenset(send(cell, plan.size) for cell in piece) for send in sends}
            laid = set().union(*images)
            if all(_is_free(plan, cell) for cell in laid) and _apart(images):
                plan.solid |= laid
                plan.pieces += sorted(laid)


def _is_free(plan: _Plan, cell: Cell) -> bool:
    """Whether a wall may stand here: not beside the edge, another wall or what must stay clear."""
    x, y = cell
    inside = 0 < x < plan.size - 1 and 0 < y < plan.size - 1
    return inside and cell not in plan.clear and plan.solid.isdisjoint(_neighbourhood(cell))


def _apart(images: set[frozenset[Cell]]) -> bool:
    """Whether the images of a piece leave a free ring around each other."""
    rings = [{near for cell in image for near in _neighbourhood(cell)} for image in images]
    return all(image.isdisjoint(ring) for k, image in enumerate(images) for j, ring in enumerate(rings) if j != k)


def _place_reactors(plan: _Plan, rng: Random) -> None:
    """About one reactor for a hundred cells, in whole orbits, at least one that every start can reach."""
    reactor_count = max(1, round(len(plan.open()) / 100))
    if plan.size % 2 and plan.solid.isdisjoint(_neighbourhood(middle := (plan.size // 2, plan.size // 2))):
        _set_reactors(plan, [middle])
    # The middle of a cross, say, has walls all around it.
    places = [cell for cell in plan.pieces if not plan.solid.issuperset(_four(cell))]
    while places and len(plan.reactors) < reactor_count:
        occupied = [*plan.reactors, *plan.starts]
        some = [places[pick(rng, len(places))] for _ in range(12)]
        best = max(some, key=lambda c: min(abs(c[0] - x) + abs(c[1] - y) for x, y in occupied))
        if best in plan.reactors:
            break  # so few pieces that twelve tries found nothing else
        _set_reactors(plan, plan.orbit(best))
    if not plan.reactors:
        _set_reactors(plan, _any_place(plan, rng))


def _set_reactors(plan: _Plan, cells: Sequence[Cell]) -> None:
    plan.reactors += cells
    plan.solid.update(cells)


def _any_place(plan: _Plan, rng: Random) -> list[Cell]:
    """The cells of an orbit that can become reactors without cutting off another cell, for fields too small for pieces."""
    start_cells = {image for start in plan.starts for image in plan.orbit(start)}
    room = [cell for cell in plan.open() if cell not in start_cells]
    for cell in shuffled(room, rng):
        reactors = plan.orbit(cell)
        left = set(plan.open()).difference(reactors)
        if reachable_cells(plan.starts[0], left, DIRECTIONS.values()) == left:
            return reactors
    raise SetupError("size: no room for a reactor on so small a field: use a larger one")


def _blocks(plan: _Plan) -> tuple[int, int]:
    """The numbers of ordinary and energy blocks: an eighth of the empty cells, a fifth of them energy, in whole orbits."""
    unit = len(GROUPS[plan.symmetry])
    empty = [cell for cell in plan.open() if cell not in plan.starts]
    whole = sum(len(plan.orbit(cell)) == unit for cell in empty) // unit
    total = min(max(1, round(0.12 * len(empty) / unit)), whole)
    energy = round(total / 5)
    return (total - energy) * unit, energy * unit


def _rows(plan: _Plan) -> list[str]:
    chars = dict.fromkeys(plan.solid, "W") | dict.fromkeys(plan.reactors, "R")
    chars |= {start: str(k) for k, start in enumerate(plan.starts, 1)}
    return ["".join(chars.get((x, y), ".") for x in range(plan.size)) for y in range(plan.size)]
