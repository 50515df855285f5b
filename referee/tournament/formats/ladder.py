"""Ladder: an open-ended contest of neighbours in rating. Pure.

1. A tour is a *wave* of max(1, floor(n / (2 * seats))) groups for n entrants. Nobody is in two of them.
2. Each group has a *leader*. First come entrants that have waited for n waves or more, the longest first; then who has the fewest
   series that count; then who has waited longest; then a lot. An entrant that has waited for n waves has at most n - 1 others
   before it, so nobody sits out more than 2n waves.
3. The others of a group are the leader's neighbours in the order of strength of those that are still free. A lot decides the
   leader's place among them. So neighbours meet, and all parts of the field stay linked.
4. Strengths are fitted anew for each wave, to the games of those that are present, from the strengths of the wave before. So a
   wave costs the same after any number of matches. They only say who is near; tables have ratings of all matches.
5. The *owner* of a bot is the part of its name before `/`. Two bots of one owner never meet, and lead no two groups of a wave. A
   bot without `/` has an owner of its own.
6. An entrant that has met nobody is in the middle of the order. But a bot that replaces another of its name begins at its
   strength, and counts its series but `ahead`: so new versions do not lead groups for ever. With 0, whoever replaces a bot again
   and again has no more than a fair share of the seats.
7. With `rest`, an entrant that is known well enough leads no more groups, until one that is new is near it: its interval is
   narrow and it has played enough matches. It stays a rival of others. Otherwise the few that still play would meet only each
   other: nothing would link them to the field, and their intervals would stay wide. Intervals are looked at before every 64th
   wave. Who rests does not wait. If all rest, the ladder is over until somebody joins.
8. Entrants join and leave between waves. A ladder ends after `series` series, in the middle of a wave if need be. Without that
   setting it has no end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from statistics import median_high
from typing import Final

from typing_extensions import override

from referee.tournament.figures.likelihood import Games, Totals
from referee.tournament.figures.maximum import approach
from referee.tournament.figures.rating import SCALE
from referee.tournament.formats import Format
from referee.tournament.formats.meetings import present, too_few_owners
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Series, Standing, Tour, lot, meeting_of, seatings

AHEAD: Final = 40
LOOK: Final = 64
"""Waves between two looks at intervals."""
NEAR: Final = 100
"""Points of rating within which a new entrant wakes those that rest."""


@dataclass(frozen=True, slots=True)
class Ladder(Format):
    """A ladder.

    Attributes:
        series: after how many series it is over; None for an open end.
        rest: half the width of the interval below which an entrant rests, and the matches that it needs; None if nobody rests.
        ahead: series that a new version plays before others of its age.
    """

    keys = frozenset({"series", "order", "rest", "ahead"})
    by_rating = True

    series: int | None = None
    rest: tuple[int, int] | None = None
    ahead: int = AHEAD

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        """The next wave.

        Raises:
            UsageError: there are fewer owners than seats.
        """
        wave, planned = past.planned
        if self.series is not None and planned >= self.series:
            return None
        numbers = present(field)
        owners = {number: field[number].owner for number in numbers}
        self.check(field)
        before = past.standings
        played = past.series_of({*numbers, *before})
        standings = _with_newcomers(field, numbers, wave, before, played, self.ahead)
        standings = _fit(standings, past.games(numbers), self.rules.seats)
        counts = {number: standing.credit + played.get(number, 0) for number, standing in standings.items()}
        awake = set(numbers)
        if self.rest is not None:
            width, least = self.rest
            matches = len(seatings(range(self.rules.seats), self.rules.seatings))
            enough = {number for number in numbers if played.get(number, 0) * matches >= least}
            if self.asks_widths(past):
                narrow = {number for number, half in past.widths(self.rules).items() if half < width} & enough
                standings = {number: old._replace(known=number in narrow) for number, old in standings.items()}
            awake = _awake(standings, enough)
        if not awake:
            return None
        for number in standings.keys() - awake:
            standings[number] = standings[number]._replace(since=wave)
        series = list(self._wave(standings, awake, owners, counts, wave))
        if self.series is not None:
            series = series[: self.series - planned]
        for number in {number for entry in series for number in entry.numbers}:
            standings[number] = standings[number]._replace(since=wave + 1)
        return Tour(f"t{wave}", tuple(series), standings=standings)

    @override
    def mistakes(self, field: Sequence[Competitor]) -> Iterator[str]:
        return too_few_owners(self.rules, "ladder", [entrant.owner for entrant in field if entrant.present])

    @override
    def asks_widths(self, past: Past) -> bool:
        wave, _ = past.planned
        return self.rest is not None and wave % LOOK == 0

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        end = "without an end" if self.series is None else f"until {self.series} series are played"
        return f"waves of neighbours in rating among {len(present(field))} bots, {end}"

    def _wave(
        self,
        standings: Mapping[int, Standing],
        awake: Set[int],
        owners: Mapping[int, str],
        counts: Mapping[int, int],
        wave: int,
    ) -> Iterator[Series]:
        """The series of a wave, group by group."""
        count = len(awake)
        shuffled = lot(self.rules.rng_seed, f"t{wave}", standings)

        def urgency(number: int) -> tuple[int, int, int]:
            waited = wave - standings[number].since
            return -waited if waited >= count else 0, counts[number], -waited

        free = sorted(shuffled, key=lambda number: -standings[number].strength)
        leaders = sorted((number for number in shuffled if number in awake), key=urgency)
        led, playing = set[str](), set[int]()
        for leader in leaders:
            if leader in playing or owners[leader] in led:
                continue
            meeting = f"t{wave}-g{len(led)}"
            group = self._neighbours(free, leader, owners, meeting)
            if len(group) < self.rules.seats:  # too few owners are left
                continue
            led.add(owners[leader])
            playing.update(group)
            free = [number for number in free if number not in playing]
            yield from meeting_of(self.rules, meeting, group)
            if len(led) == max(1, count // (2 * self.rules.seats)):
                break

    def _neighbours(self, free: Sequence[int], leader: int, owners: Mapping[int, str], meeting: str) -> Collection[int]:
        """A group: the leader and its neighbours in the order, no two of one owner. A lot decides how many are above it."""
        rivals, at = self.rules.seats - 1, free.index(leader)
        above = list(islice(_others(reversed(free[:at]), [leader], owners), rivals))
        below = list(islice(_others(free[at + 1 :], [leader], owners), rivals))
        numbers_above = range(max(0, rivals - len(below)), len(above) + 1)
        upper = lot(self.rules.rng_seed, f"{meeting}/section", numbers_above)[:1]
        group = [leader, *above[: upper[0] if upper else len(above)]]
        for near in (below, above):
            group += islice(_others(near, group, owners), self.rules.seats - len(group))
        return group


def _fit(standings: Mapping[int, Standing], games: Totals, seats: int) -> dict[int, Standing]:
    """The standings with strengths that fit the games of those who are present."""
    rated = sorted({number for pair in games for number in pair})
    if not rated:
        return dict(standings)
    at = {number: index for index, number in enumerate(rated)}
    totals = {(at[first], at[second]): sums for (first, second), sums in games.items()}
    strengths = approach(Games.of(len(rated), totals, seats=seats), [standings[number].strength for number in rated])
    fitted = zip(rated, strengths, strict=True)
    return {**standings, **{number: standings[number]._replace(strength=strength) for number, strength in fitted}}


def _awake(standings: Mapping[int, Standing], enough: Collection[int]) -> set[int]:
    """Who does not rest: whoever is not known, and whoever has a new entrant near."""
    new = sorted(standings[number].strength for number in standings if number not in enough)
    awake = set()
    for number, standing in standings.items():
        near = bisect_left(new, standing.strength - NEAR / SCALE)
        if not standing.known or (near < len(new) and new[near] <= standing.strength + NEAR / SCALE):
            awake.add(number)
    return awake


def _with_newcomers(
    field: Sequence[Competitor],
    numbers: Iterable[int],
    wave: int,
    before: Mapping[int, Standing],
    played: Mapping[int, int],
    ahead: int,
) -> dict[int, Standing]:
    """The standings of those that are present, also of those that are new (point 6)."""
    left = {field[number].name: number for number in before if not field[number].present}
    middle = median_high([standing.strength for standing in before.values()] or [0.0])

    def standing(number: int) -> Standing:
        if number in before:
            return before[number]
        if (old := left.get(field[number].name)) is None:
            return Standing(wave, strength=middle)
        credit = before[old].credit + played.get(old, 0) - ahead - played.get(number, 0)
        return Standing(wave, max(0, credit), before[old].strength)

    return {number: standing(number) for number in numbers}


def _others(numbers: Iterable[int], chosen: Iterable[int], owners: Mapping[int, str]) -> Iterator[int]:
    """Those of the numbers, in their order, whose owner is none of the chosen ones' and none of an earlier number's."""
    owners_present = {owners[number] for number in chosen}
    for number in numbers:
        if owners[number] not in owners_present:
            owners_present.add(owners[number])
            yield number
