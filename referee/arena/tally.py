"""What a bot's page shows of its matches: rivals, maps and faults. Kept up to date match by match. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from pydantic import TypeAdapter

MEETINGS: Final = 5
"""Matches with each rival that a bot's page links to."""
POINTS: Final = 500
"""Points of a rating over time; of more, every second one is left out."""


@dataclass(slots=True)
class MapTally:
    """How an entrant did on a map."""

    matches: int = 0
    score: float = 0.0
    possible: int = 0
    faults: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class RivalTally:
    """How an entrant did against another one: 1, ½ or 0 a match, and the last matches, the newest first."""

    score: float = 0.0
    possible: int = 0
    matches: list[str] = field(default_factory=list)


@dataclass(slots=True)
class EntrantTally:
    """The matches of an entrant."""

    maps: dict[str, MapTally] = field(default_factory=dict)
    rivals: dict[int, RivalTally] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """The matches of a season.

    Attributes:
        next: the number of the first series that is not in it. entrants: by number.
    """

    next: int = 1
    entrants: dict[int, EntrantTally] = field(default_factory=dict)

    def add(self, match: str, map_name: str, row: Mapping[str, Any]) -> None:
        """Add a match that was played.

        Args:
            match: its id. row: as a `MatchRow` has it.
        """
        seats = row["seats"]
        if any(seat["place"] is None for seat in seats):
            return  # void
        kinds = {fault["seat"]: fault["kind"] for fault in row["faults"]}
        for seat in seats:
            entrant = self.entrants.setdefault(seat["number"], EntrantTally())
            on_map = entrant.maps.setdefault(map_name, MapTally())
            on_map.matches += 1
            on_map.score += seat["score"]
            on_map.possible += len(seats) - 1
            if (kind := kinds.get(seat["seat"])) is not None:
                on_map.faults[kind] = on_map.faults.get(kind, 0) + 1
            for other in seats:
                if other["number"] != seat["number"]:
                    rival = entrant.rivals.setdefault(other["number"], RivalTally())
                    rival.score += (
                        1.0 if seat["place"] < other["place"] else 0.5 if seat["place"] == other["place"] else 0.0
                    )
                    rival.possible += 1
                    rival.matches = [match, *rival.matches][:MEETINGS]

    def document(self, number: int, names: Mapping[int, str]) -> dict[str, Any]:
        """What a page shows of an entrant.

        Args:
            names: of those rivals that are shown, by number.
        """
        entrant = self.entrants.get(number, EntrantTally())
        rivals = [
            {"name": names[other], **asdict(rival)} for other, rival in sorted(entrant.rivals.items()) if other in names
        ]
        maps = [{"map": name, **asdict(on_map)} for name, on_map in sorted(entrant.maps.items())]
        return {"rivals": rivals, "maps": maps}


TALLY: Final = TypeAdapter(Tally)
"""Reads and writes a tally as JSON."""


def with_point(points: Sequence[Sequence[Any]], point: Sequence[Any], *, apart: float) -> list[Sequence[Any]]:
    """A rating over time with one point more: time, rating, ends of its interval, version.

    Args:
        apart: seconds between two points; a later one of the same version replaces the last one before that.
    """
    course = list(points)
    if len(course) > 1 and course[-1][-1] == point[-1] and course[-1][0] - course[-2][0] < apart:
        course.pop()
    course.append(point)
    return course if len(course) <= POINTS else [*course[:-1:2], course[-1]]
