"""What a run would play next and until the end, how long that takes, and which settings make it shorter. Nothing is written.

1. A match has as many steps as its game expects (`Game.steps`). Each takes the referee's time and that of an answer. Where all
   seats answer at the same moment, it is that of the answers that share a processor. The checks of the bots have measured both.
2. A tour is played `jobs` matches at a time. Its results are imagined, because later tours can depend on them.
3. A hint is a setting with which the tournament takes at most `SAVES` of the time: fewer rounds, the shortest map, fewer series
   of each bot. Each is planned like the tournament itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import mapfiles
from referee.tournament import ledger
from referee.tournament.decisions import decisions
from referee.tournament.drafting import EACH
from referee.tournament.entering import Listed
from referee.tournament.field import Unready
from referee.tournament.formats.past import Past
from referee.tournament.ledger import Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.model import Competitor, SeatScore, Series, SeriesResult, Tour, scores, seatings
from referee.tournament.planning import Plan, jobs_for, make_plan
from referee.tournament.settings import Settings, format_of

LONG: Final = 600.0
"""Seconds. A longer tournament gets hints."""
SAVES: Final = 0.6
_PART: Final = 4
"""A quarter of the rounds is offered."""
_RUNS: Final = 10
"""The rounds of a Develobear match that are offered if it has more."""
_TOURS: Final = 200
"""The most tours that are imagined."""


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


def plan_for(
    folder: Path, settings: Settings, game: Game[Any, Any], field: int, unready: Sequence[Unready] = ()
) -> Plan:
    """The plan of the next run; `field` and `unready` are as in `make_plan`.

    Raises:
        UsageError: the settings do not fit, or have changed since the first match.
    """
    before: Mapping[str, Any] | None = None
    if (folder / ledger.FILE).exists():
        with Ledger(folder, writes=False) as current:
            before = decisions(current)
    seed = settings.run.rng_seed if settings.run.rng_seed is not None else (before or {}).get("rng_seed", 0)
    return make_plan(folder, settings, game, seed, before, field=field, unready=unready)


def upcoming_tours(plan: Plan, bots: Sequence[Listed]) -> Iterator[Upcoming]:
    """The tours that a run plays, if the entrant with the lower number always wins; of a comparison, only the next one.

    A tournament that has begun goes on with the field of its last run. `bots` are the field of a new one.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    with _state(plan, bots) as (field, past, under_way):
        format_ = format_of(plan.settings, plan.rules, field)
        if under_way is not None:
            yield under_way
            past = _imagined(past)
        if not past.planned[0]:
            plan.check(field)
        while (due := format_.next_tour(field, past)) is not None:
            yield Upcoming(due.key, due.matches, None if past.planned[0] else format_.outline(field))
            if format_.fixed:
                return
            past = _imagined(past, due)


def to_the_end(plan: Plan, bots: Sequence[Listed]) -> list[int] | None:
    """How many matches each tour to come has (`upcoming_tours`); None if that is not known.

    The end of a ladder may be open, and that of a comparison depends on its results.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    format_ = plan.settings.format
    if format_.kind == "ladder" and format_.series is not None:
        with _state(plan, bots) as (_, past, under_way):
            lacking = max(0, format_.series - past.planned[1])
        later = lacking * len(seatings(range(plan.rules.seats), plan.rules.seatings))
        return [under_way.matches, later] if under_way else [later]
    if format_.kind in {"compare", "ladder"}:
        return None
    tours = [tour.matches for tour in islice(upcoming_tours(plan, bots), _TOURS)]
    return tours if len(tours) < _TOURS else None


@contextmanager
def _state(plan: Plan, bots: Sequence[Listed]) -> Iterator[tuple[Sequence[Competitor], Past, Upcoming | None]]:
    """The field, the past, which reads no more than the format asks for, and the tour that is under way."""
    if (plan.folder / ledger.FILE).exists():
        with Ledger(plan.folder, writes=False) as current, current.snapshot():
            if (key := current.schedule.last_key()) is not None:
                scheduled, ended, _ = current.counts()
                under_way = Upcoming(key, scheduled - ended) if ended < scheduled else None
                yield current.entrants(), LedgerPast(current), under_way
                return
    yield [Competitor(number, entry.bot.name, "", entry.seeding) for number, entry in enumerate(bots)], Past(), None


def _imagined(past: Past, *due: Tour) -> Past:
    """The past after these tours, if the lower number wins each series without a result."""
    tours, results = [*past.tours, *due], dict(past.results)
    results |= {series.key: _assumed_result(series) for series in tours[-1].series if series.key not in results}
    return Past(tours, results)


def _assumed_result(series: Series) -> SeriesResult:
    """The result of a series in which the lower number always wins."""
    matches = []
    for seating in series.seatings:
        places = [float(1 + sorted(seating).index(number)) for number in seating]
        seats = zip(seating, places, scores(places), strict=True)
        matches.append(tuple(SeatScore(number, place, score, -place) for number, place, score in seats))
    return SeriesResult(series, tuple(matches))


class Speed(NamedTuple):
    """How fast a bot and the matches around it were: seconds of its answers, and of the rest of a step."""

    answer: float
    rest: float


class Forecast(NamedTuple):
    """What is to come: the number of matches, and seconds; None if that is not known."""

    matches: int
    seconds: float | None


class Shorter(NamedTuple):
    """A setting, such as `match.rounds = 40`, and how many seconds the tournament takes with it."""

    setting: str
    seconds: float


class Outlook(NamedTuple):
    """What a run would play, and how long that takes.

    Attributes:
        coming: what it plays next; None if the tournament is over. seconds: for that, None if it is not known.
        jobs: matches at a time. whole: what it plays to the end; None if that is not known.
        shorter: settings with which a long tournament would be shorter; none for one that has begun.
    """

    coming: Upcoming | None
    jobs: int
    seconds: float | None
    whole: Forecast | None
    shorter: Sequence[Shorter]


def outlook(plan: Plan, bots: Sequence[Listed], speeds: Sequence[Speed]) -> Outlook:
    """What a run with these bots would play.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    coming, took = next(upcoming_tours(plan, bots), None), match_seconds(plan, speeds)
    jobs = plan.settings.run.jobs or jobs_for(plan)
    seconds = None if coming is None or took is None else took * coming.matches / min(jobs, coming.matches)
    whole = forecast(plan, bots, speeds, jobs)
    begun = coming is None or coming.outline is None
    hints = [] if begun else _shorter(plan, bots, speeds, jobs, whole)
    return Outlook(coming, jobs, seconds, whole, hints)


