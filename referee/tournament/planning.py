"""From the settings of a tournament to how its matches are played: maps, seats, format, limits, jobs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from referee.contract.game import Game
from referee.errors import SetupError, UsageError
from referee.files import mapfiles
from referee.text.documents import Malformed, json_of
from referee.text.strict import explain
from referee.text.words import counted, harmless, shorten
from referee.tournament.field import Unready
from referee.tournament.figures.comparison import FIRST_RIVAL
from referee.tournament.figures.rating import Part, ratings
from referee.tournament.figures.sprt import Test
from referee.tournament.formats import Format
from referee.tournament.formats.compare import Compare
from referee.tournament.formats.develobear import Develobear
from referee.tournament.formats.gauntlet import Gauntlet
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.ladder import Ladder
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.formats.swiss import Swiss
from referee.tournament.ledger import Ledger
from referee.tournament.playing import Opening
from referee.tournament.settings import FILE, MOST_SEATS, Count, Settings, Word, interpreter
from referee.tournament.words import GAMES, Entrant, Rules, Seatings, SeriesResult

DECIDES: Final = "decides"
"""The fact of the ledger that has `Plan.decides`."""
USUAL_SEATS: Final = 4
"""Without `seats` in the file, as far as the maps, the game and the field allow."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the matches of a tournament are played.

    Attributes:
        rules: what the formats need to know. maps: the documents by name.
    """

    folder: Path
    settings: Settings
    game: Game[Any, Any]
    rules: Rules
    maps: Mapping[str, Mapping[str, Any]]

    def decides(self) -> dict[str, Any]:
        """Everything in the settings that decides who plays whom, and how. It must not change once a match was played."""
        match = self.settings.match.model_dump(mode="json", exclude={"maps", "seats"})
        if match["python"] is None:
            del match["python"]  # as in ledgers from before there was this key
        return {
            "game": f"{self.game.name} {self.game.rules_version}",
            "format": {"kind": self.settings.format.kind, **self.settings.format.schedules()},
            "match": {
                **match,
                "seats": self.rules.seats,
                "maps": {name: _digest(map_) for name, map_ in self.maps.items()},
            },
            "rng_seed": self.rules.rng_seed,
        }

    def opening(self) -> Opening:
        """What the workers need to know."""
        match = self.settings.match
        time = self.game.time.changed(match.first, match.answer, match.total, match.clock)
        return Opening(
            folder=str(self.folder.resolve()),
            games=str((self.folder / GAMES).resolve()),
            game=self.game.name,
            maps=dict(self.maps),
            rounds=match.rounds,
            first=time.first,
            answer=time.answer,
            total=time.total,
            clock=time.kind,
            pondering=match.pondering,
            isolation=match.isolation,
            memory=match.memory,
            python=interpreter(self.folder, self.settings),
            keep=self.settings.run.keep,
            seats=self.rules.seats,
        )


def planned(
    folder: Path,
    settings: Settings,
    game: Game[Any, Any],
    rng_seed: int,
    *,
    seats: int | None,
    field: int,
    unready: Sequence[Unready] = (),
) -> Plan:
    """Read the maps and decide the number of seats.

    Args:
        seats: as decided in an earlier run; None in the first run.
        field: the number of bots that can play. unready: those that cannot, for the message if too few can.

    Raises:
        UsageError: the maps or the number of seats do not fit; the message names the file and the key.
    """
    maps = _maps(folder, settings, game)
    wanted = settings.match.seats
    chosen = wanted or seats or _usual(settings, game, maps, field)
    where = folder / FILE
    if chosen not in game.seats:
        raise UsageError(
            f"{where}: match.seats: {game.title} is for {game.seats.start} to {game.seats.stop - 1} players, not {chosen}"
        )
    for name, document in maps.items():
        try:
            mapfiles.setup(game, document, seats=chosen, rng_seed=0, rounds=settings.match.rounds)
        except SetupError as wrong:
            raise UsageError(f"{where}: match.maps: {name}: {wrong}") from None
    if settings.format.kind == "compare":
        _check_comparison(f"{where}: match.seats", chosen, field - FIRST_RIVAL)
    elif field < chosen:
        raise UsageError(
            f"{where}: bots: a match has {chosen} seats, and {counted(field, 'bot')} can play{_because(unready)}: name more, or "
            "set match.seats"
        )
    rules = Rules(rng_seed, chosen, tuple(maps), settings.match.seatings, settings.match.repeat)
    if rules.seatings == "all" and chosen > 4:
        raise UsageError(f'{where}: match.seatings: "all" is for 4 seats at the most: use "rotations"')
    return Plan(folder, settings, game, rules, maps)


def replanned(folder: Path, settings: Settings, game: Game[Any, Any], ledger: Ledger) -> Plan:
    """The plan of the runs so far.

    Raises:
        UsageError: there was no run, or the settings have changed since the first match.
    """
    before = decided(ledger)
    if before is None:
        raise UsageError(f"{folder}: no match is planned yet: `referee tournament run {folder}` plays the tournament")
    field = len(ledger.entrants())
    plan = planned(folder, settings, game, before["rng_seed"], seats=before["match"]["seats"], field=field)
    check_unchanged(plan, before)
    return plan


def _because(unready: Sequence[Unready]) -> str:
    """Why the first of these bots cannot play, and how many more there are, in brackets; empty without any."""
    if not unready:
        return ""
    first = f"{harmless(unready[0].name)}: {unready[0].why.splitlines()[0]}"
    return f" ({first}{f'; {len(unready) - 1} more' if unready[1:] else ''})"


def _check_comparison(where: str, seats: int, rivals: int) -> None:
    if rivals < 0:
        raise UsageError(f"{where}: a comparison is between two bots, and {FIRST_RIVAL + rivals} can play")
    if rivals == 0 and seats % 2:
        raise UsageError(f"{where}: two bots share the seats of a comparison: an even number, not {seats}")
    if 0 < rivals < seats - 1:
        raise UsageError(f"{where}: a match of {seats} seats needs {seats - 1} rivals, not {rivals}")


def _maps(folder: Path, settings: Settings, game: Game[Any, Any]) -> dict[str, dict[str, Any]]:
    maps: dict[str, dict[str, Any]] = {}
    for number, word in enumerate(settings.match.maps or [game.maps.default]):
        is_file = word.endswith(".toml") or os.sep in word
        name = Path(word).stem if is_file else word
        key = f"{folder / FILE}: match.maps.{number}"
        if name in maps:
            raise UsageError(f"{key}: two maps are called {shorten(name)}: rename a file")
        if "/" in name or "#" in name:
            raise UsageError(
                f"{key}: {shorten(name)} has / or # in its name, which ids of matches use: rename the file"
            )
        try:
            maps[name] = mapfiles.read(game, str(folder / word) if is_file else word)
            game.maps.facts(maps[name])
        except UsageError as wrong:
            raise UsageError(f"{key}: {wrong}") from None
    return maps


def _usual(settings: Settings, game: Game[Any, Any], maps: Mapping[str, Any], field: int) -> int:
    if settings.format.kind == "compare":
        field = field - 1 if field > FIRST_RIVAL else FIRST_RIVAL
    if settings.format.against is not None:
        field = min(field, 1 + len(settings.format.against))
    starts = min(len(game.maps.facts(document).starts) for document in maps.values())
    most = min(USUAL_SEATS, starts, game.seats.stop - 1, max(field, 2))
    return max(most, game.seats.start)


def _digest(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()


class _Match(BaseModel):
    """What must be in `match` of `Plan.decides`. Other keys are only compared."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS)]
    maps: Annotated[dict[Word, str], Field(min_length=1)]
    seatings: Seatings
    repeat: Count
    isolation: str


