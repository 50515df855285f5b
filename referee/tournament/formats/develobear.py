"""The Develobear tournament: a group stage in tours, then a play-off. Four seats. Pure.

1. Before each tour of the group stage all remaining teams are drawn into groups of four, by the lot `t<tour>`. The rest that
   fills no group has a bye: those with the fewest byes, then those that are first in the lot `t<tour>/bye`.
2. Each group plays a match of `runs` rounds; a round is one run of the game. Places of a match: the lowest sum of the round
   places, then the highest sum of the game's points (to 1e-6), then the lot of the meeting. They are worth `points`. A
   round of a void series is a tie of all. If all series of a match are void, nobody gets points for it.
3. After each tour, teams that have `out` points or less are out. After tour `deduct_after` (counted from 1), and every
   `deduct_every` tours from then on, all others lose `deduct` points, and this is checked again.
4. The stage ends when `field` teams or fewer are left. If more would drop out, the best of them stay: by points, then by the
   record (the percentage of the possible score in the stage), then by the lot `stage`. Without the setting, `field` is 32 if
   more than 32 teams start. Otherwise it is the largest of 16, 8 and 4 that is at most half of them, and 4 for fewer than 8.
5. The play-off takes the largest power of two, at least four. The others drop out, by points, record, lot. Each round seeds anew
   by points, record, lot, in snake order; the first two of each group go on, and the last four play the final.
6. Rank: the final; the later round of the play-off, the place in it, then points; the later check at which a team dropped out;
   points; record; lot.
7. A team that joins later begins with 0 points in the next tour, as long as the stage lasts. A team that joins after that does
   not play, and ranks last. Teams that withdraw count first among those that drop out; one that comes back in the stage goes on
   with its points. In the play-off they yield to the next of their group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import fsum
from typing import Any, Final, NamedTuple

from typing_extensions import override

from referee.text.words import counted
from referee.tournament.figures.table import DIGITS
from referee.tournament.formats import Format
from referee.tournament.formats.meetings import present
from referee.tournament.formats.past import Past, ended, going_on, meetings, members, shares
from referee.tournament.model import Competitor, Results, Series, Tour, draw, lot, series_of, snake

SEATS: Final = 4
GO_ON: Final = SEATS // 2
"""Of a group of the play-off."""
STAGE_LOT: Final = "stage"
MOST_FIELD: Final = 32
"""The teams of the play-off of a large field."""
NO_RECORD: Final = Fraction(-1)
"""Of a team without a match: behind all others."""


class Reached(NamedTuple):
    """How far a team came; the best sort first.

    Attributes:
        last: the last tour, negated. check: the one at which it dropped out, negated. place: in its play-off match, from 0.
    """

    last: int
    check: int = 0
    place: int = 0


NEVER: Final = Reached(1)
"""Of an entrant that has not played."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The group stage so far.

    Attributes:
        points: of each team, deductions included. records: the share of the possible score of each team that has played.
        dropped: for teams at the limit: the tour after which they came there, and 1 if it was by its deduction, else 0.
    """

    points: Mapping[int, int]
    records: Mapping[int, Fraction]
    byes: Mapping[int, int]
    dropped: Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Develobear(Format):
    """The settings; `rules.repeat` is not used.

    Attributes:
        runs: the rounds of a match. points: for each place. out: the limit.
        deduct: points. deduct_after, deduct_every: in tours.
        field: the teams of the play-off; None for the default (point 4).
    """

    keys = frozenset({"runs", "points", "out", "deduct", "deduct_after", "deduct_every", "field"})
    teams = True
    table_order = "the final, then who went out later, then the points of the tours"

    runs: int = 30
    points: tuple[int, ...] = (2, 1, -1, -2)
    out: int = -10
    deduct: int = 3
    deduct_after: int = 28
    deduct_every: int = 3
    field: int | None = None

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        history, results = past.tours, past.results
        self.check(field)
        teams = set(present(field))
        tours, rounds = _parts(history)
        stage = self._stage(tours, results)
        if rounds:
            return self._next_round(rounds, teams, stage, results)
        room = self._field(tours, len(teams))
        left = set(self._remaining(tours[-1], teams, stage, room)) if tours else teams
        if len(left) > room:
            joining = teams - members(tours[-1]) - stage.dropped.keys() if tours else set[int]()
            return self._draw_tour(len(tours), left | joining, stage)
        return self._draw_round(0, left, stage)

    @override
    def mistakes(self, field: Sequence[Competitor]) -> Iterator[str]:
        if self.rules.seats != SEATS:
            yield f"match.seats: a Develobear tournament has {SEATS}: set it to {SEATS}"
        if self.field is not None and self.field < SEATS:
            yield f"format.field: must be {SEATS} or more"

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        count = len(present(field))
        room = self._field((), count)
        if count <= room:
            return f"a play-off of {counted(1 << (count.bit_length() - 1), 'team')} at once, without tours"
        return f"tours until {room} of {count} teams are left, then a play-off of {1 << (room.bit_length() - 1)}"

    @override
    @staticmethod
    def closed(key: str) -> bool:
        return key.startswith("p")

    @override
    def rank(self, order: Sequence[int], field: Sequence[Competitor], past: Past) -> list[int]:
        stage, reached = self._so_far(field, past)
        return sorted(order, key=lambda number: (reached.get(number, NEVER), self._by_points(stage, number)))

    @override
    def columns(self, field: Sequence[Competitor], past: Past) -> Mapping[int, Mapping[str, Any]]:
        """`tour_points` and `byes` of the stage; `out`: the tour, from 0, after which a team dropped out of it, or None."""
        tours, _ = _parts(past.tours)
        stage, reached = self._so_far(field, past)
        rows = {}
        for number in (entrant.number for entrant in field):
            last = -reached[number].last if number in reached else len(tours) + 1
            out = min(last, len(tours) - 1) if last <= len(tours) else None
            rows[number] = {"tour_points": stage.points.get(number, 0), "byes": stage.byes.get(number, 0), "out": out}
        return rows

    def _so_far(self, field: Sequence[Competitor], past: Past) -> tuple[Stage, Mapping[int, Reached]]:
        """The stage, and how far each team that has played came."""
        stage = self._stage(_parts(past.tours)[0], past.results)
        return stage, self._progress(field, past.tours, stage, past.results)

    def _field(self, tours: Sequence[Tour], teams: int) -> int:
        """Point 4: the teams of the play-off. Before the first tour, so many teams start."""
        return usual_field(len(members(tours[0])) if tours else teams) if self.field is None else self.field

    def _by_points(self, stage: Stage, number: int) -> tuple[int, Fraction, bytes]:
        """Sorts teams by points, record, lot, best first."""
        key = draw(self.rules.rng_seed, STAGE_LOT, number)
        return -stage.points.get(number, 0), -stage.records.get(number, NO_RECORD), key

    def _match(self, meeting: str, group: Sequence[int]) -> list[Series]:
        """The series of a match; the last one may be short."""
        match, missing = list[Series](), self.runs
        while missing > 0:
            series = series_of(self.rules, meeting, group, len(match))
            match.append(replace(series, seatings=series.seatings[:missing]))
            missing -= len(series.seatings)
        return match

    def _order(self, meeting: str, match: Sequence[Series], results: Results) -> list[int]:
        """Point 2: the teams of a match, best first. The lowest sum of places is the highest score."""
        scores = [results[series.key].scores() for series in match]
        points = [results[series.key].points() for series in match]

        def rank_key(number: int) -> tuple[float, float, bytes]:
            score = fsum(by_number[number] for by_number in scores)
            final = round(fsum(by_number[number] for by_number in points), DIGITS)
            return -score, -final, draw(self.rules.rng_seed, meeting, number)

        return sorted(match[0].numbers, key=rank_key)

    def _draw_tour(self, number: int, left: Iterable[int], stage: Stage) -> Tour:
        """Point 1."""
        key = f"t{number}"
        drawn = lot(self.rules.rng_seed, key, left)
        for_byes = sorted(lot(self.rules.rng_seed, f"{key}/bye", drawn), key=lambda team: stage.byes.get(team, 0))
        byes = for_byes[: len(drawn) % SEATS]
        players = [team for team in drawn if team not in byes]
        return self._tour(key, (players[at : at + SEATS] for at in range(0, len(players), SEATS)), byes)

    def _draw_round(self, number: int, left: Iterable[int], stage: Stage) -> Tour | None:
        """Point 5; None if too few are left."""
        seeded = sorted(left, key=lambda team: self._by_points(stage, team))
        if len(seeded) < SEATS:
            return None
        size = 1 << (len(seeded).bit_length() - 1)
        return self._tour(f"p{number}", snake(seeded[:size], size // SEATS))

    def _tour(self, key: str, groups: Iterable[Sequence[int]], byes: Iterable[int] = ()) -> Tour:
        matches = (self._match(f"{key}-g{index}", group) for index, group in enumerate(groups))
        return Tour(key, tuple(chain.from_iterable(matches)), tuple(sorted(byes)))

    def _next_round(self, rounds: Sequence[Tour], teams: set[int], stage: Stage, results: Results) -> Tour | None:
        matches = meetings(rounds[-1])
        if len(matches) == 1:
            return None
        ordered = [(self._order(key, match, results), GO_ON) for key, match in matches.items()]
        on, _ = going_on(ordered, (), teams)
        return self._draw_round(len(rounds), on, stage)

    def _stage(self, tours: Sequence[Tour], results: Results) -> Stage:
        """Points 2 and 3. In a tour under way, matches that have ended are worth their points."""
        points, dropped = Counter[int](), dict[int, tuple[int, int]]()
        for number, tour in enumerate(tours):
            for key, match in meetings(tour).items():
                points.update(self._worth(key, match, results))
            if ended(tour, results):
                dropped |= self._deduct(number, members(tour), points, self._field(tours, 0))
        byes = Counter(team for tour in tours for team in tour.byes)
        ended_series = (results[series.key] for tour in tours for series in tour.series if series.key in results)
        return Stage(points, shares(result for result in ended_series if not result.void), byes, dropped)

    def _worth(self, meeting: str, match: Sequence[Series], results: Results) -> dict[int, int]:
        """Point 2: the points of the teams of a match; none before its end, or if it is void."""
        played = [results[series.key] for series in match if series.key in results]
        if len(played) < len(match) or all(result.void for result in played):
            return {}
        return dict(zip(self._order(meeting, match, results), self.points, strict=True))

    def _deduct(self, number: int, teams: set[int], points: Counter[int], field: int) -> dict[int, tuple[int, int]]:
        """Point 3; takes the deduction off the points. The stage may end before it."""
        dropped = {team: (number, 0) for team in teams if points[team] <= self.out}
        safe = teams - dropped.keys()
        since = number + 1 - self.deduct_after
        if since >= 0 and since % self.deduct_every == 0 and len(safe) > field:
            for team in safe:
                points[team] -= self.deduct
            dropped |= {team: (number, 1) for team in safe if points[team] <= self.out}
        return dropped

    def _remaining(self, tour: Tour, teams: set[int], stage: Stage, field: int) -> list[int]:
        """Point 4: who remains after a tour that has ended."""
        ranking = sorted(members(tour) & teams, key=lambda team: self._by_points(stage, team))
        safe = [team for team in ranking if team not in stage.dropped]
        at_limit = sorted((team for team in ranking if team in stage.dropped), key=lambda team: -stage.dropped[team][1])
        return safe + at_limit[: max(field - len(safe), 0)]

    def _progress(
        self, field: Sequence[Competitor], history: Sequence[Tour], stage: Stage, results: Results
    ) -> dict[int, Reached]:
        """How far each team that has played came.

        A play-off round counts as a tour. Teams that the play-off has no room for come as far as one tour after the last, and
        teams that are still in the stage come one further.
        """
        tours, rounds = _parts(history)
        reached: dict[int, Reached] = {}
        for number, tour in enumerate(tours):
            for team in members(tour):
                last, check = stage.dropped.get(team, (number + 1, 0))
                reached[team] = Reached(-last, -check)
        after = len(tours) + 1
        if tours and not rounds:
            left: Iterable[int] = members(tours[-1])
            if ended(tours[-1], results):
                left = self._remaining(tours[-1], set(present(field)), stage, self._field(tours, 0))
            reached |= dict.fromkeys(left, Reached(-after))
        for number, tour in enumerate(rounds, start=after):
            if not ended(tour, results):
                return reached | dict.fromkeys(members(tour), Reached(-number))
            matches = meetings(tour)
            advancing = GO_ON if tour is rounds[-1] and len(matches) > 1 else 0
            for key, match in matches.items():
                for place, team in enumerate(self._order(key, match, results)):
                    reached[team] = Reached(-number - 1) if place < advancing else Reached(-number, place=place)
        return reached


def usual_field(teams: int) -> int:
    """The teams of the play-off of so many that start (point 4)."""
    if teams > MOST_FIELD:
        return MOST_FIELD
    return next((field for field in (16, 8) if 2 * field <= teams), SEATS)


def _parts(history: Sequence[Tour]) -> tuple[list[Tour], list[Tour]]:
    """The tours of the stage and the rounds of the play-off."""
    return [tour for tour in history if tour.key[0] == "t"], [tour for tour in history if tour.key[0] == "p"]
