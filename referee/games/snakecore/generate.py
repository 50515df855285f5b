"""Fair maps at random, for one to four players (rule 19 of README.md).

1. A map is built from *pieces*: bars, angles, tees, crosses, brackets and rooms with doors. A piece is laid together with
   all its images under the map's symmetry, and only where a ring of free cells stays around each: then no piece touches
   another or the edge, none encloses a cell, and so every cell stays reachable and no way ends dead.
2. Reactors are cells of pieces, far from the starts and from each other, and where there is a centre often there.
3. Three players get a map for four, since no symmetry of the square has three alike places. They take turns at them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.errors import SetupError
from referee.games.snakecore import symmetry as alike
from referee.games.snakecore.graph import Graph
from referee.grid import Cell
from referee.names import shorten

SIZES: Final = range(5, 301)
"""Below 5 there is no room; above 300 a map takes many seconds and no match on it would be watched."""

_USUAL: Final = {1: "none", 2: "half", 4: "quarter"}
_POSSIBLE: Final = {
    1: ("none",),
    2: ("half", "left-right", "top-bottom", "diagonal", "anti-diagonal", "quarter", "four-mirrors"),
    4: ("quarter", "four-mirrors"),
}

_STYLES: Final = (
    ("bar", "bar", "angle"),
    ("angle", "angle", "bracket"),
    ("cross", "tee", "bar"),
    ("room", "bar", "bar", "pillar"),
    ("room", "bracket", "angle", "bar"),
    ("bar", "angle", "tee", "cross", "bracket", "room", "pillar"),
)
"""What pieces a map is made of: one style a map, so that maps differ more than a mixture would."""


@dataclass
class _Plan:
    """A map in the making: `solid` holds walls and reactors, `clear` what must stay empty, `pieces` the walls laid."""

    size: int
    group: Sequence[alike.Exchange]
    starts: Sequence[Cell]
    solid: set[Cell] = field(default_factory=set)
    clear: set[Cell] = field(default_factory=set)
    pieces: list[Cell] = field(default_factory=list)
    reactors: list[Cell] = field(default_factory=list)

    def open(self) -> list[Cell]:
        cells = ((x, y) for y in range(self.size) for x in range(self.size))
        return [cell for cell in cells if cell not in self.solid]


def map_text(*, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
    """A fair map as TOML text; the same arguments give the same text on every version of Python.

    `size` is the side in cells, `symmetry` None for the usual one of so many players.

    Raises: SetupError: no such map can be drawn.
    """
    if size not in SIZES:
        raise SetupError(f"size: a map can be drawn with {SIZES.start} to {SIZES.stop - 1} cells a side, not {size}")
    if players == 3:
        players = 4
    if players not in _POSSIBLE:
        raise SetupError(
            f"players: a fair map can be drawn for 1 to 4 players, not {players}: draw a larger one by hand"
        )
    symmetry = symmetry or _USUAL[players]
    if symmetry not in _POSSIBLE[players]:
        raise SetupError(
            f"symmetry: for {players} players use {' or '.join(_POSSIBLE[players])}, not {shorten(repr(symmetry), 40)}"
        )
    rng = random.Random(f"snakecore map {size} {players} {symmetry} {rng_seed}")
    plan = _square(size, players, symmetry, rng)
    _lay_pieces(plan, rng)
    _place_reactors(plan, rng)
    ordinary, energy = _blocks(plan)
    rows = _rows(plan)
    return "\n".join(
        [
            f"name = {json.dumps(name, ensure_ascii=False)}",
            f'description = "Drawn at random for {players} player{"s" * (players > 1)}, with seed {rng_seed}."',
            f'symmetry = "{symmetry}"',
            "field = '''",
            *rows,
            "'''",
            "",
            "[blocks]",
            f"ordinary = {ordinary}",
            f"energy = {energy}",
            "",
        ]
    )


def _pick(rng: random.Random, count: int) -> int:
    """A number from 0 to count − 1, from the one method of Random whose sequence is promised."""
    return int(rng.random() * count)


def _margin(size: int) -> int:
    """How far a start is from the edge."""
    return 0 if size < 7 else 1 if size < 16 else 2


def _around(cell: Cell) -> list[Cell]:
    """A cell and the eight around it."""
    return [(cell[0] + dx, cell[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def _square(size: int, players: int, symmetry: str, rng: random.Random) -> _Plan:
    """An open field with its starts near the corners or, where a mirror wants it so, near two edges."""
    group = alike.of_square(symmetry, size)
    near, far = _margin(size), size - 1 - _margin(size)
    along = near + _pick(rng, size - 2 * near)
    first = {"left-right": (near, along), "top-bottom": (along, near), "diagonal": (near, far)}.get(
        symmetry, (near, near)
    )
    plan = _Plan(size, group, alike.orbit(first, group)[:players])
    for start in plan.starts:
        # The whole orbit stays clear: a start that is not used is as bare as those that are.
        for image in alike.orbit(start, group):
            plan.clear.update(_around(image))
    return plan


def _piece(kind: str, rng: random.Random) -> list[Cell]:
    """A piece of wall about the origin, turned and mirrored at random."""
    a, b = 2 + _pick(rng, 4), 2 + _pick(rng, 3)
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
            arm = 1 + _pick(rng, 2)
            cells = {(k, 0) for k in range(-arm, arm + 1)} | {(0, k) for k in range(-arm, arm + 1)}
        case "bracket":
            cells = {(k, 0) for k in range(a + 2)} | {(0, k) for k in range(b)} | {(a + 1, k) for k in range(b)}
        case _:
            width, height = a + 3, b + 3
            cells = {(x, y) for x in range(width) for y in range(height) if x in (0, width - 1) or y in (0, height - 1)}
            doors = [(width // 2, 0), (width // 2, height - 1), (0, height // 2), (width - 1, height // 2)]
            shut = _pick(rng, 5)
            cells -= {door for k, door in enumerate(doors) if k != shut}
    flip, mirror, turn = (rng.random() < 0.5 for _ in range(3))
    placed = sorted(cells)
    if flip:
        placed = [(-x, y) for x, y in placed]
    if mirror:
        placed = [(x, -y) for x, y in placed]
    return [(y, x) for x, y in placed] if turn else placed


def _lay_pieces(plan: _Plan, rng: random.Random) -> None:
    """Walls, until a sixth of the open cells or so are walls or no more pieces fit."""
    room = plan.open()
    style = _STYLES[_pick(rng, len(_STYLES))]
    wanted = len(room) * (0.12 + 0.08 * rng.random())
    for _ in range(len(room)):
        if len(plan.pieces) >= wanted:
            return
        x, y = room[_pick(rng, len(room))]
        piece = [(x + dx, y + dy) for dx, dy in _piece(style[_pick(rng, len(style))], rng)]
        if all(_is_free(plan, cell) for cell in piece):
            images = {frozenset(map(send, piece)) for send in plan.group}
            laid = set().union(*images)
            if all(_is_free(plan, cell) for cell in laid) and _apart(images):
                plan.solid |= laid
                plan.pieces += sorted(laid)


def _is_free(plan: _Plan, cell: Cell) -> bool:
    """Whether a wall may stand here: not beside the edge, another wall or what must stay clear."""
    x, y = cell
    inside = 0 < x < plan.size - 1 and 0 < y < plan.size - 1
    return inside and cell not in plan.clear and plan.solid.isdisjoint(_around(cell))


def _apart(images: set[frozenset[Cell]]) -> bool:
    """Whether the images of a piece leave a free ring around each other."""
    rings = [{near for cell in image for near in _around(cell)} for image in images]
    return all(image.isdisjoint(ring) for k, image in enumerate(images) for j, ring in enumerate(rings) if j != k)


def _place_reactors(plan: _Plan, rng: random.Random) -> None:
    """About one reactor for a hundred cells, in whole orbits, at least one that every start can reach."""
    wanted = max(1, round(len(plan.open()) / 100))
    if plan.size % 2 and plan.solid.isdisjoint(_around(middle := (plan.size // 2, plan.size // 2))):
        _set_reactors(plan, [middle])
    # The middle of a cross, say, has walls all around it.
    places = [cell for cell in plan.pieces if not plan.solid.issuperset(alike.four(cell))]
    while places and len(plan.reactors) < wanted:
        taken = [*plan.reactors, *plan.starts]
        some = [places[_pick(rng, len(places))] for _ in range(12)]
        best = max(some, key=lambda c: min(abs(c[0] - x) + abs(c[1] - y) for x, y in taken))
        if best in plan.reactors:
            break  # so few pieces that twelve tries found nothing else
        _set_reactors(plan, alike.orbit(best, plan.group))
    if not plan.reactors:
        _set_reactors(plan, _any_place(plan, rng))


def _set_reactors(plan: _Plan, cells: Sequence[Cell]) -> None:
    plan.reactors += cells
    plan.solid.update(cells)


def _any_place(plan: _Plan, rng: random.Random) -> list[Cell]:
    """On a field too small for any piece: cells that can be taken without cutting another off."""
    kept = {image for start in plan.starts for image in alike.orbit(start, plan.group)}
    room = [cell for cell in plan.open() if cell not in kept]
    for k in range(len(room)):
        chosen = k + _pick(rng, len(room) - k)
        room[k], room[chosen] = room[chosen], room[k]
        taken = alike.orbit(room[k], plan.group)
        left = {cell: "." for cell in plan.open() if cell not in taken}
        whole = sum(step >= 0 for step in Graph(left).distances(plan.starts[0])) == len(left)
        if whole and all(any(near in left for near in alike.four(cell)) for cell in taken):
            return taken
    raise SetupError("size: no room for a reactor on so small a field: use a larger one")


def _blocks(plan: _Plan) -> tuple[int, int]:
    """How many ordinary and energy blocks: an eighth of the empty cells, a fifth of that energy, in whole orbits."""
    unit = len(plan.group)
    empty = [cell for cell in plan.open() if cell not in plan.starts]
    whole = sum(len(alike.orbit(cell, plan.group)) == unit for cell in empty) // unit
    total = min(max(1, round(0.12 * len(empty) / unit)), whole)
    energy = round(total / 5)
    return (total - energy) * unit, energy * unit


def _rows(plan: _Plan) -> list[str]:
    chars = dict.fromkeys(plan.solid, "W") | dict.fromkeys(plan.reactors, "R")
    chars |= {start: str(k) for k, start in enumerate(plan.starts, 1)}
    return ["".join(chars.get((x, y), ".") for x in range(plan.size)) for y in range(plan.size)]