class _Decided(BaseModel):
    """What must be in `Plan.decides`."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)
    match: _Match
    rng_seed: Annotated[int, Field(ge=0, lt=2**63)]


def decided(ledger: Ledger) -> dict[str, Any] | None:
    """`Plan.decides`, as a ledger has it; None before the first run.

    Raises:
        LedgerError: it is damaged.
    """
    told = ledger.fact(DECIDES)
    if told is None:
        return None
    try:
        document: dict[str, Any] = json_of(told)
        _Decided.model_validate(document)
    except Malformed as wrong:
        raise ledger.damaged(f"facts, {DECIDES}: {wrong}") from None
    except ValidationError as wrong:
        raise ledger.damaged(f"facts, {DECIDES}: {explain(wrong)}") from None
    return document


def changed(before: Mapping[str, Any], now: Mapping[str, Any], path: str = "") -> str | None:
    """The first key in which two `decides` differ; None if they are the same."""
    for key in [*before, *(key for key in now if key not in before)]:
        here = f"{path}{key}"
        one, other = before.get(key), now.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            if (inner := changed(one, other, f"{here}.")) is not None:
                return inner
        elif one != other:
            return here
    return None


def check_unchanged(plan: Plan, before: Mapping[str, Any]) -> None:
    """Check that a plan decides the same as in the first run.

    Args:
        before: `Plan.decides` as JSON, from the ledger.

    Raises:
        UsageError: it does not; the message names the key.
    """
    if (key := changed(before, json.loads(json.dumps(plan.decides())))) is not None:
        raise UsageError(
            f"{plan.folder / FILE}: {key} has changed since the first match: change it back, or start anew in another folder"
        )


def format_of(folder: Path, settings: Settings, rules: Rules, field: Sequence[Entrant]) -> Format:
    """The format of a tournament.

    Raises:
        UsageError: a champion does not take part.
    """
    given = settings.format.schedules()
    if "points" in given:
        given["points"] = tuple(given["points"])
    match settings.format.kind:
        case "round-robin":
            return RoundRobin(rules, **given)
        case "gauntlet":
            named: dict[str, Any] = {key: tuple(given.pop(key)) for key in ("champions", "against") if key in given}
            if len(named) != 1:
                which = "leave out one, champions or against" if named else 'name them, as in champions = ["Oracle"]'
                raise UsageError(
                    f"{folder / FILE}: format.champions: {'not with against' if named else 'missing'}: {which}"
                )
            return Gauntlet(rules, **named, **given)
        case "swiss":
            return Swiss(rules, **given)
        case "knockout":
            return Knockout(rules, **given)
        case "develobear":
            return Develobear(rules, **given)
        case "ladder":
            standings = partial(_estimates, rng_seed=rules.rng_seed, known={})
            return Ladder(rules, standings, by_rating=settings.format.order is None, **given)
        case "compare":
            rivals = len(field) - FIRST_RIVAL
            return Compare(rules, Test("against" if rivals else "head", **given), rivals)


def _estimates(
    field: Sequence[Entrant], results: Sequence[SeriesResult], *, rng_seed: int, known: dict[str, Part]
) -> dict[int, tuple[float, float | None]]:
    """The ratings, and the widths of their intervals."""
    found = ratings(field, results, rng_seed=rng_seed, known=known).items()
    return {
        number: (one.rating, None if one.low is None or one.high is None else one.high - one.low)
        for number, one in found
    }


def jobs_for(plan: Plan) -> int:
    """How many matches at a time keep every running bot on a processor of its own."""
    cores = len(os.sched_getaffinity(0))
    return max(1, cores // running_in(plan))


def running_in(plan: Plan) -> int:
    """The number of players of a match that may run at the same moment."""
    together = plan.game.together or plan.settings.match.pondering
    return plan.rules.seats if together else 1
