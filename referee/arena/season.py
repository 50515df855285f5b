"""A season: a tournament folder. Its `tournament.toml` is written here, each time when a version becomes active or leaves.

1. Its head (all but the bots) follows from `arena.toml` and the season's seed. Other settings need another season, because a
   tournament must not change after its first match.
2. The file names bots by content: `entrants/CONTENT/` is the copy of a bot. The next season copies it.
3. A final is a round robin in a folder of its own, with a seed that is drawn when it is made. The rating decides, as in a season:
   two bots of one author never meet, so percents are not about the same rivals. Duels are comparisons.
4. A round of a final has every group of bots once. It is repeated until the bot with the fewest rivals has played about
   `FINAL_MATCHES`. The number of groups of k of n bots grows with the k-th power of n. If a round has more than `MOST_MATCHES` of
   a bot, the final is no whole round: each bot plays about `FINAL_MATCHES`, with all rivals about equally often.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from referee import games
from referee.arena.settings import MIB, ArenaFiles
from referee.errors import UsageError
from referee.files.claims import write_whole
from referee.files.mapfiles import word_for
from referee.files.reading import at_home
from referee.tournament.copies import has_copy, pack, unpack
from referee.tournament.database import NotBegun
from referee.tournament.decisions import decisions
from referee.tournament.drafting import toml_lines
from referee.tournament.formats.design import fewest, groups
from referee.tournament.ledger import Ledger
from referee.tournament.mistakes import reworded
from referee.tournament.model import Rules, seatings
from referee.tournament.planning import Plan, make_plan
from referee.tournament.settings import FILE, LEAST_SEATS, Settings, settings_in

Form: TypeAlias = Literal["ladder", "round-robin", "compare"]
ANY_FIELD: Final = 10**6
"""A number of bots that does not limit the seats."""
DUEL_SERIES: Final = 60
"""The most series of a duel."""
FINAL_MATCHES: Final = 200
"""Matches of a bot in a final: its percent is then known to about ± 7 (95 %). A version of the ladder may rest after as many."""
MOST_MATCHES: Final = 2 * FINAL_MATCHES
"""Matches of a bot in the longest round of a final that is played whole."""
Entries: TypeAlias = Mapping[str, str]
"""The bots of a tournament: the content of each, by its name."""


class FinalPlan(NamedTuple):
    """The plan of a final.

    Attributes:
        seats: of a match. each: the least series of a bot. matches: of all bots.
    """

    seats: int
    each: int
    matches: int


def owner_of(entrant: str) -> str:
    """The owner of an entrant, by its name."""
    return entrant.partition("/")[0]


def plan_of(files: ArenaFiles) -> Plan:
    """The plan of all matches of an arena.

    Raises:
        UsageError: the maps or the seats do not fit the game.
    """
    settings = files.settings
    tournament = Settings(name=settings.name, game=settings.game, bots=[], bot=[], match=settings.match)
    try:
        return make_plan(files.root, tournament, games.find(settings.game), 0, field=ANY_FIELD)
    except UsageError as wrong:  # it names the file of a tournament
        raise reworded(wrong, lambda line: line.replace(str(files.root / FILE), str(files.toml))) from None


def final_of(files: ArenaFiles, names: Iterable[str]) -> FinalPlan:
    """The plan of a final of entrants, by their names. A match has no more seats than there are owners.

    Raises:
        UsageError: there are too few owners for any match.
    """
    plan, owners = plan_of(files), list(map(owner_of, names))
    people = len(set(owners))
    if people < (least := max(LEAST_SEATS, plan.game.seats.start)):
        raise UsageError(f"a final needs bots of {least} authors that play (now {people})")
    rules = _with_seatings(plan)
    return final_plan(owners, replace(rules, seats=min(rules.seats, people)))


def final_plan(owners: Sequence[str], rules: Rules) -> FinalPlan:
    """The plan of a final (theory, point 4).

    Args:
        owners: of each bot; at least as many as a match has seats.
    """
    series = len(rules.maps) * rules.repeat
    matches = series * len(seatings(range(rules.seats), rules.seatings))  # of a group
    fewest_groups = fewest(owners, rules.seats)  # of a bot in a round
    if fewest_groups * matches > MOST_MATCHES:
        meetings = max(1, round(FINAL_MATCHES / matches))
        return FinalPlan(rules.seats, meetings * series, ceil(len(owners) * meetings / rules.seats) * matches)
    rounds = max(1, round(FINAL_MATCHES / (fewest_groups * matches)))
    return FinalPlan(rules.seats, rounds * fewest_groups * series, rounds * groups(owners, rules.seats) * matches)


def head(files: ArenaFiles, folder: Path, seed: int, form: Form, names: Iterable[str] = ()) -> str:
    """All of a `tournament.toml` but its bots.

    Args:
        folder: of this tournament. names: of the bots of a final.

    Raises:
        UsageError: the maps or the seats do not fit the game, or a final has bots of too few owners.
    """
    settings, plan = files.settings, plan_of(files)
    rules, match = _with_seatings(plan), settings.match.model_dump(mode="json", exclude_none=True)
    match |= {"seats": rules.seats, "seatings": rules.seatings}
    if "memory" in match:
        match["memory"] = f"{match['memory'] // MIB}M"
    if "maps" in match:
        match["maps"] = [word_for(folder, word, files.root) for word in match["maps"]]
    if "python" in match:
        match["python"] = os.path.relpath(files.root / at_home(match["python"]), folder)
    order = {"order": "points"} if plan.game.contest.order == "points" else {}
    tables: dict[str, dict[str, Any]] = {"match": match, "run": {"rng_seed": seed, "keep": settings.season.keep}}
    match form:
        case "ladder":
            tables["format"] = {"kind": form, "rest": settings.season.rest, "ahead": 0, **order}
        case "round-robin":
            final = final_of(files, names)
            match["seats"] = final.seats
            tables["format"] = {"kind": form, "each": final.each, "order": "rating", **order}
            tables["run"]["keep"] = "all"
        case "compare":
            tables["format"] = {"kind": form, "most": DUEL_SERIES}
            tables["match"] = {key: value for key, value in match.items() if key not in ("seats", "seatings", "repeat")}
            tables["run"]["keep"] = "none"
    document = {"name": settings.name, "game": settings.game, "bots": [], **tables}
    return "\n".join(["# Written by the arena; `arena.toml` has the settings.", *toml_lines(document), ""])


def write(files: ArenaFiles, folder: Path, entries: Entries, form: Form = "ladder") -> None:
    """Write a `tournament.toml` unless it is the same already. A new one gets a new seed.

    A file without bots could not be read, so the last bot stays in it. It cannot play alone.

    Raises:
        UsageError: the settings do not fit. OSError: it cannot be written.
    """
    if not entries:
        return
    folder.mkdir(parents=True, exist_ok=True)
    lines = [head(files, folder, _seed(folder), form, entries)]
    for name, content in entries.items():
        lines += ["[[bot]]", *toml_lines({"content": content, "name": name}), ""]
    text, path = "\n".join(lines), folder / FILE
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)


def fits(files: ArenaFiles, folder: Path, form: Form = "ladder") -> bool:
    """Whether a tournament can go on: it has these settings, maps and rules, or no tour yet."""
    if not (folder / FILE).exists():
        return True
    try:
        with Ledger(folder, writes=False) as ledger:
            before = decisions(ledger)
    except NotBegun:
        return True
    if before is None:
        return True
    seed = _seed(folder)
    if not (folder / FILE).read_text(encoding="utf-8").startswith(head(files, folder, seed, form)):
        return False
    try:
        make_plan(folder, settings_in(folder), games.find(files.settings.game), seed, before, field=ANY_FIELD)
    except UsageError:  # the file of a map was edited, or the rules have another version
        return False
    return True


def is_full(files: ArenaFiles, folder: Path) -> bool:
    """Whether a season has had its versions or matches. The next one begins with at most half as many."""
    try:
        with Ledger(folder, writes=False) as ledger:
            _, ended = ledger.schedule.matches()
            entrants = ledger.entrants()
    except NotBegun:
        return False
    most = max(files.settings.season.versions, 2 * sum(entrant.present for entrant in entrants))
    return len(entrants) >= most or ended >= files.settings.season.matches


def begin(files: ArenaFiles, folder: Path, entries: Entries, form: Form = "ladder") -> None:
    """Make a tournament of bots that have a copy in this arena. It can be repeated after an interruption.

    Raises:
        See `write`.
    """
    for content in entries.values():
        copy(files, content, folder)
    write(files, folder, entries, form)


def copy(files: ArenaFiles, content: str, folder: Path) -> None:
    """Copy a bot's content to another tournament.

    Raises:
        UsageError: no season has it.
    """
    if has_copy(folder, content):
        return
    season = next((season for season in files.seasons.glob("*") if has_copy(season, content)), None)
    if season is None:
        raise UsageError(f"{files.seasons} has no copy of content {content} any more")
    unpack(folder, content, pack(season, content))


def why_idle(folder: Path, seats: int) -> str | None:
    """Why the ladder in a folder does not play yet, in words; None if it has bots of enough authors."""
    if (count := owners(folder)) >= seats:
        return None
    return f"matches begin when bots of {seats} authors play (now {count}): two bots of one author never meet"


def owners(folder: Path) -> int:
    """How many users have a bot in this tournament; 0 if its file cannot be used."""
    try:
        return len({owner_of(bot.name) for bot in settings_in(folder).bot if bot.name is not None})
    except UsageError:
        return 0


def _with_seatings(plan: Plan) -> Rules:
    """The rules of a tournament with the seatings of the settings, or else those of the game's contests."""
    match = plan.settings.match
    chosen = match.seatings if "seatings" in match.model_fields_set else plan.game.contest.seatings
    return replace(plan.rules, seatings=chosen)


def _seed(folder: Path) -> int:
    """The seed of a tournament; a new one if it has none.

    The seeds of its matches are published and follow from it, so it has more values than anybody can try.
    """
    path = folder / FILE
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    old = [line.removeprefix("rng_seed = ") for line in lines if line.startswith("rng_seed = ")]
    return int(old[0]) if old else secrets.randbelow(2**63)
