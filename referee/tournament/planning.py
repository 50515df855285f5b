"""From the settings of a tournament to how its matches are played: maps, seats, limits, jobs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import games
from referee.contract.game import Game
from referee.errors import BotError, UsageError
from referee.files import mapfiles
from referee.files.reading import at_home
from referee.text.words import counted, harmless, shorten
from referee.tournament.decisions import first_difference
from referee.tournament.entering import interpreter
from referee.tournament.field import Unready
from referee.tournament.figures.comparison import FIRST_RIVAL
from referee.tournament.jobs import Opening
from referee.tournament.mistakes import Mistakes
from referee.tournament.model import GAMES, Competitor, Rules
from referee.tournament.settings import FILE, USUAL_SEATS, Settings, format_of


@dataclass(frozen=True, slots=True)
class Plan:
    """How the matches of a tournament are played; `maps` are the documents by name."""

    folder: Path
    settings: Settings
    game: Game[Any, Any]
    rules: Rules
    maps: Mapping[str, Mapping[str, Any]]

    def decides(self) -> dict[str, Any]:
        """All settings that decide who plays whom, and how, as JSON. They must not change once a match was played."""
        match = self.settings.match.model_dump(mode="json", exclude={"maps", "seats"})
        texts = {name: json.dumps(map_, sort_keys=True, default=str) for name, map_ in self.maps.items()}
        maps = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
        return {
            "game": f"{self.game.name} {self.game.rules_version}",
            "format": {"kind": self.settings.format.kind, **self.settings.format.schedules()},
            "match": {**match, "seats": self.rules.seats, "maps": maps},
            "rng_seed": self.rules.rng_seed,
        }

    def check(self, field: Sequence[Competitor]) -> None:
        """Check that the format can be played with this field before its first tour.

        Raises:
            UsageError: it cannot; a line for each mistake names the file and the key.
        """
        format_ = format_of(self.settings, self.rules, field)
        Mistakes(self.folder / FILE, format_.mistakes(field)).report()

    def opening(self, files: Path | None = None) -> Opening:
        """What the workers need to know; `files` is the folder of the copies and saved games, if not the tournament's."""
        files, match = files or self.folder, self.settings.match
        plugin, keep = games.plugin(self.game.name), self.settings.run.keep
        return Opening(
            folder=str(files.resolve()), games=str((files / GAMES).resolve()),
            game=self.game.name, package=None if plugin is None else plugin.package,
            maps=dict(self.maps), rounds=match.rounds, seats=self.rules.seats,
            time=self.game.time.changed(match.first, match.answer, match.total, match.clock),
            pondering=match.pondering, isolation=match.isolation, memory=match.memory,
            python=interpreter(self.folder, self.settings), keep="all" if isinstance(keep, int) else keep,
        )  # fmt: skip


def make_plan(
    folder: Path,
    settings: Settings,
    game: Game[Any, Any],
    rng_seed: int,
    before: Mapping[str, Any] | None = None,
    *,
    field: int,
    unready: Sequence[Unready] = (),
) -> Plan:
    """The plan of the next run: reads the maps, and decides the number of seats.

    Args:
        before: what the first run decided, from the ledger (`decisions`); None if there was none. This plan must decide the same.
        field: the number of bots that can play. unready: those that cannot, for the message if too few can.

    Raises:
        UsageError: the maps or the number of seats do not fit, or the settings have changed; the message names file and key.
        BotError: one of the two bots of a comparison cannot play.
    """
    maps = _maps(folder, settings, game)
    seats = None if before is None else before["match"]["seats"]
    chosen = settings.match.seats or seats or _default_seats(settings, game, maps, field)
    where = folder / FILE
    if chosen < 2 or game.seats.stop <= 2:
        raise UsageError(f"{where}: a tournament needs rivals: {game.title}, or one of its maps, is for one player")
    if chosen not in game.seats:
        players = f"{game.seats.start} to {game.seats.stop - 1} players"
        raise UsageError(f"{where}: match.seats: {game.title} is for {players}, not {chosen}")
    mistakes = Mistakes(where)
    for name, document in maps.items():
        with mistakes.at(f"match.maps: {name}"):
            mapfiles.setup(game, document, seats=chosen, rng_seed=0, rounds=settings.match.rounds)
    mistakes.report()
    if settings.format.kind == "compare":
        if field < FIRST_RIVAL and unready:
            raise BotError(f"{harmless(unready[0].name)} cannot play: {unready[0].reason}")
        _check_comparison(f"{where}: match.seats", chosen, field - FIRST_RIVAL)
    elif field < chosen:
        can_play = f"{counted(field, 'bot')} can play{_reasons(unready)}"
        raise UsageError(f"{where}: bots: a match has {chosen} seats, and {can_play}: name more, or set match.seats")
    rules = Rules(rng_seed, chosen, tuple(maps), settings.match.seatings, settings.match.repeat)
    if rules.seatings == "all" and chosen > 4:
        raise UsageError(f'{where}: match.seatings: "all" is for 4 seats at the most: use "rotations"')
    plan = Plan(folder, settings, game, rules, maps)
    if before is not None and (key := first_difference(before, plan.decides())) is not None:
        raise UsageError(f"{where}: {key} has changed since the first match: change it back, or use a new folder")
    return plan


def _reasons(unready: Sequence[Unready]) -> str:
    """Why the first of these bots cannot play, and the number of the others, in brackets; empty without any."""
    if not unready:
        return ""
    first = f"{harmless(unready[0].name)}: {unready[0].reason}"
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
    mistakes = Mistakes(folder / FILE)
    for number, word in enumerate(settings.match.maps or [game.maps.default]):
        is_file = mapfiles.is_file(word)
        name = Path(word).stem if is_file else word
        with mistakes.at(f"match.maps.{number}"):
            if name in maps:
                raise UsageError(f"two maps are called {shorten(name)}: rename a file")
            maps[name] = mapfiles.read(game, os.path.join(folder, at_home(word)) if is_file else word)
            game.maps.facts(maps[name])
    mistakes.report()
    return maps


def _default_seats(settings: Settings, game: Game[Any, Any], maps: Mapping[str, Any], field: int) -> int:
    if settings.format.kind == "compare":
        field = field - 1 if field > FIRST_RIVAL else FIRST_RIVAL
    if settings.format.against is not None:
        field = min(field, 1 + len(settings.format.against))
    starts = min(len(game.maps.facts(document).starts) for document in maps.values())
    return max(min(USUAL_SEATS, starts, game.seats.stop - 1, max(field, 2)), game.seats.start)


def jobs_for(plan: Plan) -> int:
    """How many matches at a time keep every running bot on a processor of its own."""
    return max(1, len(os.sched_getaffinity(0)) // players_at_once(plan))


def players_at_once(plan: Plan) -> int:
    """The number of players of a match that may run at the same moment."""
    together = plan.game.together or plan.settings.match.pondering
    return plan.rules.seats if together else 1
