"""Maps of the egg hunt: their facts, what is wrong with them, and the position that a match starts from.

mapfile.py reads a map file. generate.py draws the fields of runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.boards.grid import reached
from referee.boards.maptext import cells_with, counterparts, drawn
from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.games.egghunt.board import STEPS
from referee.games.egghunt.generate import Field, field_of_run
from referee.games.egghunt.mapfile import EGG, START, Map, read_map
from referee.games.egghunt.position import BLANK, FEWEST, MAX_SEATS, TURNS_EACH, WALL, too_long
from referee.games.egghunt.rules import start
from referee.text.words import counted, shorten

EXAMPLE_SEED: Final = 1
"""For a map without a field, the first field of the match with this seed is shown."""


class EggHuntMaps(Maps):
    """What the egg hunt knows about its maps: the `Maps` of the contract."""

    default = "easter"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. If fields are drawn with the seed, `rows` is an example for seven players. `rounds` are turns of a run."""
        chart = read_map(document)
        head = chart.document
        described, field = head.description, chart.field
        if field is None:
            described = f"{described} (What is drawn here is an example, for {FEWEST} players.)"
            field = field_of_run(FEWEST, EXAMPLE_SEED, 1)
        return MapFacts(
            name=head.name,
            description=described,
            size=len(field.rows),
            starts=field.players,
            rounds=head.turns or TURNS_EACH * len(field.players),
            rows=drawn(field.rows, dict.fromkeys(field.eggs, EGG) | dict.fromkeys(field.players, START)),
            symmetry=head.symmetry,
            counts={
                "runs": chart.runs,
                "eggs": len(field.eggs),
                "wall cells": sum(row.count(WALL) for row in field.rows),
            },
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a map."""
        chart = read_map(document)
        if chart.field is None:
            return ()
        rows, eggs, players = chart.field
        things = {"wall": cells_with(rows, WALL), "egg": eggs, "place to start": players}
        sentences = [
            *_open_border(chart.field),
            *_unreachable(chart.field),
            *counterparts(things, chart.document.symmetry, len(rows)),
        ]
        if chart.runs > 1 and len(players) < FEWEST:
            sentences.append(
                f"A match of {counted(chart.runs, 'run')} needs {FEWEST} places to start: draw more, or leave out runs."
            )
        return sentences

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from; `rounds` are turns of a run.

        House bots fill up the match to seven seats, or to the number of places if the map has fewer. Their places never rotate.
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
        field = chart.field or field_of_run(count, rng_seed, 1)
        places = [*((seat + rotate) % seats for seat in range(seats)), *range(seats, count)]
        setup = {
            "runs": chart.runs,
            "turns": turns,
            "field": list(field.rows),
            "eggs": [list(cell) for cell in field.eggs],
            "players": [list(field.players[place]) for place in places],
        }
        return start(setup, rng_seed).position()


def _places(chart: Map, seats: int) -> int:
    """The number of players, with those of the house, which fill the match up to seven. Raises: SetupError: too many seats."""
    if chart.field is None:
        return max(seats, FEWEST)
    starts = chart.field.players
    if seats > len(starts):
        name = shorten(chart.document.name, 80)
        raise SetupError(
            f"{name} has {counted(len(starts), 'place')} to start, too few for {seats} bots: choose another map"
        )
    return max(seats, min(FEWEST, len(starts)))


def _open_border(field: Field) -> Iterator[str]:
    rows, last = field.rows, len(field.rows) - 1
    for y, row in enumerate(rows):
        x = row.find(BLANK) if y in (0, last) or row[0] == BLANK else last if row[last] == BLANK else -1
        if x >= 0:
            yield f"The border is open at ({x}, {y}): a field has walls all around."
            return


def _unreachable(field: Field) -> Iterator[str]:
    """The places and eggs that are not in one area with the first place."""
    area = reached(field.players[0], set(cells_with(field.rows, BLANK)), STEPS)
    for what, cells in (("place to start", field.players), ("egg", field.eggs)):
        unreachable = [cell for cell in cells if cell not in area]
        if unreachable:
            more = f" (and {len(unreachable) - 1} more)" if len(unreachable) > 1 else ""
            yield f"The {what} at {unreachable[0]}{more} cannot be reached from the place to start at {field.players[0]}."


MAPS: Final = EggHuntMaps()
