"""Parts of several formats: who is present, and meetings whose keys are the numbers of their group. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Final

from referee.tournament.model import Competitor, Results, Rules, Series, Tour, draw, lot, meeting_of

Group = tuple[int, ...]

MOST_SERIES: Final = 1_000_000
"""Series of a schedule. Each is about 1 KB of memory, and a million of them last for weeks."""


def present(field: Iterable[Competitor]) -> list[int]:
    """The numbers of those that take part, ascending."""
    return sorted(entrant.number for entrant in field if entrant.present)


def key_of(group: Iterable[int]) -> str:
    """The key of a group's meeting: its numbers ascending, such as `0-3-5-7`."""
    return "-".join(map(str, sorted(group)))


def by_lot(rules: Rules, groups: Iterable[Group]) -> list[Group]:
    """Groups in the order of the lot `schedule`, so that a run that stops early has played a fair sample of them."""
    by_key = {key_of(group): group for group in groups}
    return [by_key[key] for key in lot(rules.rng_seed, "schedule", by_key)]


def planned_meetings(rules: Rules, history: Iterable[Tour]) -> Counter[str]:
    """How many meetings of each key are in the history."""
    series = Counter(series.meeting for tour in history for series in tour.series)
    return Counter({key: count // _length(rules) for key, count in series.items()})


def counted_groups(rules: Rules, field: Iterable[Competitor], history: Iterable[Tour], results: Results) -> list[Group]:
    """The group of each meeting that counts towards `each`, in the order of the schedule.

    A meeting does not count if all its series are void and an entrant of its group has left: the others get another meeting
    instead. If the whole group is still present, the meeting counts, since it would probably fail again. So does a meeting with
    series that wait for a bot (`field.py`, point 4).
    """
    numbers = set(present(field))
    void = {key for key, result in results.items() if result.void}
    meetings = defaultdict[tuple[str, int], list[Series]](list)
    for series in (series for tour in history for series in tour.series):
        meetings[series.meeting, series.turn // rules.repeat].append(series)
    return [
        meeting[0].numbers
        for meeting in meetings.values()
        if numbers.issuperset(meeting[0].numbers) or not all(series.key in void for series in meeting)
    ]


def tour_of(rules: Rules, groups: Iterable[Group], history: Sequence[Tour], numbers: Iterable[int]) -> Tour | None:
    """A tour with one meeting of each group, in their order; None without groups.

    If a group has met before, or is listed twice, its next meeting is a replay.
    """
    before = planned_meetings(rules, history)
    series: list[Series] = []
    for group in groups:
        key = key_of(group)
        series += meeting_of(rules, key, group, before[key])
        before[key] += 1
    if not series:
        return None
    playing = {number for entry in series for number in entry.numbers}
    return Tour(f"t{len(history)}", tuple(series), tuple(number for number in numbers if number not in playing))


def meetings_needed(rules: Rules, each: int) -> int:
    """How many meetings have at least `each` series."""
    return -(-each // _length(rules))


def generator(rules: Rules, history: Sequence[Tour]) -> Random:
    """The random numbers for the design of the next tour."""
    return Random(draw(rules.rng_seed, "design", len(history)))


def too_few_owners(rules: Rules, kind: str, owners: Collection[str]) -> Iterator[str]:
    """The mistake, if a group cannot be seated: no two entrants of one owner meet."""
    people = len(set(owners))
    if people < rules.seats:
        needs = f"a {kind} with {rules.seats} seats needs bots of {rules.seats} owners, not of {people}"
        yield f"match.seats: {needs}: lower it, or add bots (the owner is the part of a name before `/`)"


def too_long(rules: Rules, kind: str, meetings: int) -> Iterator[str]:
    """The mistake, if a schedule has more than a million series."""
    if (count := meetings * _length(rules)) > MOST_SERIES:
        needs = f"this {kind} has {count:,} series, and at most {MOST_SERIES:,} can be planned"
        yield f"format.each: {needs}: set it, the series of an entrant, or lower it"


def _length(rules: Rules) -> int:
    """Series in a meeting."""
    return len(rules.maps) * rules.repeat
