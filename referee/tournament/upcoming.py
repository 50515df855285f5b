"""What a run would play next and until the end, from the settings and the ledger. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.contract.game import Game
from referee.tournament import ledger
from referee.tournament.decisions import decisions
from referee.tournament.entering import Listed
from referee.tournament.field import Unready
from referee.tournament.formats.past import Past
from referee.tournament.ledger import Ledger
from referee.tournament.planning import Plan, planned
from referee.tournament.settings import Settings, format_of
from referee.tournament.words import Competitor, SeatScore, Series, SeriesResult, Tour, scores, seatings

_TOURS: Final = 200
"""Tours after which nobody looks further ahead."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The matches of a tour.

    Attributes:
        tour: its key. matches: how many it has that are not played.
        outline: the plan of the whole tournament, in words; None but for the first tour.
    """

    tour: str
    matches: int
    outline: str | None = None


class _State(NamedTuple):
    """A tournament between two matches; `unplayed` has the series that lack matches, and how many those are."""

    field: Sequence[Competitor]
    history: list[Tour]
    results: dict[str, SeriesResult]
    unplayed: int


def plan_for(
    folder: Path, settings: Settings, game: Game[Any, Any], field: int, unready: Sequence[Unready] = ()
) -> Plan:
    """The plan of the next run.

    Args:
        field, unready: see `planned`.

    Raises:
        UsageError: the settings do not fit, or have changed since the first match.
    """
    before = _decisions(folder)
    seed = settings.run.rng_seed if settings.run.rng_seed is not None else (before or {}).get("rng_seed", 0)
    return planned(folder, settings, game, seed, before, field=field, unready=unready)


def upcoming(plan: Plan, bots: Sequence[Listed]) -> Iterator[Upcoming]:
    """The tours that a run plays, if the entrant with the lower number always wins; of a comparison, only the next one.

    A tournament that has begun goes on with the field of its last run. `bots` are the field of a new one.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    field, history, results, unplayed = _state(plan, bots)
    format_ = format_of(plan.settings, plan.rules, field)
    if unplayed:
        yield Upcoming(history[-1].key, unplayed)
    while True:
        for tour in history[-1:]:
            results |= {series.key: _imagined(series) for series in tour.series if series.key not in results}
        if (due := format_.next_tour(field, Past(history, results))) is None:
            return
        yield Upcoming(due.key, due.matches, None if history else format_.outline(len(bots)))
        if format_.fixed:
            return
        history.append(due)


def to_the_end(plan: Plan, bots: Sequence[Listed]) -> list[int] | None:
    """How many matches each tour to come has (`upcoming`); None if that is not known.

    The end of a ladder may be open, and that of a comparison depends on its results.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    format_ = plan.settings.format
    if format_.kind == "compare" or (format_.kind == "ladder" and format_.series is None):
        return None
    if format_.kind == "ladder":
        assert format_.series is not None
        state = _state(plan, bots)
        played = sum(len(tour.series) for tour in state.history)
        later = max(0, format_.series - played) * len(seatings(range(plan.rules.seats), plan.rules.seatings))
        return [state.unplayed, later] if state.unplayed else [later]
    tours = [tour.matches for tour in islice(upcoming(plan, bots), _TOURS)]
    return tours if len(tours) < _TOURS else None


def _state(plan: Plan, bots: Sequence[Listed]) -> _State:
    if (plan.folder / ledger.FILE).exists():
        with Ledger(plan.folder, writes=False) as current:
            if history := current.schedule.tours():
                return _State(current.entrants(), history, current.results(), sum(1 for _ in current.unplayed()))
    field = [Competitor(number, entry.bot.name, "", entry.seeding) for number, entry in enumerate(bots)]
    return _State(field, [], {}, 0)


def _imagined(series: Series) -> SeriesResult:
    """The result of a series in which the lower number always wins."""
    matches = []
    for seating in series.seatings:
        places = [float(1 + sorted(seating).index(number)) for number in seating]
        seats = zip(seating, places, scores(places), strict=True)
        matches.append(tuple(SeatScore(number, place, score, -place) for number, place, score in seats))
    return SeriesResult(series, tuple(matches))


def _decisions(folder: Path) -> Mapping[str, Any] | None:
    if not (folder / ledger.FILE).exists():
        return None
    with Ledger(folder, writes=False) as open_ledger:
        return decisions(open_ledger)
