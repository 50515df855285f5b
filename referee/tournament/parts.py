"""Parts: the ledgers of shards, and how they are united.

1. Shard i of n plays the series whose place in the schedule is i - 1 modulo n. So the whole schedule must be known before the
   first match: formats whose tours depend on results have no shards.
2. A part has the whole schedule and the matches of its shard. It begins with what the tournament's ledger has. `PART.files`
   beside it holds the copies of its bots and its saved games. A shard writes nothing into the tournament's folder, so shards
   never wait for each other.
3. Two ledgers belong together if they have the same settings (`Plan.decides`), the same entrant under each number that both
   have, and the same series at each place that both have. Then they are united match by match. A match that is there stays.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.errors import BotError, UsageError
from referee.game import Game
from referee.names import shorten
from referee.tournament import ledger as ledgers
from referee.tournament import settings as toml
from referee.tournament.field import Candidate, Unready
from referee.tournament.formats import Format
from referee.tournament.formats.compare import Compare
from referee.tournament.ledger import Ledger
from referee.tournament.planning import DECIDES, changed, planned
from referee.tournament.playing import GAMES
from referee.tournament.settings import Settings
from referee.tournament.words import Shard

_KINDS: Final = frozenset({"round-robin", "gauntlet", "compare"})
"""The formats whose schedule does not depend on results."""
_SHARD: Final = "shard"
"""The fact of a part that says which shard it is of."""
_OTHER: Final = """
SELECT 'bot ' || new.name FROM part.entrants AS new JOIN main.entrants AS old USING (number)
WHERE (new.name, new.content) != (old.name, old.content)
UNION ALL SELECT 'series ' || new.key FROM part.series AS new JOIN main.series AS old USING (number)
WHERE (new.key, new.tour, new.seatings) != (old.key, old.tour, old.seatings)
"""
_NEW: Final = """
SELECT series, seating, saved FROM part.matches WHERE (series, seating) NOT IN (SELECT series, seating FROM main.matches)
"""
_UNION: Final = (
    # Who is present is taken from the ledger that knows more entrants.
    "REPLACE INTO main.entrants SELECT * FROM part.entrants "
    "WHERE (SELECT count(*) FROM part.entrants) > (SELECT count(*) FROM main.entrants)",
    "INSERT OR IGNORE INTO main.tours SELECT * FROM part.tours",
    "INSERT OR IGNORE INTO main.series SELECT * FROM part.series",
    f"INSERT INTO main.failures SELECT failures.* FROM part.failures JOIN ({_NEW}) USING (series, seating)",
    "INSERT OR IGNORE INTO main.matches SELECT * FROM part.matches",
)


class Part(NamedTuple):
    """The ledger of a shard."""

    path: Path
    shard: Shard

    @property
    def files(self) -> Path:
        """The folder of its bots, its saved games and its lock."""
        return _files_of(self.path)

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
    """What became of a part: its shard, and how many of its matches are new."""

    shard: Shard
    new: int


def _files_of(part: Path) -> Path:
    """The folder beside a part."""
    return part.with_name(f"{part.name}.files")


def begin(ledger: Ledger, folder: Path, settings: Settings, part: Part) -> None:
    """Begin a part, or go on with it: take over what the tournament's ledger has.

    Args:
        ledger: the part's. folder: the tournament's.

    Raises:
        UsageError: the tournament has no shards, or the file is no part of it.
    """
    _seed(folder, settings)
    known = ledger.fact(_SHARD)
    if known is None and ledger.fact(DECIDES) is None:
        ledger.keep(_SHARD, str(part.shard))
    elif known != str(part.shard):
        raise UsageError(f"{part.path} is {f'of shard {known}' if known else 'no part'}: choose another file with -o")
    whole = folder / ledgers.FILE
    if whole.exists():
        with Ledger(folder, writes=False) as found:
            told = found.fact(DECIDES)
        if told is not None:
            _check_same(part.path, json.loads(ledger.fact(DECIDES) or told), json.loads(told), whole)
            ledger.keep(DECIDES, told)
            _unite(ledger, whole, lambda _saved: None)


def check_field(ledger: Ledger, part: Part, ready: Collection[Candidate], unready: Sequence[Unready]) -> None:
    """Check that the numbers of the entrants will be the same in all shards.

    Raises:
        BotError: a bot cannot play. UsageError: the bots have changed since the schedule was made.
    """
    if unready:
        one = unready[0]
        raise BotError(f"{one.name} cannot play, and a shard needs all bots: {one.why.splitlines()[0]}")
    before = {(one.name, one.content) for one in ledger.entrants() if one.present}
    other = sorted(name for name, _ in before ^ {(one.name, one.content) for one in ready})
    if other and any(ledger.unplayed()):
        raise UsageError(
            f"{part.path}: {shorten(other[0])} has changed since the schedule was made: change it back, or begin anew with "
            "another -o"
        )


def schedule(ledger: Ledger, format_: Format) -> None:
    """Write the whole schedule (theory, point 1)."""
    field, history, results = ledger.entrants(), ledger.tours(), ledger.results()
    while isinstance(format_, Compare) or not any(ledger.unplayed()):
        tour = format_.next_tour(field, history, results)
        if tour is None:
            break
        ledger.add_tour(tour)
        history.append(tour)


def unplayed(ledger: Ledger, total: int) -> Counter[Shard]:
    """How many matches of each shard are not played, if there are so many shards."""
    return Counter(Shard.of(match.number - 1, total) for match in ledger.unplayed())


def merge(ledger: Ledger, folder: Path, settings: Settings, game: Game[Any, Any], path: Path) -> Merged:
    """Take over the matches of a part and their saved games.

    Raises:
        UsageError: the file is no part, or it has other settings or bots. Nothing of it was taken.
    """

    def take(saved: str) -> None:
        name = Path(saved).name
        source, target = _files_of(path) / GAMES / name, folder / GAMES / name
        try:
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)
        except OSError as failed:
            raise UsageError(
                f"{path}: the saved game {source} cannot be copied to {target} ({failed.strerror}): "
                f"{_files_of(path).name} must be beside the part"
            ) from None

    try:
        shard, theirs, field = _told(path)
        seats = theirs["match"]["seats"]
        plan = planned(folder, settings, game, _seed(folder, settings), seats=seats, field=field)
        _check_same(path, theirs, json.loads(json.dumps(plan.decides())), folder / toml.FILE)
        if (ours := ledger.fact(DECIDES)) is not None:
            _check_same(path, theirs, json.loads(ours), ledger.path)
        ledger.keep(DECIDES, json.dumps(theirs))
        return Merged(shard, _unite(ledger, path, take))
    except sqlite3.Error as failed:
        raise UsageError(
            f"{path} cannot be merged with {ledger.path} ({failed}): copy the part again, or free space"
        ) from None


def _told(path: Path) -> tuple[Shard, dict[str, Any], int]:
    """What a part says: its shard, its settings, and how many bots take part."""
    if not path.is_file():
        raise UsageError(f"there is no part {path}: `referee tournament run DIR --shard … -o {path}` makes it")
    with Ledger(path.parent, writes=False, part=path) as part:
        shard, decides = part.fact(_SHARD), part.fact(DECIDES)
        field = sum(one.present for one in part.entrants())
    if shard is None or decides is None:
        raise UsageError(
            f"{path} is no part, or has not begun: `referee tournament run DIR --shard … -o PART` makes one"
        )
    number, _, total = shard.partition("/")
    return Shard(int(number), int(total)), json.loads(decides), field


def _seed(folder: Path, settings: Settings) -> int:
    """The seed of a tournament that has shards.

    Raises:
        UsageError: it has none.
    """
    kind, seed = settings.format.kind, settings.run.rng_seed
    if kind not in _KINDS:
        raise UsageError(
            f"{folder / toml.FILE}: format.kind: the tours of a {kind} depend on results, so it has no shards: "
            "run it without --shard"
        )
    if seed is None:
        raise UsageError(
            f"{folder / toml.FILE}: run.rng_seed: missing: all shards need the same; add a number, such as rng_seed = 11"
        )
    return seed


def _check_same(path: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any], where: Path) -> None:
    """Check that the settings of a part are those in another file.

    Raises:
        UsageError: they are not; the message names the key.
    """
    if (key := changed(theirs, ours)) is not None:
        raise UsageError(
            f"{path} was played with another {key} than {where} says: play it again with the same settings"
        )


def _unite(ledger: Ledger, other: Path, take: Callable[[str], None]) -> int:
    """Take over what another ledger has. Returns how many matches are new.

    Args:
        take: gets the path of each new saved game.

    Raises:
        UsageError: an entrant or a series has another number there.
    """
    with ledger.beside(other) as tables:
        if (found := tables.execute(_OTHER).fetchone()) is not None:
            raise UsageError(
                f"{other}: its {shorten(found[0])} is not that of {ledger.path}: shards need the same bots, play it again"
            )
        new = tables.execute(_NEW).fetchall()
        for _, _, saved in new:
            if saved is not None:
                take(saved)
        for statement in _UNION:
            tables.execute(statement)
    return len(new)