def match_seconds(plan: Plan, speeds: Sequence[Speed]) -> float | None:
    """How long a match takes; None if no bot has played."""
    if not speeds:
        return None
    answer = mean(speed.answer for speed in speeds)
    if plan.game.together:
        answer *= max(1.0, plan.rules.seats / len(os.sched_getaffinity(0)))
    steps = mean(_steps_on(plan, document) for document in plan.maps.values())
    return steps * (answer + mean(speed.rest for speed in speeds))


def forecast(plan: Plan, bots: Sequence[Listed], speeds: Sequence[Speed], jobs: int) -> Forecast | None:
    """All matches that are not played yet; None if their number is not known.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    if (tours := to_the_end(plan, bots)) is None:
        return None
    took = match_seconds(plan, speeds)
    seconds = None if took is None else sum(took * count / min(jobs, count) for count in tours if count)
    return Forecast(sum(tours), seconds)


def _shorter(
    plan: Plan, bots: Sequence[Listed], speeds: Sequence[Speed], jobs: int, whole: Forecast | None
) -> list[Shorter]:
    """Settings with which a long tournament would be shorter, the longest first; none for a short one."""
    if whole is None or whole.seconds is None or whole.seconds <= LONG:
        return []
    options = []
    for setting, settings in _changes(plan):
        try:
            changed = make_plan(plan.folder, settings, plan.game, plan.rules.rng_seed, field=len(bots))
            other = forecast(changed, bots, speeds, jobs)
        except UsageError:  # it does not fit this field
            continue
        if other is not None and other.seconds is not None and other.seconds <= SAVES * whole.seconds:
            options.append(Shorter(setting, other.seconds))
    return sorted(options, key=lambda option: -option.seconds)


def _changes(plan: Plan) -> Iterator[tuple[str, Settings]]:
    """Settings to try: what to write, and all settings with it."""
    game, settings = plan.game, plan.settings.changed("match", seats=plan.rules.seats)
    rounds = settings.match.rounds or max(game.maps.facts(document).rounds for document in plan.maps.values())
    if rounds >= _PART:
        yield f"match.rounds = {rounds // _PART}", settings.changed("match", rounds=rounds // _PART)
    fitting = mapfiles.fitting_maps(game, plan.rules.seats)
    if best := min(fitting, key=lambda name: _steps_on(plan, mapfiles.read(game, name)), default=None):
        yield f"match.maps = {json.dumps([best])}", settings.changed("match", maps=[best])
    keys, each = settings.format.chosen.keys, settings.format.each
    if "each" in keys and (each is None or each > EACH):
        yield f"format.each = {EACH}", settings.changed("format", each=EACH)
    if "runs" in keys and (settings.format.runs or _RUNS + 1) > _RUNS:
        yield f"format.runs = {_RUNS}", settings.changed("format", runs=_RUNS)


def _steps_on(plan: Plan, document: Any) -> int:
    rounds = plan.settings.match.rounds
    setup = mapfiles.setup(plan.game, document, seats=plan.rules.seats, rng_seed=plan.rules.rng_seed, rounds=rounds)
    return plan.game.steps(setup)
