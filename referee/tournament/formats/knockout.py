"""Knockout: the best of each group go on, until one group plays the final. Pure.

1. `advance` (A) of the k seats of a group go on; b = k / A is a whole number of 2 or more. Each round seeds all that are left
   anew: by `seeding`, then by number. Groups are dealt in snake order.
2. With n left, F is the largest k·bʳ up to n, and d = n − F have to drop out first. If d is 0 all play. Otherwise the last G·k
   play in G = min(⌈d / (k − A)⌉, ⌊n / k⌋) groups, and the others have a bye. k − A of each group drop out; of the last group what
   is left of d, at most k − 1.
3. With n = k the group plays the final.
4. A tie across the line between going on and dropping out is played again by the whole group, twice at most. In the final and the
   match for third place, the line is below the first. Then the lot decides.
5. `third`, with two seats: the losers of the semi-finals meet, at the time of the final.
6. Rank: the final, the match for third place, then who dropped out in a later round, then the place in that meeting, then the
   table.
7. Who joins after the first round has been drawn does not play, and ranks last. An entrant that withdraws yields to the next of
   its group (`going_on`). A group in which somebody has withdrawn plays nothing again. If fewer are left than a group needs, the
   tournament is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from typing_extensions import override

from referee.tournament.formats import Format
from referee.tournament.formats.meetings import present
from referee.tournament.formats.past import Past, ended, going_on, groups
from referee.tournament.model import MOST_REPLAYS, Competitor, Results, Tour, meeting_of, order, snake, totals

THIRD: Final = "third"
"""The meeting for third place."""


@dataclass(frozen=True, slots=True)
class Knockout(Format):
    """The settings.

    Attributes:
        advance: how many of a group go on; None for the default, the most that are possible: half of the seats if they are even.
        third: whether there is a match for third place.
    """

    keys = frozenset({"advance", "third"})
    teams = True
    table_order = "the final, then who went out in a later round, then the place there"

    advance: int | None = None
    third: bool = False

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        history, results = past.tours, past.results
        self.check(field)
        playing = {entrant.number: entrant for entrant in field if entrant.present}
        if not history:
            return self._draw(0, list(playing.values()), [])
        rounds = _rounds(history)
        last = rounds[-1]
        if replay := self._replay(len(rounds) - 1, last, set(playing), results):
            return replay
        if self._is_final(last[0]):
            return None
        lines = self._lines(last[0])
        ordered = [(order(self.rules, key, group, results), lines[key]) for key, group in groups(last[0]).items()]
        on, out = going_on(ordered, last[0].byes, set(playing))
        if len(on) < self.rules.seats:
            return None
        return self._draw(len(rounds), [playing[number] for number in on], out)

    @override
    def mistakes(self, field: Sequence[Competitor]) -> Iterator[str]:
        seats = self.rules.seats
        if self.advance is not None and self.advance not in _choices(seats):
            choices = " or ".join(map(str, _choices(seats)))
            yield f"format.advance: {seats} seats must be a multiple of it, twice or more: set it to {choices}"
        if self.third and seats != 2:
            yield f"format.third: needs two seats, and there are {seats}: remove it, or set match.seats to 2"

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        count = len(present(field))
        sizes = []
        while count >= self.rules.seats:
            sizes.append(str(count))
            count -= sum(self.rules.seats - on for on in self._plan(count))
        return f"rounds of {', '.join(sizes)} teams"

    @override
    @staticmethod
    def closed(key: str) -> bool:
        return True

    @override
    def rank(self, order: Sequence[int], field: Sequence[Competitor], past: Past) -> list[int]:
        reached = self._progress(past.tours, past.results)
        return sorted(order, key=lambda number: reached.get(number, (1, 0)))

    @property
    def _advance(self) -> int:
        return _choices(self.rules.seats)[-1] if self.advance is None else self.advance

    def _plan(self, count: int) -> list[int]:
        """Point 2: how many of each group go on."""
        seats, on = self.rules.seats, self._advance
        if count == seats:
            return [1]
        full = seats
        while full * (seats // on) <= count:
            full *= seats // on
        if full == count:
            return [on] * (count // seats)
        surplus = count - full
        size = min(-(-surplus // (seats - on)), count // seats)
        last = min(surplus - (size - 1) * (seats - on), seats - 1)
        return [on] * (size - 1) + [seats - last]

    def _draw(self, number: int, left: Sequence[Competitor], out: Sequence[int]) -> Tour:
        """The first tour of a round."""
        seeded = [entrant.number for entrant in sorted(left, key=_seeding_key)]
        size = len(self._plan(len(seeded)))
        first = len(seeded) - size * self.rules.seats
        series = []
        for index, group in enumerate(snake(seeded[first:], size)):
            series += meeting_of(self.rules, f"t{number}-g{index}", group)
        if self.third and len(seeded) == self.rules.seats and len(out) == self.rules.seats:
            series += meeting_of(self.rules, THIRD, out)
        return Tour(f"t{number}", tuple(series), tuple(seeded[:first]))

    def _lines(self, tour: Tour) -> dict[str, int]:
        """How many of each group of a round go on; 1 in the final and in the match for third place."""
        keys = [key for key in groups(tour) if key != THIRD]
        plan = self._plan(len(keys) * self.rules.seats + len(tour.byes))
        return dict(zip(keys, plan, strict=True)) | {THIRD: 1}

    def _is_final(self, tour: Tour) -> bool:
        return not tour.byes and len(groups(tour).keys() - {THIRD}) == 1

    def _replay(self, number: int, tours: Sequence[Tour], playing: set[int], results: Results) -> Tour | None:
        """Point 4."""
        replay = len(tours)
        if replay > MOST_REPLAYS:
            return None
        lines = self._lines(tours[0])
        series = []
        for key, group in groups(tours[-1]).items():
            if playing.issuperset(group) and self._tied(key, group, lines[key], results):
                series += meeting_of(self.rules, key, group, replay)
        return Tour(f"t{number}r{replay}", tuple(series)) if series else None

    def _tied(self, key: str, group: Sequence[int], line: int, results: Results) -> bool:
        """Whether there is a tie across the line."""
        ordered = order(self.rules, key, group, results)
        sums = totals(self.rules, key, group, results)
        return sums[ordered[line - 1]] == sums[ordered[line]]

    def _progress(self, history: Sequence[Tour], results: Results) -> dict[int, tuple[int, int]]:
        """The last round of each entrant, negated, and its place there; sorts them by rank.

        Who goes on to a round that has not been drawn yet counts as in it, before those whose round has not ended.
        """
        reached: dict[int, tuple[int, int]] = {}
        rounds = _rounds(history)
        for number, tours in enumerate(rounds):
            lines = self._lines(tours[0])
            is_last = tours is rounds[-1]
            over = all(ended(tour, results) for tour in tours)
            reached |= dict.fromkeys(tours[0].byes, (-number - is_last, 0))
            for key, group in groups(tours[0]).items():
                first = self.rules.seats if key == THIRD else 0
                if not over:
                    reached |= dict.fromkeys(group, (-number, first))
                    continue
                line = lines[key] if is_last and not self._is_final(tours[0]) else 0
                for place, entrant in enumerate(order(self.rules, key, group, results)):
                    reached[entrant] = (-number - 1, 0) if place < line else (-number, first + place)
        return reached


def _choices(seats: int) -> list[int]:
    """What `advance` may be."""
    return [on for on in range(1, seats // 2 + 1) if seats % on == 0]


def _seeding_key(entrant: Competitor) -> tuple[float, int]:
    return entrant.seeded, entrant.number


def _rounds(history: Sequence[Tour]) -> list[list[Tour]]:
    """The tours of each round: the first and its replays."""
    return [list(tours) for _, tours in groupby(history, lambda tour: tour.key.partition("r")[0])]
