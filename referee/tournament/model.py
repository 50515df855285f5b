"""The values of a tournament, and the rules that all formats share. Pure.

1. An *entrant* is one bot with one content, or in some formats a *team* (`field.py`). Entrants are numbered from 0. A *match* is
   one run of the game. A *series* is one group of entrants on one map with one seed, in all its *seatings*. A *meeting* is the
   maps times `repeat` series of a group.
2. All chance of a tournament is *lots*: a lot `key` orders things by the SHA-256 of `seed/key/thing`. So a schedule depends on
   the seed, the entrants and earlier results only, never on the order in which matches end.
3. The *score* of a seat is the number of rivals behind it, plus a half for each that shares its place. With two seats: 1, 0.5, 0.
4. A series *counts* if all its matches are played. A *void* series, whose matches failed for reasons outside the bots, counts in
   no table. A format that needs its result takes it as a tie of all.
5. Tours follow each other: a format plans the next tour from the results of all earlier ones (`formats`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice, permutations
from math import inf
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

Seatings: TypeAlias = Literal["rotations", "all", "one"]
Thing = TypeVar("Thing", int, str)
MOST_SEATINGS: Final = 24
"""All permutations of four seats."""
GAMES: Final = "games"
"""The folder of the saved games, in the tournament's folder."""
ENTRANTS: Final = "entrants"
"""The folder beside it with copies of the bots."""
MOST_REPLAYS: Final = 2
"""How often a group meets again because of a tie."""


@dataclass(frozen=True, slots=True)
class Competitor:
    """An entrant of a tournament: one bot with one content, or a team at its present content.

    Attributes:
        number: from 0, in the order in which entrants entered.
        name: in tables and saved games. content: the key of its files, commands, SDK and compilers.
        seeding: 1 is the best; None without one.
        present: whether it still takes part. An entrant that left keeps its matches, but is in no table and is drawn no more.
        source: how `tournament.toml` names it: a path from the tournament's folder, or a sample bot.
    """

    number: int
    name: str
    content: str
    seeding: int | None = None
    present: bool = True
    source: str = ""

    @property
    def seeded(self) -> float:
        """Its seeding; infinite without one, so that it comes last."""
        return inf if self.seeding is None else self.seeding

    @property
    def owner(self) -> str:
        """Whose bot it is: the part of its name before `/`. A bot without `/` has an owner of its own."""
        owner, slash, _ = self.name.partition("/")
        return f"{owner}/" if slash else f"{self.number}"


@dataclass(frozen=True)
class Series:
    """A group on one map with one seed.

    Attributes:
        meeting: the key of its meeting.
        turn: how many series of this meeting were on this map before (r in README.md).
        seatings: for each match, the numbers of the entrants by seat. A number may be in several seats.
    """

    meeting: str
    map: str
    turn: int
    seatings: tuple[tuple[int, ...], ...]

    @cached_property
    def key(self) -> str:
        """`<meeting>/<map>/<turn>`."""
        return f"{self.meeting}/{self.map}/{self.turn}"

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its entrants, ascending."""
        return tuple(sorted({number for seating in self.seatings for number in seating}))

    def match_id(self, seating: int) -> str:
        """The id of one of its matches."""
        return f"{self.key}#{seating}"


class Standing(NamedTuple):
    """What a format without an end remembers of an entrant from one tour to the next.

    Attributes:
        since: the first tour of those that it has sat out.
        credit: how many series count as if it had played them.
        strength: its strength before the last tour (`figures.likelihood`).
        known: whether its rating had a narrow interval when that was last looked at.
    """

    since: int
    credit: int = 0
    strength: float = 0.0
    known: bool = False


@dataclass(frozen=True, slots=True)
class Tour:
    """Series that may be played at the same time, in the order of the schedule.

    Attributes:
        key: such as `t0`; unique in a tournament.
        byes: present entrants that do not play in it; a ladder, where most sit out, has `standings` instead.
        standings: what the format remembers of entrants for the next tour, by number.
    """

    key: str
    series: tuple[Series, ...]
    byes: tuple[int, ...] = ()
    standings: Mapping[int, Standing] = field(default_factory=dict)

    @property
    def matches(self) -> int:
        """How many matches it has."""
        return sum(len(series.seatings) for series in self.series)


class Shard(NamedTuple):
    """One of several equal shares of a schedule; `number` is from 1 to `total`."""

    number: int
    total: int

    @classmethod
    def of(cls, index: int, total: int) -> Shard:
        """The shard of the series with this index in the schedule, from 0."""
        return cls(index % total + 1, total)

    @classmethod
    def read(cls, text: str) -> Shard | None:
        """The inverse of `str`; None if the text is none."""
        parts = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text, re.ASCII)
        return None if parts is None or int(parts[1]) > int(parts[2]) else cls(int(parts[1]), int(parts[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"


@dataclass(frozen=True, slots=True)
class SeatScore:
    """How one seat did in a match.

    Attributes:
        number: the entrant's.
        place: from 1, may be shared. score: see point 3.
        points: the game's own.
        fault: the kind of the fault that disqualified it; None otherwise.
    """

    number: int
    place: float
    score: float
    points: float
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """A series that has ended; `matches` has one for each seating, by seat, and none if the series is void."""

    series: Series
    matches: tuple[tuple[SeatScore, ...], ...]

    @property
    def void(self) -> bool:
        """Whether it counts in no table."""
        return not self.matches

    def scores(self) -> dict[int, float]:
        """The summed score of each entrant; a void series is a tie of all."""
        if self.void:
            return {number: most / 2 for number, most in self.possible().items()}
        return self._sums(attrgetter("score"))

    def possible(self) -> dict[int, int]:
        """The most that each entrant could score."""
        sums = dict.fromkeys(self.series.numbers, 0)
        for seating in self.series.seatings:
            for number in seating:
                sums[number] += len(seating) - 1
        return sums

    def points(self) -> dict[int, float]:
        """The summed points of the game of each entrant; none in a void series."""
        return self._sums(attrgetter("points"))

    def _sums(self, figure: Callable[[SeatScore], float]) -> dict[int, float]:
        sums = dict.fromkeys(self.series.numbers, 0.0)
        for match in self.matches:
            for seat in match:
                sums[seat.number] += figure(seat)
        return sums


Results: TypeAlias = Mapping[str, SeriesResult]
"""Ended series by their keys."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What all formats need to know: `seats` in a group (k), and `repeat` series on each map in a meeting."""

    rng_seed: int
    seats: int
    maps: tuple[str, ...]
    seatings: Seatings = "rotations"
    repeat: int = 1


