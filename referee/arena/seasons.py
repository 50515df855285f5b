"""The seasons and finals of an arena as the site reads them: matches and faults. Nothing here writes or plays."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.arena import finals
from referee.arena.access import without_paths
from referee.arena.settings import ArenaFiles
from referee.arena.state import read_state
from referee.contract.game import Fault, FaultKind
from referee.errors import RefereeError
from referee.players.faults import written
from referee.tournament.ledger import FILE
from referee.tournament.model import saved_name
from referee.tournament.tournament import Tournament
from referee.web.refusals import Refusal

END: Final = 10**14
"""Greater than the number of any series."""
_CURSOR: Final = re.compile(r"([0-9]{1,9}|final(?:-[0-9]{1,9})?)\.([0-9]{1,15})\.([0-9]{1,15})")
"""Season, series and match of `Newest.next`."""


class Newest(NamedTuple):
    """Matches as the API gives them, the newest first, and `before` of the next request."""

    matches: list[dict[str, Any]]
    next: str | None


class Match(NamedTuple):
    """A match of a season.

    Attributes:
        document: as the API gives it. row: of the ledger. saved: the saved game, None if it was not kept.
        page: the file of its page, which is empty if none can be made.
    """

    document: dict[str, Any]
    row: Mapping[str, Any]
    saved: Path | None
    page: Path


class Seasons:
    """Opens ledgers when they are first read. `season` is everywhere the folder of a season or a final."""

    def __init__(self, files: ArenaFiles) -> None:
        self._files = files
        self._open: dict[str, Tournament] = {}

    def close(self) -> None:
        """Close all ledgers."""
        for tournament in self._open.values():
            tournament.ledger.close()
        self._open.clear()

    def names(self) -> list[str]:
        """The current final, the seasons that have a ledger, and earlier finals; of each kind the newest first."""
        folders = (path.parent.name for path in self._files.seasons.glob(f"*/{FILE}"))
        names = sorted(filter(str.isdecimal, folders), key=int, reverse=True)
        others = finals.names(self._files)
        if (current := read_state(self._files).final) in others:
            others.remove(current)
            names.insert(0, current)
        return names + others

    def season(self, name: str) -> Tournament | None:
        """A season; None if it has no ledger, or one that cannot be read."""
        if name in self._open:
            return self._open[name]
        if name not in self.names():
            return None
        try:
            return self._open.setdefault(name, Tournament(self._files.seasons / name))
        except RefereeError:  # its first run is only just making it
            return None

    def _readable(self, names: Iterable[str]) -> Iterator[tuple[str, Tournament]]:
        """Those of these seasons that can be read."""
        for name in names:
            if (season := self.season(name)) is not None:
                yield name, season

    def newest_matches(
        self,
        most: int,
        *,
        only: str | None = None,
        bots: Collection[str] | None = None,
        fault: str | None = None,
        before: str | None = None,
    ) -> Newest:
        """The newest matches of all seasons, or of one.

        Args:
            bots: as `USER/BOT`, in capitals or not. fault: a kind, or `any`. before: `Newest.next` of an earlier answer.

        Raises:
            Refusal: `before` is not from such an answer.
        """
        first, key = _cursor(before)
        matches, names = list[dict[str, Any]](), self.names() if only is None else [only]
        if first is not None:
            names = names[names.index(first) :] if first in names else []
        for name, season in self._readable(names):
            if len(matches) == most:
                return Newest(matches, f"{name}.{END}.0")
            wanted = "name COLLATE NOCASE IN (SELECT value FROM json_each(?))"
            numbers = None if bots is None else _numbers(season, wanted, [json.dumps(list(bots))])
            end = key if name == first else None
            rows, further = season.ledger.newest(most - len(matches), before=end, numbers=numbers, fault=fault)
            matches += ({"season": name, **document} for document in season.documents(rows))
            if further is not None:
                return Newest(matches, f"{name}.{further[0]}.{further[1]}")
        return Newest(matches, None)

    def match(self, season: str, match: str) -> Match:
        """One match, by its id.

        Raises:
            Refusal: there is none, or it has not been played.
        """
        tournament = self.season(season)
        key = tournament.ledger.schedule.find(match) if tournament else None
        pair = tournament.ledger.match(*key) if tournament and key else None
        if tournament is None or pair is None:
            raise Refusal("not_found", "there is no such match")
        [document] = tournament.documents([pair])
        row: Mapping[str, Any] = dict(pair[1])
        saved = tournament.folder / row["saved"] if row["saved"] else None
        kept = saved if saved and saved.is_file() else None
        return Match({"season": season, **document}, row, kept, self._files.match(season, match))

    def faults(self, name: str, content: str | None, most: int) -> list[dict[str, Any]]:
        """The newest faults of a version, by the name and the content of its entrant. `api.contest.faults` adds requests."""
        faults = list[dict[str, Any]]()
        for folder, season in self._readable(self.names()):
            numbers = _numbers(season, "name = ? AND content = ?", [name, content])
            newest, _ = season.ledger.newest(most - len(faults), numbers=numbers, fault="any")
            for match, row in newest:
                seats = {seat["seat"] for seat in row["seats"] if seat["number"] in numbers}
                kept = (season.folder / saved_name(*match.key)).is_file()
                origin = {"season": folder, "match": match.id, "kept": kept}
                own = [dict(fault) for fault in row["faults"] if fault["seat"] in seats]
                for fault in without_paths(own, self._files.root):
                    answer = written(Fault(FaultKind(fault["kind"]), fault["detail"]))
                    faults.append({**origin, **fault, "ask": fault["request"], "request": None, "answer": answer})
            if len(faults) >= most:
                break
        return faults

    def match_count(self, name: str) -> int:
        """How many matches of a season were played."""
        season = self.season(name)
        return season.ledger.schedule.matches()[1] if season else 0


def names_of(match: Mapping[str, Any]) -> Iterable[str]:
    """The names of the entrants of a match, the best first."""
    seats = sorted(match["seats"], key=lambda seat: (seat["place"] is None, seat["place"]))
    return [str(seat["name"]) for seat in seats]


def _numbers(season: Tournament, condition: str, values: Sequence[str | None]) -> list[int]:
    """The numbers of the entrants that meet a condition. The models of all entrants of all seasons would take long."""
    return [number for (number,) in season.ledger.query(f"SELECT number FROM entrants WHERE {condition}", values)]


def _cursor(before: str | None) -> tuple[str | None, tuple[int, int] | None]:
    if before is None:
        return None, None
    if (cursor := _CURSOR.fullmatch(before)) is None:
        raise Refusal("bad_request", "before: give the `next` of an earlier answer")
    return cursor[1], (int(cursor[2]), int(cursor[3]))
