"""Maps of the egg hunt: what is known of them, what is wrong with them, and what a match starts from.

How a map is written stands in mapfile.py, how fields are drawn in generate.py (for every run) and fair.py (for a map).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from referee.errors import SetupError
from referee.game import MapFacts, Maps, Position
from referee.games.egghunt.areas import Areas
from referee.games.egghunt.fair import map_text
from referee.games.egghunt.generate import EGGS_EACH, Field, draw_from, field_of_run
from referee.games.egghunt.mapfile import GROUPS, Drawing, Map, check_line, read_map
from referee.games.egghunt.position import BLANK, FEWEST, MAX_SEATS, TURNS_EACH, WALL, too_long
from referee.grid import SYMMETRIES, Cell, Symmetry
from referee.names import counted, shorten

EXAMPLE_SEED: Final = 1
"""The field that is shown for a map which has none of its own is the first one of the match with this seed."""


class EggHuntMaps(Maps):
    """What the egg hunt knows about its maps: the `Maps` of the contract."""

    default = "easter"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map; where fields are drawn from the seed, an example for seven players is shown.

        `rounds` are the turns of a run. Raises: SetupError.
        """
        chart = read_map(document)
        head = chart.document
        described = head.description
        if chart.drawing is None or not (chart.drawing.eggs and chart.drawing.starts):
            described = f"{described} (What is drawn here is an example, for {FEWEST} players.)"
        field = _example(chart)
        rows = [list(row) for row in field.rows]
        for letter, cells in (("o", field.eggs), ("*", field.players)):
            for x, y in cells:
                rows[y][x] = letter
        return MapFacts(
            name=head.name,
            description=described,
            size=len(rows),
            starts=field.players,
            rounds=head.turns or TURNS_EACH * len(field.players),
            rows=["".join(row) for row in rows],
            symmetry=head.symmetry,
            counts={
                "runs": chart.runs,
                "eggs": len(field.eggs),
                "wall cells": sum(row.count(WALL) for row in field.rows),
            },
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a map, one sentence each; empty when all is well. Raises: SetupError."""
        chart = read_map(document)
        if chart.drawing is None:
            return ()
        found = [
            *_open_border(chart.drawing),
            *_unreachable(chart.drawing),
            *_unlike(chart.drawing, chart.document.symmetry),
        ]
        try:
            _example(chart)
        except SetupError as lacking:
            found.append(f"{str(lacking)[0].upper()}{str(lacking)[1:]}.")
        if chart.runs > 1 and 0 < len(chart.drawing.starts) < FEWEST:
            found.append(
                f"A match of {counted(chart.runs, 'run')} needs {FEWEST} places to start: draw more, or leave out runs."
            )
        return found

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from (README.md, Positions), every key written out; `rounds` are turns of a run.

        Fewer than seven seats are filled up to seven, as far as the map has places. Of the seats that were asked for, seat s
        starts on place (s + `rotate`) mod `seats`, counted from 0.

        Raises: SetupError: the map cannot be read, or has too few places or too little room.
        """
        chart = read_map(document)
        name = shorten(chart.document.name, 80)
        if not 1 <= seats <= MAX_SEATS:
            raise SetupError(f"a match on {name} takes 1 to {MAX_SEATS} bots, not {seats}")
        if rounds is not None and rounds < 1:
            raise SetupError(f"rounds: must be 1 or more, not {rounds}")
        count = _places(chart, seats)
        if count < FEWEST and chart.runs > 1:
            raise SetupError(
                f"runs: {name} has {count} places, too few for more than one run: use 1, or draw {FEWEST} places"
            )
        turns = rounds or chart.document.turns or TURNS_EACH * count
        if lacking := too_long(chart.runs, turns, count):
            raise SetupError(f"{'turns' if rounds is None else 'rounds'}: {lacking}")
        field = _field(chart, count, rng_seed)
        places = [*((seat + rotate) % seats for seat in range(seats)), *range(seats, count)]
        return {
            "runs": chart.runs,
            "run": 1,
            "turns": turns,
            "turn": 1,
            "field": list(field.rows),
            "eggs": [list(cell) for cell in field.eggs],
            "players": [list(field.players[place]) for place in places],
            "memory": [""] * count,
            "scores": [0] * count,
            "totals": [0] * count,
            "disqualified": [None] * count,
        }

    def generate(self, *, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
        """A fair map as TOML text; without a symmetry the usual one for so many players. Raises: SetupError."""
        check_line("name", name)
        return map_text(size=size, players=players, symmetry=symmetry, rng_seed=rng_seed, name=name)


def _example(chart: Map) -> Field:
    """A field with all the places that a map draws, else with seven. Raises: SetupError: there is too little room."""
    places = len(chart.drawing.starts) if chart.drawing is not None else 0
    return _field(chart, places or FEWEST, EXAMPLE_SEED)


def _places(chart: Map, seats: int) -> int:
    """How many play, when so many were asked for: the house fills up to seven. Raises: SetupError."""
    starts = chart.drawing.starts if chart.drawing is not None else ()
    if starts and seats > len(starts):
        name = shorten(chart.document.name, 80)
        raise SetupError(
            f"{name} has {counted(len(starts), 'place')} to start, too few for {seats} bots: choose another map"
        )
    return max(seats, min(FEWEST, len(starts) or FEWEST))


def _field(chart: Map, count: int, rng_seed: int) -> Field:
    """The first field for so many players. Raises: SetupError: there is too little room."""
    drawing = chart.drawing
    if drawing is None:
        return field_of_run(count, rng_seed, 1)
    rng = Random(f"egghunt map {rng_seed}")
    eggs, starts = drawing.eggs, list(drawing.starts[:count])
    if not (eggs and starts):
        open_cells = _room(drawing)
        things = draw_from(open_cells, EGGS_EACH * count + count, rng)
        starts = starts or [things.pop() for _ in range(min(count, len(things)))]
        eggs = eggs or things[: EGGS_EACH * count]
        if len(starts) < count or (not drawing.eggs and len(eggs) < EGGS_EACH * count):
            raise SetupError(
                f"field: too little room: {len(open_cells)} blank cells in one area are too few for what is strewn for {count} "
                "players: draw a larger one"
            )
    return Field(drawing.rows, eggs, starts)


def _room(drawing: Drawing) -> list[Cell]:
    """Where things are strewn: the blank cells of the area in which the first start or egg lies, else of the largest."""
    areas = Areas(drawing.rows)
    taken = {*drawing.eggs, *drawing.starts}
    first = next(iter((*drawing.starts, *drawing.eggs)), None)
    return [cell for cell in areas.cells(areas.largest() if first is None else areas.of(first)) if cell not in taken]


def _open_border(drawing: Drawing) -> Iterator[str]:
    rows, last = drawing.rows, len(drawing.rows) - 1
    for y, row in enumerate(rows):
        x = row.find(BLANK) if y in (0, last) or row[0] == BLANK else last if row[last] == BLANK else -1
        if x >= 0:
            yield f"The border is open at ({x}, {y}): a field has walls all around."
            return


def _unreachable(drawing: Drawing) -> Iterator[str]:
    """What does not lie in one area with the first place to start; with no place, with the first egg."""
    things = [("place to start", cell) for cell in drawing.starts] + [("egg", cell) for cell in drawing.eggs]
    if not things:
        return
    areas = Areas(drawing.rows)
    reached = areas.of(things[0][1])
    for what in ("place to start", "egg"):
        lost = [cell for kind, cell in things if kind == what and areas.of(cell) != reached]
        if lost:
            more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
            yield f"The {what} at {lost[0]}{more} cannot be reached from the {things[0][0]} at {things[0][1]}."


def _unlike(drawing: Drawing, symmetry: str) -> Iterator[str]:
    """What keeps the places from being alike under the symmetry that the map names."""
    size = len(drawing.rows)
    walls = "".join(drawing.rows).translate(_MARKED).encode()
    for thing, marks in (
        ("wall", walls),
        ("egg", _marks(drawing.eggs, size)),
        ("place to start", _marks(drawing.starts, size)),
    ):
        found = [_alone(marks, SYMMETRIES[name], size) for name in GROUPS[symmetry]]
        if alone := [pair for pair in found if pair is not None]:
            cell, image = min(alone)
            yield f"The {thing} at {cell} has no counterpart at {image}, as the symmetry {symmetry} asks."


def _marks(cells: Sequence[Cell], size: int) -> bytes:
    """A field as one text, row by row: 1 where something is, else 0."""
    marks = bytearray(b"0" * (size * size))
    for x, y in cells:
        marks[y * size + x] = ord("1")
    return bytes(marks)


def _alone(marks: bytes, symmetry: Symmetry, size: int) -> tuple[Cell, Cell] | None:
    """The first cell, column by column, that has a mark, and the one without to which a symmetry sends it."""
    for x in range(size):
        here = marks[x::size]
        # A symmetry sends a column to a row or a column, which is a slice of the text too.
        (x0, y0), (x1, y1) = symmetry((x, 0), size), symmetry((x, 1), size)
        first, step = y0 * size + x0, (y1 - y0) * size + x1 - x0
        end = first + size * step
        there = marks[first : end if end >= 0 else None : step]
        if here != there:
            for y, pair in enumerate(zip(here, there, strict=True)):
                if pair == (ord("1"), ord("0")):
                    return (x, y), symmetry((x, y), size)
    return None


_MARKED: Final = str.maketrans({WALL: "1", BLANK: "0"})

MAPS: Final = EggHuntMaps()
