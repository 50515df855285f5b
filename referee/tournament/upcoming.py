"""What a run would play next, from the settings and the ledger. Nothing is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.game import Game
from referee.tournament import ledger
from referee.tournament.entering import Listed
from referee.tournament.ledger import Ledger
from referee.tournament.planning import DECIDES, Plan, check_unchanged, format_of, planned
from referee.tournament.settings import Settings
from referee.tournament.words import Entrant, Results, Tour


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


def plan_for(folder: Path, settings: Settings, game: Game[Any, Any], field: int) -> Plan:
    """The plan of the next run.

    Args:
        field: the number of bots that can play.

    Raises:
        UsageError: the settings do not fit, or have changed since the first match.
    """
    before = _decided(folder)
    seed = settings.run.rng_seed if settings.run.rng_seed is not None else (before or {}).get("rng_seed", 0)
    seats = before["match"]["seats"] if before is not None else None
    plan = planned(folder, settings, game, seed, seats=seats, field=field)
    if before is not None:
        check_unchanged(plan, before)
    return plan


def upcoming(plan: Plan, bots: Sequence[Listed]) -> Upcoming | None:
    """The matches that a run plays next; None if the tournament is over.

    A tournament that has begun goes on with the field of its last run. `bots` are the field of a new one.

    Raises:
        UsageError: the format cannot be played with this field.
    """
    if (plan.folder / ledger.FILE).exists():
        with Ledger(plan.folder, writes=False) as found:
            if history := found.tours():
                left = sum(1 for _ in found.unplayed())
                field, results = found.entrants(), found.results()
                return Upcoming(history[-1].key, left) if left else _next(plan, field, history, results)
    field = [Entrant(number, one.bot.name, "", one.seeding) for number, one in enumerate(bots)]
    if (first := _next(plan, field, [], {})) is None:
        return None
    outline = format_of(plan.folder, plan.settings, plan.rules, field).outline(len(field))
    return replace(first, outline=outline)


def _next(plan: Plan, field: Sequence[Entrant], history: Sequence[Tour], results: Results) -> Upcoming | None:
    tour = format_of(plan.folder, plan.settings, plan.rules, field).next_tour(field, history, results)
    return None if tour is None else Upcoming(tour.key, sum(len(one.seatings) for one in tour.series))


def _decided(folder: Path) -> Mapping[str, Any] | None:
    if not (folder / ledger.FILE).exists():
        return None
    with Ledger(folder, writes=False) as found:
        told = found.fact(DECIDES)
    return None if told is None else dict(json.loads(told))
