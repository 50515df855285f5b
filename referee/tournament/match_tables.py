"""The matches of a ledger, in three tables: their rows, the players of all seats, and the evidence of faults."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from referee.tournament.answers import FaultRow
from referee.tournament.database import Database
from referee.tournament.model import saved_name
from referee.tournament.rows import MatchRow, PlayerRow, StoredFault, StoredMatch, pack

Key: TypeAlias = tuple[int, int]
"""The number of a series, and a seating."""
_PLAYER: Final = ("number", "entrant", "name", "called")
_SEAT: Final = ("place", "score", "points", "disqualified", "first_ms", "slowest_ms", "total_ms")
_FAULT: Final = tuple(FaultRow.__annotations__)
MOST_PLAYERS: Final = 100
"""Rows in which the player of a seat is looked for: a bot may answer another name in each match."""
PAGE: Final = 1000
MOST_ROWS: Final = 10_000
"""Rows that `newest` reads at a time, and in all."""
_SEATS_OF: Final = "SELECT seats FROM matches WHERE series = faults.series AND seating = faults.seating"
_PLAYER_ID: Final = re.compile(r"\[(\d+),")
"""The player's id, with which a seat begins in JSON: `[[12,1.0,…],[7,…]]`."""


class MatchTables:
    """The matches in an open ledger."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, row: Mapping[str, Any]) -> bool:
        """Add a match, as a `MatchRow` has it; whether it was not there yet. Within a transaction."""
        key = row["series"], row["seating"]
        seats = [[self._player_id(seat), *(seat[name] for name in _SEAT)] for seat in row["seats"]]
        stored_row = {**row, "seats": json.dumps(seats, separators=(",", ":")), "times": pack(row["times"])}
        columns = ", ".join(StoredMatch.__annotations__)
        marks = ", ".join(f":{name}" for name in StoredMatch.__annotations__)
        new = f"INSERT OR IGNORE INTO matches ({columns}) VALUES ({marks}) RETURNING series"
        if not self._db.query(new, stored_row):
            return False
        faults = [{**fault, "stderr": json.dumps(fault["stderr"])} for fault in row["faults"]]
        cells = ((*key, *(fault[name] for name in _FAULT)) for fault in faults)
        self._db.write_all("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", cells)
        return True

    def keep_newest(self, series: int, seating: int, row: Mapping[str, Any], most: int) -> list[str]:
        """Keep the saved game of a match that was put, and of older ones only the newest of each of its entrants.

        The saved games of matches with faults are not counted, and are kept. Within a transaction.

        Args:
            most: how many to keep of each entrant.

        Returns:
            The saved games to delete, as paths in the tournament's folder. No row names them any more.
        """
        if row["saved"] is None or row["faults"]:
            return []
        numbers = sorted({seat["number"] for seat in row["seats"]})
        self._db.write_all("INSERT OR IGNORE INTO kept VALUES (?, ?, ?)", ((it, series, seating) for it in numbers))
        older = "SELECT series, seating FROM kept WHERE number = ? ORDER BY series DESC, seating DESC LIMIT -1 OFFSET ?"
        paths = []
        for number in numbers:
            for key in self._db.query(older, (number, most)):
                self._db.query("DELETE FROM kept WHERE number = ? AND series = ? AND seating = ?", (number, *key))
                if not self._db.query("SELECT 1 FROM kept WHERE series = ? AND seating = ?", key):
                    self._db.query("UPDATE matches SET saved = NULL WHERE series = ? AND seating = ?", key)
                    paths.append(saved_name(*key))
        return paths

    def _player_id(self, seat: Mapping[str, Any]) -> int:
        player = tuple(seat[name] for name in _PLAYER)
        newest = f"SELECT * FROM players WHERE number = ? ORDER BY id DESC LIMIT {MOST_PLAYERS}"
        query = f"SELECT id FROM ({newest}) WHERE entrant = ? AND name = ? AND called IS ?"
        if not (ids := self._db.query(query, player)):
            ids = self._db.query("INSERT INTO players VALUES (NULL, ?, ?, ?, ?) RETURNING id", player)
        return int(ids[0][0])

    def rows(self, where: str, values: Sequence[Any] = ()) -> Iterator[MatchRow]:
        """Matches in the order of the schedule; `where` is a condition on the columns `series` and `seating`."""
        faults = self._db.rows("faults", StoredFault, "series, seating, seat", where, values)
        fault = next(faults, None)
        players = dict[int, PlayerRow]()
        for row in self._db.rows("matches", StoredMatch, "series, seating", where, values):
            key = row["series"], row["seating"]
            seats = []
            for seat, (player, *figures) in enumerate(row["seats"]):
                if player not in players:
                    players[player] = self._player_of(player)
                who = {name: players[player][name] for name in _PLAYER}
                seats.append({"seat": seat, **who, **dict(zip(_SEAT, figures, strict=True))})
            evidence = []
            while fault is not None and (fault["series"], fault["seating"]) == key:
                evidence.append({name: value for name, value in fault.items() if name in _FAULT})
                fault = next(faults, None)
            if fault is not None and (fault["series"], fault["seating"]) < key:  # of no match
                break
            yield MatchRow(**{**row, "seats": seats, "faults": evidence})  # type: ignore[typeddict-item]
        if fault is not None:
            raise self._db.damage_error(f"faults, series {fault['series']}, seating {fault['seating']}: of no match")

    def newest(
        self, before: Key, most: int, *, numbers: Iterable[int] | None, fault: str | None, since: int = 0
    ) -> tuple[list[Key], Key | None]:
        """The keys of the newest matches by the order of the schedule, and where to look on; None if there are no more.

        It reads `MOST_ROWS` rows at most, also of a ledger of millions.

        Args:
            before: a key; only earlier ones.
            since: the number of a series; only this one and later ones.
            numbers: only matches of these entrants. fault: only those with a fault of this kind, `any` for all; if `numbers`
                are given, with a fault of one of these entrants.
        """
        ids, keys = None if numbers is None else self._ids(numbers), list[Key]()
        if ids is not None and not ids:
            return keys, None
        if fault is None:
            columns, table, after, order = "seats, NULL, NULL", "matches", "0", "NULL"
        else:  # a match may have several
            columns, table, after, order = f"({_SEATS_OF}), seat, kind", "faults", "seat", "seat DESC"
        rest = f"(series, seating, {after}) < (?, ?, ?) AND series >= ? ORDER BY series DESC, seating DESC, {order}"
        page = PAGE if fault is not None or ids is not None else min(PAGE, most)  # then each row is one that is wanted
        last = 0
        for _ in range(MOST_ROWS // PAGE):
            question = f"SELECT series, seating, {columns} FROM {table} WHERE {rest} LIMIT {page}"
            rows = self._db.query(question, (*before, last, since))
            for series, seating, seats, seat, kind in rows:
                before, last = (int(series), int(seating)), seat or 0
                players = _PLAYER_ID.findall(str(seats)) if ids is not None else ()
                who = players if seat is None else players[seat : seat + 1]
                fits = ids is None or not ids.isdisjoint(who)
                if fits and (fault in (None, "any", kind)) and before not in keys[-1:]:
                    keys.append(before)
                    if len(keys) == most:
                        return keys, before
            if len(rows) < page:
                return keys, None
        return keys, before

    def _ids(self, numbers: Iterable[int]) -> set[str]:
        """The ids of the players that were these entrants."""
        query = "SELECT id FROM players WHERE number = ?"
        return {str(number) for entrant in numbers for (number,) in self._db.query(query, (entrant,))}

    def _player_of(self, number: int) -> PlayerRow:
        rows = list(self._db.rows("players", PlayerRow, "id", "id = ?", (number,)))
        if not rows:
            raise self._db.damage_error(f"players, id {number}: missing")
        return rows[0]