def scores(places: Sequence[float]) -> list[float]:
    """The score of each seat from the places of all."""
    return [sum((other > place) + (other == place) / 2 for other in places) - 0.5 for place in places]


def draw(rng_seed: int, key: str, thing: object) -> bytes:
    """What decides the place of a thing in a lot."""
    return sha256(f"{rng_seed}/{key}/{thing}".encode()).digest()


def lot(rng_seed: int, key: str, things: Iterable[Thing]) -> list[Thing]:
    """Things in the order of a lot."""
    return sorted(things, key=lambda thing: draw(rng_seed, key, thing))


def match_seed(rng_seed: int, series_key: str) -> int:
    """The seed of all matches of a series, from 0 to 2^31 - 1."""
    return int.from_bytes(sha256(f"{rng_seed}/{series_key}".encode()).digest()[:4], "big") >> 1


def saved_name(series: int, seating: int) -> str:
    """The saved game of a match, in the tournament's folder; `series` is its number in the ledger."""
    return f"{GAMES}/{series:06d}-{seating}.jsonl.gz"


def seatings(base: Sequence[int], how: Seatings) -> tuple[tuple[int, ...], ...]:
    """The seatings of a group in the order of its lot: rotations, all permutations, or one."""
    if how == "one":
        return (tuple(base),)
    if how == "all":
        orders = islice(permutations(range(len(base))), MOST_SEATINGS)
        return tuple(tuple(base[index] for index in order) for order in orders)
    return tuple(tuple(base[(seat + turn) % len(base)] for seat in range(len(base))) for turn in range(len(base)))


def series_of(rules: Rules, meeting: str, group: Iterable[int], number: int) -> Series:
    """The series with this number in a meeting, from 0; the maps take turns."""
    turn, at = divmod(number, len(rules.maps))
    map_ = rules.maps[at]
    base = lot(rules.rng_seed, f"{meeting}/{map_}/{turn}", group)
    return Series(meeting, map_, turn, seatings(base, rules.seatings))


def meeting_of(rules: Rules, meeting: str, group: Iterable[int], replay: int = 0) -> list[Series]:
    """All series of a meeting; `replay` is how often the group has met before in it."""
    group = list(group)
    length = len(rules.maps) * rules.repeat
    return [series_of(rules, meeting, group, replay * length + number) for number in range(length)]


def totals(rules: Rules, meeting: str, group: Iterable[int], results: Results) -> dict[int, list[float]]:
    """The summed score of each entrant in a meeting, in its first replay and in its second.

    A meeting or replay that has not ended is left out, with all that follow.
    """
    sums: dict[int, list[float]] = {number: [] for number in group}
    for replay in range(1 + MOST_REPLAYS):
        series = meeting_of(rules, meeting, sums, replay)
        if any(entry.key not in results for entry in series):
            break
        ended = [results[entry.key].scores() for entry in series]
        for number, scored in sums.items():
            scored.append(sum(scores_[number] for scores_ in ended))
    return sums


def order(rules: Rules, meeting: str, group: Iterable[int], results: Results) -> list[int]:
    """The order of a meeting, best first: its score, then that of its first replay, of its second, then a lot."""
    sums = totals(rules, meeting, group, results)
    return sorted(sums, key=lambda number: ([-score for score in sums[number]], draw(rules.rng_seed, meeting, number)))


def snake(things: Sequence[Thing], groups: int) -> list[list[Thing]]:
    """Things dealt to groups in snake order: 0, 1, 2, 2, 1, 0, 0, …"""
    dealt: list[list[Thing]] = [[] for _ in range(groups)]
    for index, thing in enumerate(things):
        lap, at = divmod(index, groups)
        dealt[at if lap % 2 == 0 else groups - 1 - at].append(thing)
    return dealt
