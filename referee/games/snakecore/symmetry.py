"""What makes seats alike: exchanges of a map's cells that leave the game as it is.

1. An *exchange* sends every cell that is not a wall to another one. The exchanges of a map form a group; its *orbits*
   are the sets of cells that it makes alike. Seats whose starts lie in one orbit play the same game.
2. The symmetries of the square (`GROUPS`) serve one, two and four starts. None of them has three alike cells: an
   orbit has one, two, four or eight.
3. But the game knows no drawing, only which cells are neighbours. So any exchange that keeps neighbours and contents
   makes its starts exactly as alike as a rotation does: the symmetry `paths`, the only one for three starts. `exchange`
   finds it. Three wide regions cannot meet in the plane of a square grid like that; three regions joined by ways one
   cell wide can, because such a way may bend without the game noticing.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from referee.grid import DIRECTIONS, SYMMETRIES, Cell

Exchange: TypeAlias = Callable[[Cell], Cell]

PATHS: Final = "paths"

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "none": ("identity",),
    "half": ("identity", "half"),
    "quarter": ("identity", "half", "quarter", "three-quarter"),
    "left-right": ("identity", "left-right"),
    "top-bottom": ("identity", "top-bottom"),
    "diagonal": ("identity", "diagonal"),
    "anti-diagonal": ("identity", "anti-diagonal"),
    "four-mirrors": ("identity", "half", "left-right", "top-bottom"),
}
"""The symmetries of the square that a map can name, with their elements; where there are four, the half turn is second,
so that the images of a start in this order put the first two opposite each other."""

NAMES: Final = (*GROUPS, PATHS)

_TRIES: Final = 200
"""How often `exchange` may guess. A map needs a guess for each mirror inside one region: a handful. The cap keeps a map
that was made to be hard from hanging the referee."""


def of_square(symmetry: str, size: int) -> list[Exchange]:
    """The group of a symmetry of the square on a size × size field, the identity first."""

    def bound(name: str) -> Exchange:
        send = SYMMETRIES[name]
        return lambda cell: send(cell, size)

    return [bound(name) for name in GROUPS[symmetry]]


def orbit(cell: Cell, group: Sequence[Exchange]) -> list[Cell]:
    """The images of a cell, each once, in the order of the group."""
    return list(dict.fromkeys(send(cell) for send in group))


def four(cell: Cell) -> list[Cell]:
    """The four cells around one, those beyond the edge included."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS.values()]


def distances(start: Cell, contents: Mapping[Cell, str]) -> dict[Cell, int]:
    """Steps from `start` to every cell that can be reached; a reactor counts as reached from beside it.

    `contents` maps every cell that is not a wall to its character. Blocks are no obstacle: they can be eaten.
    """
    steps = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if contents[cell] == "R":
            continue
        for near in four(cell):
            if near in contents and near not in steps:
                steps[near] = steps[cell] + 1
                queue.append(near)
    return steps


def exchange(contents: Mapping[Cell, str], starts: Sequence[Cell]) -> list[Exchange] | None:
    """The group of an exchange that keeps neighbours and contents and sends each start to the next, the last to the first.

    `contents` maps every cell that is not a wall to its character, starts as empty. As many elements as starts, the
    identity first. None where there is no such exchange (or, on a map made for it, none within the tries).

    Cells get colours by content and by the distances from all starts, once as they are and once with the starts moved
    on by one; colours are refined by the neighbours' colours until they tell no more. Where several cells still share
    a colour, one pair is guessed and the refinement goes on. When all colours are single, they are the exchange.
    """
    near = {
        cell: [d for d in four(cell) if d in contents and (kind, contents[d]) != ("R", "R")]
        for cell, kind in contents.items()
    }
    steps = [distances(start, contents) for start in starts]
    moved = [*steps[1:], steps[0]]
    names: dict[tuple[object, ...], int] = {}

    def paint(cell: Cell, seen: Sequence[Mapping[Cell, int]]) -> int:
        return names.setdefault((contents[cell], *(s.get(cell, -1) for s in seen)), len(names))

    before = {cell: paint(cell, steps) for cell in contents}
    after = {cell: paint(cell, moved) for cell in contents}
    found = _match(before, after, near, [_TRIES])
    return None if found is None else _powers(found, len(starts))


def _match(
    before: Mapping[Cell, int], after: Mapping[Cell, int], near: Mapping[Cell, Sequence[Cell]], tries: list[int]
) -> dict[Cell, Cell] | None:
    """The exchange that agrees with both colourings; `tries` holds how many guesses are left."""
    tries[0] -= 1
    refined = _refine(before, after, near)
    if refined is None or tries[0] < 0:
        return None
    before, after = refined
    alike: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell, colour in after.items():
        alike[colour].append(cell)
    unsure = next((cell for cell, colour in before.items() if len(alike[colour]) > 1), None)
    if unsure is None:
        return {cell: alike[colour][0] for cell, colour in before.items()}
    for twin in alike[before[unsure]]:
        found = _match({**before, unsure: -1}, {**after, twin: -1}, near, tries)
        if found is not None:
            return found
    return None


def _refine(
    before: Mapping[Cell, int], after: Mapping[Cell, int], near: Mapping[Cell, Sequence[Cell]]
) -> tuple[dict[Cell, int], dict[Cell, int]] | None:
    """Both colourings, as fine as the neighbours' colours can make them; None when they cannot be matched."""
    known = 0
    while True:
        names: dict[tuple[object, ...], int] = {}

        def paint(old: Mapping[Cell, int], names: dict[tuple[object, ...], int] = names) -> dict[Cell, int]:
            return {
                cell: names.setdefault((old[cell], *sorted(old[d] for d in around)), len(names))
                for cell, around in near.items()
            }

        before, after = paint(before), paint(after)
        if Counter(before.values()) != Counter(after.values()):
            return None
        if len(names) == known:
            return before, after
        known = len(names)


def _powers(found: Mapping[Cell, Cell], count: int) -> list[Exchange] | None:
    """The group of `count` elements that an exchange makes, mended where it is longer than that.

    An exchange may come with a swap of its own (a mirror inside one region) that only its square undoes. A power of it
    that still sends each start to the next is free of that.
    """
    for power in range(1, 16 * count, count):
        step = {cell: _times(found, cell, power) for cell in found}
        if all(_times(step, cell, count) == cell for cell in step):
            maps = [{cell: _times(step, cell, k) for cell in step} for k in range(count)]
            return [images.__getitem__ for images in maps]
    return None


def _times(images: Mapping[Cell, Cell], cell: Cell, times: int) -> Cell:
    for _ in range(times):
        cell = images[cell]
    return cell
