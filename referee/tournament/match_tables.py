"""The matches of a ledger: their rows, the players of all seats, the evidence of faults, and who played which."""

from __future__ import annotations

import json
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
        kinds = {fault["seat"]: fault["kind"] for fault in faults}
        played = {(seat["number"], *key, kinds.get(seat["seat"], "")) for seat in row["seats"]}
        self._db.write_all("INSERT INTO played VALUES (?, ?, ?, ?)", played)
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
        self, before: Key, most: int, *, numbers: Iterable[int] | None, fault: str | None
    ) -> tuple[list[Key], Key | None]:
        """The keys of the newest matches by the order of the schedule, and where to look on; None if there are no more.

        Args:
            before: a key; only earlier ones.
            numbers: only matches of these entrants. fault: only those with a fault of this kind, `any` for all; if `numbers`
                are given, with a fault of one of these entrants.
        """
        kind = {None: "TRUE", "any": "kind != ''"}.get(fault, "kind = :kind")
        table, whose = "matches" if fault is None else "faults", "TRUE"
        if numbers is not None:
            table, whose = "played", "number = :number"
        question = f"""
            SELECT DISTINCT series, seating FROM {table}
            WHERE {whose} AND (series, seating) < (:series, :seating) AND {kind}
            ORDER BY series DESC, seating DESC LIMIT :most"""
        values, keys = {"series": before[0], "seating": before[1], "kind": fault, "most": most}, set[Key]()
        for number in [None] if numbers is None else numbers:
            rows = self._db.numbers(question, {**values, "number": number})
            keys.update((series, seating) for series, seating in rows)
        newest = sorted(keys, reverse=True)[:most]
        return newest, newest[-1] if len(newest) == most else None

    def _player_of(self, number: int) -> PlayerRow:
        rows = list(self._db.rows("players", PlayerRow, "id", "id = ?", (number,)))
        if not rows:
            raise self._db.damage_error(f"players, id {number}: missing")
        return rows[0]
