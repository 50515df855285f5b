"""Whether the saved games of a tournament prove the rows of its ledger, on all processors.

A saved game proves a row if it has the hash in the row, follows from the rules, and is the match of that place in the schedule:
its names, seed, map, rounds, limits and isolation are those of the tournament, and its result is that of the row. The rows in
turn prove the sums, from which tables are computed.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from referee import games
from referee.errors import SavedGameError, SetupError
from referee.saved.entries import Header
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.words import counted
from referee.tournament.answers import VOID
from referee.tournament.jobs import Opening
from referee.tournament.ledger import PAGE, Ledger
from referee.tournament.match_tables import Key
from referee.tournament.model import match_seed
from referee.tournament.planning import make_plan
from referee.tournament.processes import on_all_processors
from referee.tournament.rows import MatchRow
from referee.tournament.saved_games import digest_of
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.tournament import Tournament

AT_ONCE: Final = 1000
"""Saved games that are held at a time."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved game and its row in the ledger.

    Attributes:
        match: its id. sha256: the file's hash. rng_seed: the match's. reason: why it ended.
        names: of each seat. seats: place, points, and the kind of the fault if it was disqualified, of each seat.
        wrong: what the ledger alone shows; None if nothing is wrong.
    """

    match: str
    path: Path
    sha256: str
    map: str
    rng_seed: int
    reason: str
    names: tuple[str, ...]
    seats: tuple[tuple[float, float, str | None], ...]
    wrong: str | None = None


Task: TypeAlias = tuple[Opening, Saved]
"""What all matches of a tournament have in common, and one of its saved games."""


def saved_games(folder: Path, ledger: Ledger, rng_seed: int, keys: Collection[Key] | None = None) -> Iterator[Saved]:
    """The saved games of a tournament with this seed, in the order of the rows of its ledger.

    They are those of the series that are planned when the first is asked for. So this ends while a ladder goes on.

    Args:
        keys: only those of these matches.
    """
    _, last = ledger.schedule.planned()
    due = sorted(keys or ())
    some = (list(ledger.matches_at(due[first : first + PAGE])) for first in range(0, len(due), PAGE))
    pages = ledger.pages(last) if keys is None else some
    for matches in pages:  # names are read after the matches, since a team may get another one meanwhile
        yield from _saved(folder, matches, _names(ledger), rng_seed)


def by_lot(ledger: Ledger, most: int) -> list[tuple[int, Key]]:
    """So many matches whose saved games are kept, each with its lot: those with the lowest lots."""
    question = "SELECT random(), series, seating FROM matches WHERE saved IS NOT NULL ORDER BY 1 LIMIT ?"
    return [(lot, (series, seating)) for lot, series, seating in ledger.numbers(question, (min(most, sys.maxsize),))]


def _saved(
    folder: Path, matches: Iterable[tuple[ScheduledMatch, MatchRow]], names: Mapping[int, set[str]], rng_seed: int
) -> Iterator[Saved]:
    """The saved games of these matches."""
    first = dict[tuple[int, str], str]()  # by series: a saved game has the seed of its series, so it is of no other
    for match, match_row in matches:
        row: Mapping[str, Any] = dict(match_row)  # with a saved game, all values are there (`match_defect`)
        if row["saved"] is None:
            continue
        stranger = next((seat for seat in row["seats"] if seat["name"] not in names[seat["number"]]), None)
        wrong = None
        if stranger is not None:
            wrong = f"the ledger calls entrant {stranger['number']} {stranger['name']}, which was never its name"
        elif (other := first.setdefault((match.number, row["sha256"]), match.id)) != match.id:
            wrong = f"its saved game is also that of {other}"
        bots = tuple(seat["name"] for seat in row["seats"])
        seats = tuple((seat["place"], seat["points"], seat["disqualified"]) for seat in row["seats"])
        path, map_, seed = folder / row["saved"], match.series.map, match_seed(rng_seed, match.series.key)
        yield Saved(match.id, path, row["sha256"], map_, seed, row["reason"], bots, seats, wrong)


def not_kept(ledger: Ledger) -> int:
    """How many matches that are not void have no saved game."""
    return ledger.number("SELECT count(*) FROM matches WHERE saved IS NULL AND reason != ?", (VOID,))


def sums_defect(ledger: Ledger, rng_seed: int) -> str | None:
    """What is wrong with the sums of a ledger, worked out anew from the rows of all matches; None if nothing is."""
    stored, anew = ledger.whole_sums(rng_seed), ledger.whole_sums(rng_seed, anew=True)
    ended = ledger.schedule.matches(anew=True)[1]
    played = ledger.number("SELECT count(*) FROM matches")
    if (stored.series, stored.matches, ended) != (anew.series, anew.matches, played):
        return "the ledger does not count its matches right"
    for what, name in {"entrant": "entrants", "the pair": "pairs", "the seat": "seats"}.items():
        ours, right = getattr(stored, name), getattr(anew, name)
        for key in sorted({*ours, *right}):
            if ours.get(key) != right.get(key):
                return f"the sums of {what} {key} are not those of its matches"
    return None


def to_verify(tournament: Tournament, keys: Collection[Key] | None = None) -> Iterator[Task]:
    """The saved games of a tournament, each with what all its matches have in common.

    A thousand matches or so are read at a time, and nothing is being read while the caller verifies them.

    Args:
        keys: see `saved_games`.

    Raises:
        UsageError: no match is planned yet.
    """
    folder, ledger, seed = tournament.folder, tournament.ledger, tournament.rng_seed
    decided, field = tournament.decisions, len(ledger.entrants())
    opening = make_plan(folder, tournament.settings, tournament.game, seed, decided, field=field).opening()
    return ((opening, saved) for saved in saved_games(folder, ledger, seed, keys))


def verify_all(tasks: Iterable[Task], tasks_now: Callable[[], Iterable[Task]]) -> Iterator[tuple[Saved, str | None]]:
    """Verify saved games.

    Args:
        tasks_now: the games that the ledgers name when all are verified.

    Yields:
        Each game, and what is wrong with it, as soon as it is verified. Missing files come last, without those that a run has
        removed meanwhile.
    """
    missing, rest = {}, iter(tasks)
    while some := list(islice(rest, AT_ONCE)):
        for (_, game), why in zip(some, on_all_processors(defect, some), strict=True):
            if why is None or game.path.exists():
                yield game, why
            else:
                missing[game] = why
    paths = {game.path for game in missing}
    named = {game.path for _, game in tasks_now() if game.path in paths} if missing else set()
    yield from ((game, why) for game, why in missing.items() if game.path in named)


def summary(verified: int, unproven: Collection[Path]) -> str:
    """How many saved games were verified, and how many of them prove nothing; `unproven` are the latter."""
    missing = sum(not path.exists() for path in unproven)
    kinds = {"wrong": len(unproven) - missing, "missing": missing}
    defects = ", ".join(f"{count} of them {kind}" for kind, count in kinds.items() if count)
    return f"{counted(verified, 'saved game')}, {defects or 'all of them right'}"


def defect(task: Task) -> str | None:
    """What is wrong with a saved game; None if it proves its row."""
    opening, saved = task
    if saved.wrong is not None:
        return saved.wrong
    try:
        digest = digest_of(saved.path)
    except OSError as failed:
        return f"{saved.path} cannot be read: {failed.strerror}"
    if digest != saved.sha256:
        return f"{saved.path} has changed since the match: its SHA-256 is not the ledger's"
    try:
        replay = Replay(load(saved.path))
        if (other := next(_differences(opening, saved, replay), None)) is not None:
            return f"{saved.path} is of another match: {other}"
        replay.verify()
    except SavedGameError as wrong:
        return str(wrong)
    result = replay.record.result
    assert result is not None
    if result.reason != saved.reason:
        return f"{saved.path} ended for another reason than the ledger says"
    ranked = {entry.seat: (entry.rank, entry.score, entry.disqualified) for entry in result.ranking}
    for seat, ledger_result in enumerate(saved.seats):
        if ranked.get(seat) != ledger_result:
            return f"{saved.path} has another result than the ledger for seat {seat + 1}"
    return None


def _differences(opening: Opening, saved: Saved, replay: Replay) -> Iterator[str]:
    """The differences between a saved game and the match of its place in the schedule."""
    header: Header = replay.record.header
    isolation = header.isolation or {}
    # Without a program, no process is isolated, whatever the level of the worker's sandbox.
    inside = isolation.get("in_process") == list(range(len(header.players)))
    pairs = {
        "game": (header.game, opening.game),
        "seed": (header.rng_seed, saved.rng_seed),
        "players": (tuple(player.bot for player in header.players if not player.house), saved.names),
        "limits": (header.limits.model_dump(), opening.time.as_json()),
        "clock": (header.clock, opening.time.kind),
        "isolation": (isolation.get("level"), isolation.get("level") if inside else opening.isolation),
        "pondering": (isolation.get("pondering"), opening.pondering),
    }
    if opening.memory is not None and not inside:
        pairs["limit of memory"] = (isolation.get("memory_limit"), opening.memory)
    for what, (theirs, ours) in pairs.items():
        if theirs != ours:
            yield f"{what}: {theirs}, not {ours}"
    if replay.state_at(0).position() != _first(opening, saved, replay):
        yield f"it does not begin as the map {saved.map} does with this seed and these rounds"


def _first(opening: Opening, saved: Saved, replay: Replay) -> Any:
    """The first position of the match of this place in the schedule."""
    game, document = games.find(opening.game), opening.maps.get(saved.map)
    if document is None:
        return None
    try:
        setup = game.maps.setup(document, seats=len(saved.names), rng_seed=saved.rng_seed, rounds=opening.rounds)
        return game.start(setup, saved.rng_seed, replay.entrants).position()
    except SetupError:
        return None


def _names(ledger: Ledger) -> Mapping[int, set[str]]:
    """All names that each entrant has had."""
    names = defaultdict[int, set[str]](set)
    for entrant in ledger.entrants():
        names[entrant.number].add(entrant.name)
    for change in ledger.changes():
        names[change.number].add(change.name)
        if change.change == "renamed" and change.before is not None:
            names[change.number].add(change.before)
    return names
