"""Maps of SnakeCore: their facts, whether they are fair, and the position that a match starts from (rule 19 of README.md).

mapfile.py reads a map file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from referee.boards.chance import shuffled
from referee.boards.grid import DIRECTIONS, GROUPS, SYMMETRIES, Cell, Symmetry, orbit, reached
from referee.boards.maptext import cells_with, counterparts
from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.games.snakecore.generate import map_text
from referee.games.snakecore.mapfile import PLACES, Map, read_map
from referee.games.snakecore.rules import start
from referee.text.words import counted, shorten


class SnakeCoreMaps(Maps):
    """What SnakeCore knows about its maps: the `Maps` of the contract."""

    default = "crossroads"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. `counts` are walls, reactors, and all ordinary and energy blocks, drawn or strewn."""
        chart = read_map(document)
        text = "".join(chart.rows)
        head = chart.document
        return MapFacts(
            name=head.name,
            description=head.description,
            size=chart.size,
            starts=chart.starts,
            rounds=head.rounds,
            rows=chart.rows,
            symmetry=head.symmetry,
            counts={
                "walls": text.count("W"),
                "reactors": text.count("R"),
                "ordinary": text.count("b") + head.blocks.ordinary,
                "energy": text.count("e") + head.blocks.energy,
            },
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a map.

        A map is fair if it has the symmetry that it names, and if this symmetry exchanges the places. Then all seats have the
        same game.
        """
        chart = read_map(document)
        return [*_unfair(chart), *_unreachable(chart), *_unscorable(chart)]

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from, the blocks strewn."""
        chart = read_map(document)
        name = shorten(chart.document.name, 80)
        if seats < 1:
            raise SetupError(f"a match on {name} needs at least 1 bot")
        if seats > len(chart.starts):
            raise SetupError(
                f"{name} takes at most {counted(len(chart.starts), 'bot')}, not {seats}: choose a larger map"
            )
        if rounds is not None and rounds < 1:
            raise SetupError(f"rounds: must be 1 or more, not {rounds}")
        rows = [["." if char in PLACES else char for char in row] for row in chart.rows]
        for (x, y), kind in _strewn(chart, Random(f"snakecore setup {rng_seed}")):
            rows[y][x] = kind
        setup = {
            "size": chart.size,
            "rounds": rounds or chart.document.rounds,
            "field": ["".join(row) for row in rows],
            "pythons": [{"cells": [list(chart.starts[(seat + rotate) % seats])]} for seat in range(seats)],
        }
        return start(setup, rng_seed).position()

    generate = staticmethod(map_text)


def _strewn(chart: Map, rng: Random) -> Iterator[tuple[Cell, str]]:
    """The blocks that are strewn: cell and kind. Raises: SetupError: there is not enough room."""
    if lacking := _no_room(chart):
        raise SetupError(lacking)
    blocks = chart.document.blocks
    chosen = shuffled(chart.orbits, rng, (blocks.ordinary + blocks.energy) // chart.order)
    for k, cells in enumerate(chosen):
        for cell in cells:
            yield cell, "b" if k * chart.order < blocks.ordinary else "e"


def _no_room(chart: Map) -> str | None:
    """Why the map's blocks cannot be strewn; None if they can."""
    blocks = chart.document.blocks
    count = blocks.ordinary + blocks.energy
    if not count:
        return None
    room = sum(map(len, chart.orbits))
    if count <= room:
        return None
    return f"blocks: {count} do not fit on {room} symmetric empty cells: place fewer, or clear some cells"


def _unfair(chart: Map) -> Iterator[str]:
    """What makes the seats unequal."""
    name, size, starts = chart.document.symmetry, chart.size, chart.starts
    things = {"wall": "W", "reactor": "R", "ordinary block": "b", "energy block": "e"}
    yield from counterparts({thing: cells_with(chart.rows, char) for thing, char in things.items()}, name, size)
    sends = [SYMMETRIES[element] for element in GROUPS[name]]
    if apart := _apart(starts, sends, size):
        yield (
            f"{_places_named(apart)} not alike with start 1: the symmetry {name} does not exchange them "
            f"({_advice(len(starts))})."
        )
    elif len(starts) in (4, 8) and orbit(starts[0], "half", size)[-1] != starts[1]:
        yield "Two bots would not start alike: number the starts so that 2 is opposite 1, by a half turn."
    elif len(starts) == 8 and _apart(starts[:4], sends, size):
        yield "Four bots would not start alike: number the starts so that quarter turns send 1 to 2, 3 and 4."


def _apart(starts: Sequence[Cell], sends: Sequence[Symmetry], size: int) -> list[int]:
    """The numbers of the starts that are not alike with the first one, if no others are taken."""
    keeping = [send for send in sends if set(starts) == {send(start, size) for start in starts}]
    alike = {send(starts[0], size) for send in keeping}
    return [k for k, start in enumerate(starts, 1) if start not in alike]


def _places_named(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"Start {numbers[0]} is"
    return f"Starts {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} are"


def _advice(count: int) -> str:
    if count == 2:
        return "two starts are alike under half or a mirror"
    if count == 4:
        return "four starts are alike under quarter or four-mirrors"
    if count == 8:
        return "eight starts are alike under full"
    return (
        f"no symmetry of the square has {count} alike starts: fewer bots can take turns at the places of a larger map"
    )


def _unreachable(chart: Map) -> Iterator[str]:
    """What cannot be reached from start 1, and starts that reach no reactor. A head never enters a reactor."""
    steps = DIRECTIONS.values()
    reactors, open_cells = cells_with(chart.rows, "R"), cells_with(chart.rows, ".be" + PLACES)
    passable = set(open_cells)
    near = [reached(start, passable, steps) for start in chart.starts]
    beside = {(x, y): [(x + dx, y + dy) for dx, dy in steps] for x, y in reactors}
    for thing, lost in (
        ("cell", [cell for cell in open_cells if cell not in near[0]]),
        ("reactor", [cell for cell in reactors if near[0].isdisjoint(beside[cell])]),
    ):
        if lost:
            verb = "cannot" if len(lost) == 1 else f"and {counted(len(lost) - 1, 'other')} cannot"
            yield f"The {thing} at {lost[0]} {verb} be reached from start 1."
    for number, cells in enumerate(near, 1):
        if all(cells.isdisjoint(beside[reactor]) for reactor in reactors):
            yield f"Start {number} cannot reach a reactor."


def _unscorable(chart: Map) -> Iterator[str]:
    """What is wrong with the blocks."""
    blocks = chart.document.blocks
    if not blocks.ordinary + blocks.energy and not cells_with(chart.rows, "be"):
        yield "There are no blocks, so that nobody can score."
    if lacking := _no_room(chart):
        yield f"{lacking[0].upper()}{lacking[1:]}."


MAPS: Final = SnakeCoreMaps()
