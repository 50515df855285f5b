"""The tables of a ledger, and strict models of their rows, which anybody may have written. Pure.

A row keeps its form in the file: texts, numbers, JSON in texts, and compressed JSON. Reading checks the form of a row by itself;
`answers.match_defect` checks a match against the schedule.

What a million matches would repeat is written once: who sat in a seat is a row of `players`, and only matches with faults have
rows in `faults`. `played` finds the matches of an entrant; `kind` is that of its fault, or empty.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, Json
from pydantic_core import from_json

from referee.contract.game import FaultName
from referee.tournament.answers import (
    Count,
    FaultFacts,
    FaultRow,
    Figure,
    MatchFacts,
    Number,
    Place,
    Score,
    SeatRow,
    Seats,
    StrictRow,
    Text,
    Time,
)
from referee.tournament.figures.sums import GROUPS
from referee.tournament.model import MOST_SEATINGS

FORMAT: Final = 3
"""The version of a ledger's tables."""
TABLES_OF_BOTH: Final = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entrants (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, content TEXT NOT NULL, seeding INTEGER, present INTEGER NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE changes (
    tour INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, change TEXT NOT NULL, before TEXT, replaces INTEGER
);
CREATE TABLE series (
    number INTEGER PRIMARY KEY, tour INTEGER NOT NULL REFERENCES tours, key TEXT NOT NULL UNIQUE, meeting TEXT NOT NULL,
    map TEXT NOT NULL, turn INTEGER NOT NULL, seatings TEXT NOT NULL
);
CREATE TABLE failures (
    series INTEGER NOT NULL REFERENCES series, seating INTEGER NOT NULL, started TEXT NOT NULL, machine TEXT NOT NULL,
    why TEXT NOT NULL
);
CREATE TABLE unready (name TEXT NOT NULL, source TEXT NOT NULL, why TEXT NOT NULL, number INTEGER, stray INTEGER NOT NULL);"""
"""The tables that the format before this one has too (`upgrading.py`)."""
SCHEMA: Final = f"""{TABLES_OF_BOTH}
CREATE TABLE tours (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, byes TEXT NOT NULL, first INTEGER NOT NULL,
    matches INTEGER NOT NULL, ended INTEGER NOT NULL
);
CREATE TABLE players (
    id INTEGER PRIMARY KEY, number INTEGER NOT NULL, entrant TEXT NOT NULL, name TEXT NOT NULL, called TEXT
);
CREATE INDEX players_of ON players (number);
CREATE TABLE matches (
    series INTEGER NOT NULL REFERENCES series, seating INTEGER NOT NULL, seats TEXT NOT NULL, reason TEXT NOT NULL,
    tries INTEGER NOT NULL, seconds REAL NOT NULL, started TEXT NOT NULL, machine TEXT NOT NULL, saved TEXT, sha256 TEXT,
    times BLOB NOT NULL, PRIMARY KEY (series, seating)
) WITHOUT ROWID;
CREATE INDEX void ON matches (reason) WHERE reason = 'void';
CREATE TABLE faults (
    series INTEGER NOT NULL, seating INTEGER NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL,
    step INTEGER NOT NULL, round INTEGER NOT NULL, request TEXT NOT NULL, ms REAL NOT NULL, stderr TEXT NOT NULL,
    PRIMARY KEY (series, seating, seat)
) WITHOUT ROWID;
CREATE TABLE played (
    number INTEGER NOT NULL, series INTEGER NOT NULL, seating INTEGER NOT NULL, kind TEXT NOT NULL,
    PRIMARY KEY (number, series, seating, kind)
) WITHOUT ROWID;
CREATE TABLE kept (
    number INTEGER NOT NULL, series INTEGER NOT NULL, seating INTEGER NOT NULL, PRIMARY KEY (number, series, seating)
) WITHOUT ROWID;
CREATE INDEX kept_of ON kept (series, seating);
CREATE INDEX failures_of ON failures (series, seating);
CREATE TABLE standings (
    number INTEGER PRIMARY KEY, since INTEGER NOT NULL, credit INTEGER NOT NULL, strength REAL NOT NULL, known INTEGER NOT NULL
);
CREATE TABLE entrant_sums (
    number INTEGER PRIMARY KEY, series INTEGER NOT NULL, matches INTEGER NOT NULL, score REAL NOT NULL,
    possible INTEGER NOT NULL, points REAL NOT NULL, wins INTEGER NOT NULL, faults TEXT NOT NULL, times BLOB NOT NULL,
    called TEXT
);
CREATE TABLE pair_sums (
    first INTEGER NOT NULL, second INTEGER NOT NULL, matches INTEGER NOT NULL, games INTEGER NOT NULL,
    halves INTEGER NOT NULL, groups TEXT NOT NULL, PRIMARY KEY (first, second)
) WITHOUT ROWID;
CREATE INDEX pairs_of ON pair_sums (second);
CREATE TABLE seat_sums (
    map TEXT NOT NULL, seat INTEGER NOT NULL, series INTEGER NOT NULL, mean REAL NOT NULL, squares REAL NOT NULL,
    PRIMARY KEY (map, seat)
) WITHOUT ROWID;
INSERT INTO facts VALUES ('format', '{FORMAT}')
"""
LARGEST: Final = 2**20
"""Bytes of the JSON that a compressed value may hold."""

Sum = Annotated[int, Field(ge=-1, le=10**12)]
Games = Annotated[int, Field(ge=1, le=10**9)]
Halves = Annotated[int, Field(ge=0, le=2 * 10**9)]
Group = Annotated[int, Field(ge=0, lt=GROUPS)]
Flag = Annotated[bool, BeforeValidator(lambda cell: bool(cell) if cell in (0, 1) else cell)]
"""SQLite stores booleans as 0 and 1."""


def pack(lists: Sequence[Sequence[int]]) -> bytes:
    """Lists of numbers, compressed."""
    return zlib.compress(json.dumps(lists, separators=(",", ":")).encode(), 1)


def unpack(data: object) -> object:
    """The inverse of `pack`.

    Raises:
        ValueError: the data cannot be read, or are too large.
    """
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(data if isinstance(data, bytes) else b"", LARGEST)
    except zlib.error as failed:
        raise ValueError(str(failed)) from None
    if not reader.eof:
        raise ValueError("compressed data are expected, whole and not too large")
    return from_json(text)


class EntrantRow(StrictRow):
    """A row of `entrants`; see `model.Competitor`."""

    number: Number
    name: Text
    content: Text
    seeding: Number | None
    present: Flag
    source: Text


class ChangeRow(StrictRow):
    """A row of `changes`; see `field.Change`."""

    tour: Number
    number: Number
    name: Text
    change: Literal["joined", "late", "left", "edited", "renamed"]
    before: Text | None
    replaces: Number | None


class UnreadyRow(StrictRow):
    """A row of `unready`; see `field.Unready`."""

    name: Text
    source: Text
    why: Annotated[str, Field(max_length=1_000_000)]
    number: Number | None
    stray: Flag


class TourRow(StrictRow):
    """A row of `tours`: the number of its first series, how many matches it has, and how many of them have ended."""

    number: Number
    key: Text
    byes: Json[list[Number]]
    first: Number
    matches: Number
    ended: Number


class SeriesRow(StrictRow):
    """A row of `series`; see `model.Series`."""

    number: Number
    tour: Number
    key: Text
    meeting: Text
    map: Text
    turn: Number
    seatings: Json[Annotated[list[Seats[Number]], Field(min_length=1, max_length=2 * MOST_SEATINGS)]]


class PlayerRow(StrictRow):
    """A row of `players`: an entrant at one content, under one name, and the name that its player answered."""

    id: Number
    number: Number
    entrant: Text
    name: Text
    called: Text | None


class RecordedMatch(MatchFacts):
    """What the forms of a match in a ledger have in common."""

    series: Number
    seating: Number
    tries: Number


class StoredMatch(RecordedMatch):
    """A row of `matches`. A seat has a player's `id`, and the fields of a `SeatRow` from `place` on."""

    seats: Json[Seats[tuple[
        Number, Place | None, Score | None, Figure | None, FaultName | None, Time | None, Time | None, Time | None
    ]]]  # fmt: skip
    times: Annotated[list[list[Count]], Field(max_length=1000), BeforeValidator(unpack)]


class StoredFault(FaultFacts):
    """A row of `faults`."""

    series: Number
    seating: Number
    stderr: Json[Annotated[list[Text], Field(max_length=100)]]


class MatchRow(RecordedMatch):
    """A match as readers see it: its row, with the players of its seats and its faults."""

    seats: list[SeatRow]
    faults: list[FaultRow]
    times: list[list[int]]


class FailureRow(StrictRow):
    """A row of `failures`."""

    series: Number
    seating: Number
    started: Text
    machine: Text
    why: Annotated[str, Field(max_length=1_000_000)]


class StandingRow(StrictRow):
    """A row of `standings`; see `model.Standing`."""

    number: Number
    since: Number
    credit: Number
    strength: Figure
    known: Flag


class EntrantSumsRow(StrictRow):
    """A row of `entrant_sums`; see `figures.sums.EntrantSums`."""

    number: Number
    series: Number
    matches: Number
    score: Figure
    possible: Sum
    points: Figure
    wins: Number
    faults: Json[dict[FaultName, Number]]
    times: Annotated[list[list[Sum]], Field(min_length=1, max_length=1), BeforeValidator(unpack)]
    called: Text | None


class PairSumsRow(StrictRow):
    """A row of `pair_sums`; see `figures.sums.PairSums`. A group is its number, its games and the halves."""

    first: Number
    second: Number
    matches: Annotated[int, Field(ge=1, le=10**9)]
    games: Games
    halves: Halves
    groups: Json[Annotated[list[tuple[Group, Games, Halves]], Field(min_length=1, max_length=GROUPS)]]


class SeatSumsRow(StrictRow):
    """A row of `seat_sums`; see `figures.sums.Values`."""

    map: Text
    seat: Number
    series: Number
    mean: Annotated[float, Field(ge=0, le=1)]
    squares: Annotated[float, Field(ge=0, le=1e12)]
