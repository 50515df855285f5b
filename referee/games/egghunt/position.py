"""Positions of the egg hunt as JSON (README.md, Positions), checked against the rules.

A position may come from any source. One that passes the checks is consistent: rows of one length, an entry for each player in
every list, nothing twice on one cell, nothing in a wall or off the field, only memories that an answer can leave (rules 1
to 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, model_validator

from referee.boards.grid import AnyCell, check_places
from referee.contract.game import FaultName
from referee.contract.positions import Position
from referee.text.strict import MayBeMissing, Strict
from referee.text.words import counted

MAX_SIDE: Final = 999
"""The longest side of a given field, in cells."""
MAX_SEATS: Final = 64
"""Players in a match. The rules set no limit, but a drawn cell has room for two digits."""
MAX_MEMORY: Final = 1024
"""Characters (code points) of a memory (rule 3)."""
TURNS_EACH: Final = 25
"""Turns of a run for each player (rule 6)."""
RUNS: Final = 10
"""Runs of a match (rule 6)."""
MAX_ANSWERS: Final = RUNS * TURNS_EACH * MAX_SEATS**2
"""The most answers of all players in all runs: those of a full match with the most players."""
FEWEST: Final = 7
"""The fewest players for whom a field can be drawn (rule 1)."""

WALL, BLANK = "#", " "

# Every number has a cap, so that it fits into a message and into the numbers of every JSON reader.
Count = Annotated[int, Field(ge=0, le=2**53)]
Ordinal = Annotated[int, Field(ge=1, le=MAX_ANSWERS)]
Memory = Annotated[str, Field(max_length=MAX_MEMORY)]


class PositionModel(Strict):
    """A moment of a match; missing keys mean the start of a single run."""

    runs: Ordinal = 1
    run: Ordinal = 1
    turns: MayBeMissing[Ordinal] = None
    turn: Ordinal = 1
    field: Annotated[list[str], Field(min_length=1, max_length=MAX_SIDE)]
    eggs: list[AnyCell]
    players: Annotated[list[AnyCell], Field(min_length=1, max_length=MAX_SEATS)]
    memory: MayBeMissing[list[Memory]] = None
    scores: MayBeMissing[list[Count]] = None
    totals: MayBeMissing[list[Count]] = None
    disqualified: MayBeMissing[list[FaultName | None]] = None

    @model_validator(mode="after")
    def _fits_together(self) -> PositionModel:
        width = len(self.field[0])
        if not 1 <= width <= MAX_SIDE:
            raise ValueError(f"field.0: {counted(width, 'character')}; a row has 1 to {MAX_SIDE}")
        for y, row in enumerate(self.field):
            if len(row) != width:
                raise ValueError(f"field.{y}: {counted(len(row), 'character')}; the rows above have {width}")
            if bad := set(row) - {WALL, BLANK}:
                letter = f"field.{y}: {min(bad)!a}"
                raise ValueError(f"{letter} is neither # nor a blank (eggs and players have their own lists)")
        things = (("eggs", self.eggs), ("players", self.players))
        check_places(((f"{key}.{k}", at) for key, cells in things for k, at in enumerate(cells)), self.field, BLANK)
        for key in ("memory", "scores", "totals", "disqualified"):
            entries: Sequence[object] | None = getattr(self, key)
            if entries is not None and len(entries) != len(self.players):
                count = counted(len(entries), "entry", "entries")
                raise ValueError(f"{key}: {count} for {counted(len(self.players), 'player')}")
        for seat, memory in enumerate(self.memory or ()):
            if "\n" in memory or "\r" in memory:
                raise ValueError(f"memory.{seat}: a memory is one line, without line feeds and carriage returns")
        self._check_progress()
        return self

    def _check_progress(self) -> None:
        turns = self.turns or TURNS_EACH * len(self.players)
        if lacking := too_long(self.runs, turns, len(self.players)):
            raise ValueError(f"turns: {lacking}")
        if self.turn > turns:
            raise ValueError(f"turn: {self.turn} is past the end of a run, {counted(turns, 'turn')}")
        if self.run > self.runs:
            raise ValueError(f"run: {self.run} is past the end, {counted(self.runs, 'run')}")
        if self.run < self.runs:
            if not self.eggs:
                run = f"run {self.run} of {self.runs}"
                raise ValueError(f"eggs: none are left, so that {run} is over: give the next one")
            if len(self.players) < FEWEST:
                players = f"players: {len(self.players)}"
                raise ValueError(
                    f"{players}; the fields of later runs are drawn for {FEWEST} or more, so give 1 for runs"
                )


def too_long(runs: int, turns: int, players: int) -> str | None:
    """Why a match of this length is too long to be saved; None if it is not."""
    if runs * turns * players <= MAX_ANSWERS:
        return None
    return f"{turns} in each of {runs} runs, of {players} players, are too many to save: at most {MAX_ANSWERS} answers"


def steps(setup: Position) -> int:
    """The approximate number of steps of a match from this position: its turns, since eggs rarely run out much sooner."""
    return int(setup.get("runs", 1)) * int(setup.get("turns") or TURNS_EACH * len(setup["players"]))
