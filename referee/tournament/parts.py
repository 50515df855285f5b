"""Parts: the ledgers of shards, and how they are united.

1. Shard i of n plays the series whose place in the schedule is i - 1 modulo n. So the whole schedule must be known before the
   first match: formats whose tours depend on results have no shards.
2. A part has the whole schedule and the matches of its shard. It begins with what the tournament's ledger has. `PART.files`
   beside it holds the copies of its bots and its saved games. A shard writes nothing into the tournament's folder, so shards
   never wait for each other.
3. Two ledgers belong together if they have the same settings (`Plan.decides`), the same package of the game, the same entrant
   under each number that both have, and the same series at each place that both have. Then they are united match by match. A
   match that is there stays.
4. A part may come from a stranger. A series that the tournament's ledger does not have must be the one that the format plans
   next, each match must fit it, and each saved game must have the hash in its row. Otherwise nothing of the part is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.contract.game import Game
from referee.errors import BotError, UsageError
from referee.text.words import shorten
from referee.tournament import ledger as ledgers
from referee.tournament import settings as toml
from referee.tournament.answers import TRIES, match_defect
from referee.tournament.decisions import DECIDES, PACKAGE, decide, decisions, first_difference
from referee.tournament.field import Candidate, Unready
from referee.tournament.formats import Format
from referee.tournament.formats.compare import Compare
from referee.tournament.formats.past import Past
from referee.tournament.ledger import Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.model import GAMES, Competitor, Shard
from referee.tournament.planning import make_plan
from referee.tournament.saved_games import copy_games
from referee.tournament.settings import Settings, format_of

_SHARD: Final = "shard"
"""The fact of a part that says which shard it is of."""


class Part(NamedTuple):
    """The ledger of a shard."""

    path: Path
    shard: Shard

    @property
    def files(self) -> Path:
        """The folder beside it, with its bots, its saved games and its lock."""
        return self.path.with_name(f"{self.path.name}.files")

    def make(self) -> None:
        """Make the folder.

        Raises:
            UsageError: it cannot be made.
        """
        try:
            self.files.mkdir(parents=True, exist_ok=True)
        except OSError as failed:
            raise UsageError(f"{self.files} cannot be made ({failed.strerror}): choose another place with -o") from None


class Merged(NamedTuple):
    """A part that was merged: its shard, and the number of its matches that are new."""

    shard: Shard
    new: int


def begin(ledger: Ledger, folder: Path, settings: Settings, part: Part) -> None:
    """Begin a part, or go on with it: take over the content of the ledger in the tournament's folder.

    Args:
        ledger: of the part.

    Raises:
        UsageError: the tournament has no shards, or the file is no part of it.
    """
    _seed(folder, settings)
    shard = ledger.fact(_SHARD)
    if shard is None and ledger.fact(DECIDES) is None:
        ledger.keep(_SHARD, str(part.shard))
    elif shard != str(part.shard):
        raise UsageError(f"{part.path} is {f'of shard {shard}' if shard else 'no part'}: choose another file with -o")
    whole = folder / ledgers.FILE
    if whole.exists():
        with Ledger(folder, writes=False) as other, other.snapshot():
            if (theirs := decisions(other)) is not None:
                _check_same(part.path, decisions(ledger) or theirs, theirs, whole)
                with ledger.transaction():
                    decide(ledger, theirs, other.fact(PACKAGE))
                    _unite(ledger, other, lambda _saved, _sha256: None)


def check_field(ledger: Ledger, part: Part, ready: Collection[Candidate], unready: Sequence[Unready]) -> None:
    """Check that the numbers of the entrants will be the same in all shards.

    Raises:
        BotError: a bot cannot play. UsageError: the bots have changed since the schedule was made.
    """
    if unready:
        bot = unready[0]
        raise BotError(f"{bot.name} cannot play, and a shard needs all bots: {bot.reason}")
    before = {(entrant.name, entrant.content) for entrant in ledger.entrants() if entrant.present}
    other = sorted(name for name, _ in before ^ {(candidate.name, candidate.content) for candidate in ready})
    if other and any(ledger.unplayed()):
        changed = f"{shorten(other[0])} has changed since the schedule was made"
        raise UsageError(f"{part.path}: {changed}: change it back, or begin anew with another -o")


def check_package(part: Ledger, package: str | None) -> None:
    """Check that the matches of a part are of this package of the game.

    Raises:
        UsageError: they are of another one, or of another version.
    """
    if (theirs := part.fact(PACKAGE)) not in (None, package):
        other = f"{part.path} was played with {shorten(str(theirs))}, not with {package or 'no package'}"
        raise UsageError(f"{other}: install the same on all machines, and play it again with another -o")


def schedule(ledger: Ledger, format_: Format) -> None:
    """Write the whole schedule (theory, point 1)."""
    field, past = ledger.entrants(), LedgerPast(ledger)
    while isinstance(format_, Compare) or not any(ledger.unplayed()):
        if (tour := format_.next_tour(field, past)) is None:
            break
        past.add(tour, ledger.add_tour(tour))


def unplayed_by_shard(ledger: Ledger, total: int) -> Counter[Shard]:
    """How many matches of each shard are not played, if there are so many shards."""
    return Counter(Shard.of(match.number - 1, total) for match in ledger.unplayed())


def merge(ledger: Ledger, folder: Path, settings: Settings, game: Game[Any, Any], path: Path) -> Merged:
    """Take over the matches of a part and their saved games.

    Raises:
        UsageError: the file is no part, or damaged, or it has other settings or bots or another package of the game, or a saved
            game is not that of its match. Nothing of it was taken.
    """
    if not path.is_file():
        raise UsageError(f"there is no part {path}: `referee tournament run DIR --shard … -o {path}` makes it")
    with Ledger(path.parent, writes=False, part=path) as part, part.snapshot():
        shard, theirs = _facts(part)
        field = sum(entrant.present for entrant in part.entrants())
        chosen = settings.changed("match", seats=settings.match.seats or theirs["match"]["seats"])
        plan = make_plan(folder, chosen, game, _seed(folder, settings), field=field)
        _check_same(path, theirs, plan.decides(), folder / toml.FILE)
        if (ours := decisions(ledger)) is not None:
            _check_same(path, theirs, ours, ledger.path)
        package = ledger.fact(PACKAGE) or plan.opening().package
        check_package(part, package)
        with ledger.transaction(), copy_games(path, Part(path, shard).files / GAMES, folder / GAMES) as take:
            decide(ledger, theirs, package)
            new = _unite(ledger, part, take, partial(format_of, settings, plan.rules))
        return Merged(shard, new)


def _facts(part: Ledger) -> tuple[Shard, dict[str, Any]]:
    shard, theirs = Shard.read(part.fact(_SHARD) or ""), decisions(part)
    if shard is None or theirs is None:
        advice = "`referee tournament run DIR --shard … -o PART` makes one"
        raise UsageError(f"{part.path} is no part, or has not begun: {advice}")
    return shard, theirs


def _seed(folder: Path, settings: Settings) -> int:
    """The seed of a tournament that can have shards."""
    seed, file = settings.run.rng_seed, folder / toml.FILE
    if not settings.format.chosen.fixed:
        why = f"the tours of a {settings.format.kind} depend on results, so it has no shards"
        raise UsageError(f"{file}: format.kind: {why}: run it without --shard")
    if seed is None:
        raise UsageError(f"{file}: run.rng_seed: missing: all shards need the same; add a number, as in rng_seed = 11")
    return seed


def _check_same(path: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any], where: Path) -> None:
    if (key := first_difference(theirs, ours)) is not None:
        other = f"{path} was played with another {key} than {where} says"
        raise UsageError(f"{other}: play it again with the same settings")


def _unite(
    ledger: Ledger,
    other: Ledger,
    take: Callable[[str, str | None], None],
    format_: Callable[[Sequence[Competitor]], Format] | None = None,
) -> int:
    """Take over what another ledger has, within a transaction. Returns how many matches are new.

    Args:
        take: gets the path and the hash of each new saved game.
        format_: makes the format from the field, to prove tours that the ledger does not have; None to believe them.

    Raises:
        UsageError: an entrant or a series has another number there, or a row is wrong.
    """
    entrants = _field(ledger, other)
    history, theirs = ledger.schedule.tours(), other.schedule.tours()
    for ours, tour in zip(history, theirs, strict=False):
        if ours != tour:
            raise _other(ledger, other, f"tour {tour.key}")
    for tour in theirs[len(history) :]:
        due = tour if format_ is None else format_(entrants).next_tour(entrants, Past(history))
        if due != tour:
            unplanned = f"its tour {shorten(tour.key)} is not what {ledger.path} plans next"
            raise UsageError(f"{other.path}: {unplanned}: merge the parts from before it first, or play it again")
        ledger.schedule.append(tour)
        history.append(tour)
    return _unite_matches(ledger, other, entrants, take)


def _unite_matches(
    ledger: Ledger, other: Ledger, entrants: Sequence[Competitor], take: Callable[[str, str | None], None]
) -> int:
    """Take over the matches that this ledger does not have. Returns how many."""
    ended, new = ledger.ended(), 0
    for match, row in other.played():
        if match.key in ended:
            continue
        failures = list(islice(other.failures_of(match), TRIES + 1))
        if len(failures) > TRIES:
            raise other.damage_error(f"failures, series {match.number}, seating {match.seating}: more than {TRIES}")
        contents = [entrants[number].content for number in match.entrants]
        if (why := match_defect(row, *match.key, match.entrants, contents)) is not None:
            raise other.damage_error(f"matches, series {match.number}, seating {match.seating}: {why}")
        if row["saved"] is not None:
            take(row["saved"], row["sha256"])
        for failure in failures:
            if ledger.fail(*match.key, failure["why"], started=failure["started"], machine=failure["machine"]) >= TRIES:
                break  # some were of this ledger
        ledger.put_match(row)
        new += 1
    return new


def _field(ledger: Ledger, other: Ledger) -> list[Competitor]:
    """The entrants of both ledgers. The ledger with more entrants says which are present."""
    ours, theirs = ledger.entrants(), other.entrants()
    for old, new in zip(ours, theirs, strict=False):
        if (new.name, new.content) != (old.name, old.content):
            raise _other(ledger, other, f"bot {new.name}")
    if len(theirs) <= len(ours):
        return ours
    ledger.put(theirs)
    return theirs


def _other(ledger: Ledger, other: Ledger, what: str) -> UsageError:
    why = f"its {shorten(what)} is not that of {ledger.path}"
    return UsageError(f"{other.path}: {why}: shards need the same bots, play it again")
