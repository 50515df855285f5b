"""What people call the matches of a tournament: «Oracle – Guard – Worm, arena, 3rd»."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from referee.tournament.model import Series

_KEY: Final = re.compile(r"([tp])(\d+)(?:r(\d+))?")
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


class MatchName(NamedTuple):
    """The name of a match, in words.

    Attributes:
        group: the numbers of its entrants, ascending.
        map: its name. ordinal: which of the matches of these entrants on this map it is, from 1.
        tour: its tour; empty if the tournament has only one.
    """

    group: tuple[int, ...]
    map: str
    ordinal: int
    tour: str

    @property
    def place(self) -> str:
        """What follows the names: `arena, 3rd`."""
        return f"{self.map}, {nth(self.ordinal)}"

    def title(self, names: Mapping[int, str]) -> str:
        """The whole, with the names of the entrants."""
        return f"{' – '.join(names[number] for number in self.group)}, {self.place}"


def match_names(
    series: Iterable[tuple[int, int, Series]], tours: Sequence[str], shown: Collection[int]
) -> dict[str, MatchName]:
    """The names of matches, by id. A match keeps its name while the tournament goes on: it depends on the schedule alone.

    Args:
        series: the index of the tour, the number and the series itself of the whole schedule, in its order.
        tours: the keys of all tours. shown: the numbers of the series whose matches get a name.
    """
    words = [tour_in_words(key) if len(tours) > 1 else "" for key in tours]
    by_id: dict[str, MatchName] = {}
    counts = Counter[tuple[tuple[int, ...], str]]()
    for tour, number, it in series:
        group = it.numbers, it.map
        for seating in range(len(it.seatings)):
            counts[group] += 1
            if number in shown:
                by_id[it.match_id(seating)] = MatchName(*group, counts[group], words[tour])
    return by_id


def tour_in_words(key: str) -> str:
    """The key of a tour in words: `tour 3`, `tour 3, replay 1`, `play-off 1`."""
    if (parts := _KEY.fullmatch(key)) is None:
        return key
    kind, number, replay = parts.groups()
    return f"{'tour' if kind == 't' else 'play-off'} {number}" + (f", replay {replay}" if replay else "")


def nth(number: int) -> str:
    """A number in an order: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else _ENDINGS.get(number % 10, 'th')}"
