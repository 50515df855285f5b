"""What a run would play next and until the end, from the settings and the ledger. Nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from referee.tournament.words import Competitor, Results, SeatResult, Series, SeriesResult, Tour, scores

_TOURS: Final = 200
"""Tours after which nobody looks further ahead."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The next matches.

    Attributes:
        tour: its key. matches: how many it has that are not played.
        outline: the plan of the whole tournament, in words; None after the first match.
    """

    tour: str
    matches: int
    outline: str | None = None


class _State(NamedTuple):
    """A tournament between two matches; `unplayed` has the series that lack matches, and how many those are."""

    field: Sequence[Competitor]
    history: list[Tour]
    results: Results
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


def upcoming(plan: Plan, bots: Sequence[Listed]) -> Upcoming | None:
    """The matches that a run plays next; None if the tournament is over.

    A tournament that has begun goes on with the field of its last run. `bots` are the field of a new one.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    state = _state(plan, bots)
    if state.unplayed:
        return Upcoming(state.history[-1].key, state.unplayed)
    format_ = format_of(plan.settings, plan.rules, state.field)
    if (tour := _next(plan, state)) is None:
        return None
    return Upcoming(tour.key, tour.matches, None if state.history else format_.outline(len(bots)))


def to_the_end(plan: Plan, bots: Sequence[Listed]) -> list[int] | None:
    """How many matches each tour to come has, if the entrant with the lower number always wins; None if that is not known.

    The end of a ladder may be open, and that of a comparison depends on its results.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    format_, state = plan.settings.format, _state(plan, bots)
    tours = [state.unplayed] if state.unplayed else []
    if format_.kind == "compare" or (format_.kind == "ladder" and format_.series is None):
        return None
    if format_.kind == "ladder":
        assert format_.series is not None
        played = sum(len(tour.series) for tour in state.history)
        seatings = 1 if plan.rules.seatings == "one" else plan.rules.seats
        return [*tours, max(0, format_.series - played) * seatings]
    results = dict(state.results)
    while len(tours) < _TOURS:
        for tour in state.history[-1:]:
            results |= {series.key: _imagined(series) for series in tour.series if series.key not in results}
        tour_ = _next(plan, state._replace(results=results))
        if tour_ is None:
            return tours
        tours.append(tour_.matches)
        state.history.append(tour_)
        if format_.chosen.fixed:
            return tours
    return None


def _state(plan: Plan, bots: Sequence[Listed]) -> _State:
    if (plan.folder / ledger.FILE).exists():
        with Ledger(plan.folder, writes=False) as current:
            if history := current.schedule.tours():
                return _State(current.entrants(), history, current.results(), sum(1 for _ in current.unplayed()))
    field = [Competitor(number, entry.bot.name, "", entry.seeding) for number, entry in enumerate(bots)]
    return _State(field, [], {}, 0)


def _next(plan: Plan, state: _State) -> Tour | None:
    format_ = format_of(plan.settings, plan.rules, state.field)
    return format_.next_tour(state.field, Past(state.history, state.results))


def _imagined(series: Series) -> SeriesResult:
    """The result of a series in which the lower number always wins."""
    matches = []
    for seating in series.seatings:
        places = [float(1 + sorted(seating).index(number)) for number in seating]
        seats = zip(seating, places, scores(places), strict=True)
        matches.append(tuple(SeatResult(number, place, score, -place) for number, place, score in seats))
    return SeriesResult(series, tuple(matches))


def _decisions(folder: Path) -> Mapping[str, Any] | None:
    if not (folder / ledger.FILE).exists():
        return None
    with Ledger(folder, writes=False) as open_ledger:
        return decisions(open_ledger)
