"""Maps of the egg hunt: files, facts, what is wrong with them, and the position that a match starts from.

A map is a TOML document:

    name = "Nest"                     # one line
    description = "What it is about"  # one line
    runs = 10                         # 10 if left out, or 1 if there is a field
    turns = 175                       # of each run; 25 for each player if left out
    symmetry = "quarter"              # what makes the places alike; none if left out
    field = '''
    #########
    #*  o  *#
    #  ###  #
    #o     o#
    #  ###  #
    #*  o  *#
    #########
    '''

1. Without a `field`, the first field is drawn with the match's seed like those of all later runs (rule 1 of README.md).
2. In a `field`, `#` is a wall, `o` an egg, `*` a starting place and a blank is a blank. It has as many rows as columns. Places
   count row by row. A field has both eggs and places.
3. `symmetry` is `none`, `half`, `quarter`, `left-right` or `top-bottom`. It exchanges the places and leaves the map as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from referee.boards.grid import reachable_cells
from referee.boards.maptext import MapModel, cells_with, check_field, counterparts, draw_on
from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.games.egghunt.board import STEPS
from referee.games.egghunt.generate import Field, field_of_run
from referee.games.egghunt.position import BLANK, FEWEST, MAX_SEATS, MAX_SIDE, RUNS, TURNS_EACH, WALL, Ordinal, too_long
from referee.games.egghunt.rules import start
from referee.text.strict import read
from referee.text.words import counted

EGG, START = "o", "*"
SIZES: Final = range(3, MAX_SIDE + 1)


class DocumentModel(MapModel):
    """A map's keys. `read_map` checks the field."""

    runs: Ordinal | None = None
    turns: Ordinal | None = None
    symmetry: Literal["none", "half", "left-right", "top-bottom", "quarter"] = "none"
    field: str | None = None


@dataclass(frozen=True)
class Map:
    """A map that is readable.

    `field` is as the map draws it, its eggs and its places row by row; None if the field is drawn with the match's seed.
    """

    document: DocumentModel
    field: Field | None

    @property
    def runs(self) -> int:
        """The number of runs of a match."""
        return self.document.runs or (RUNS if self.field is None else 1)


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes. Raises: SetupError, with the key and what is wrong."""
    head = read(DocumentModel, dict(document), SetupError)
    if head.field is None:
        if head.symmetry != "none":
            raise SetupError("symmetry: a field that is drawn from the seed has none: leave it out, or draw the field")
        return Map(head, None)
    rows = head.field.strip("\n").split("\n")
    check_field(rows, SIZES, WALL + EGG + START + BLANK, "# wall, o egg, * place to start, or a blank")
    eggs, starts = cells_with(rows, EGG), cells_with(rows, START)
    if not (eggs and starts):
        raise SetupError("field: must have an egg (o) and a place to start (*), or be left out and drawn with the seed")
    if len(starts) > MAX_SEATS:
        raise SetupError(f"field: {len(starts)} places to start, {MAX_SEATS} are allowed")
    return Map(head, Field([row.replace(EGG, BLANK).replace(START, BLANK) for row in rows], eggs, starts))


class EggHuntMaps(Maps):
    """What the egg hunt knows about its maps: the `Maps` of the contract."""

    default = "easter"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. If fields are drawn with the seed, `rows` is an example for seven players. `rounds` are turns of a run."""
        chart = read_map(document)
        head = chart.document
        description, field = head.description, chart.field
        if field is None:
            description = f"{description} (What is drawn here is an example, for {FEWEST} players.)"
            field = field_of_run(FEWEST, rng_seed=1, run=1)
        rows, eggs, starts = field
        return MapFacts(
            name=head.name,
            description=description,
            size=len(rows),
            starts=starts,
            rounds=head.turns or TURNS_EACH * len(starts),
            rows=draw_on(rows, dict.fromkeys(eggs, EGG) | dict.fromkeys(starts, START)),
            symmetry=head.symmetry,
            counts={"runs": chart.runs, "eggs": len(eggs), "wall cells": "".join(rows).count(WALL)},
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a map."""
        chart = read_map(document)
        if chart.field is None:
            return ()
        rows, eggs, players = chart.field
        things = {"wall": cells_with(rows, WALL), "egg": eggs, "place to start": players}
        unequal = counterparts(things, chart.document.symmetry, len(rows))
        sentences = [*_open_border(chart.field), *_unreachable(chart.field), *unequal]
        if chart.runs > 1 and len(players) < FEWEST:
            match = f"A match of {counted(chart.runs, 'run')}"
            sentences.append(f"{match} needs {FEWEST} places to start: draw more, or leave out runs.")
        return sentences

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from; `rounds` are turns of a run.

        House bots fill up the match to seven seats, or to the number of places if the map has fewer. Their places never rotate.
        """
        chart = read_map(document)
        name = chart.document.name
        if not 1 <= seats <= MAX_SEATS:
            raise SetupError(f"a match on {name} takes 1 to {MAX_SEATS} bots, not {seats}")
        if rounds is not None and rounds < 1:
            raise SetupError(f"rounds: must be 1 or more, not {rounds}")
        count = _places(chart, seats)
        if count < FEWEST and chart.runs > 1:
            why = f"{name} has {count} places, too few for more than one run"
            raise SetupError(f"runs: {why}: use 1, or draw {FEWEST} places")
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
        places = f"{counted(len(starts), 'place')} to start"
        raise SetupError(f"{chart.document.name} has {places}, too few for {seats} bots: choose another map")
    return max(seats, min(FEWEST, len(starts)))


def _open_border(field: Field) -> Iterator[str]:
    edge = (0, len(field.rows) - 1)
    if gaps := [(x, y) for x, y in cells_with(field.rows, BLANK) if x in edge or y in edge]:
        yield f"The border is open at {gaps[0]}: a field has walls all around."


def _unreachable(field: Field) -> Iterator[str]:
    """The places and eggs that are not in one area with the first place."""
    area = reachable_cells(field.players[0], set(cells_with(field.rows, BLANK)), STEPS)
    for what, cells in (("place to start", field.players), ("egg", field.eggs)):
        if lost := [cell for cell in cells if cell not in area]:
            yield f"The {what} at {lost[0]} cannot be reached from the place to start at {field.players[0]}."


MAPS: Final = EggHuntMaps()
