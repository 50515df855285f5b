"""A season: a tournament folder whose `tournament.toml` is written here, again whenever a version becomes active or leaves.

1. Its head (all but the bots) follows from `arena.toml` and the season's seed. Other settings need another season, because a
   tournament must not change after its first match.
2. Bots are there by content: `entrants/CONTENT/` is their copy, which is moved from season to season.
3. A final is a round robin in a folder of its own, with a seed that is drawn when it is made. It stands by rating, as a season
   does: two bots of one author never meet, so percents are not about the same rivals. Duels are comparisons.
4. A round of a final has every group of bots once. It is repeated until a bot with the fewest rivals has played about `MATCHES`.
   The number of groups of k of n bots grows with the k-th power of n. If a round has more than `MOST` matches of a bot, the final
   is no whole round: each bot plays about `MATCHES`, with all rivals about equally often.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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
from referee.tournament.planning import Plan, planned
from referee.tournament.settings import FILE, LEAST_SEATS, Settings, settings_in
from referee.tournament.words import Rules, seatings

Form: TypeAlias = Literal["ladder", "round-robin", "compare"]
MANY: Final = 10**6
"""Bots of a field that decides no number of seats."""
DUEL: Final = 60
"""Series of a duel at most."""
MATCHES: Final = 200
"""Matches of a bot in a final: its percent is then known to about ± 7 (95 %). A version of the ladder may rest after as many."""
MOST: Final = 2 * MATCHES
"""Matches of a bot in one round of a final: a longer one is not played whole."""
Entries: TypeAlias = Mapping[str, str]
"""The bots of a tournament: the content of the copy of each, by its name."""


class FinalPlan(NamedTuple):
    """The plan of a final.

    Attributes:
        seats: of a match. each: the series that each bot plays at least. matches: of all bots.
    """

    seats: int
    each: int
    matches: int


def owner_of(name: str) -> str:
    """Whose bot it is, by its name."""
    return name.partition("/")[0]


def plan_of(files: ArenaFiles) -> Plan:
    """How matches are played.

    Raises:
        UsageError: the maps or the seats do not fit the game.
    """
    settings = files.settings
    tournament = Settings(name=settings.name, game=settings.game, bots=[], bot=[], match=settings.match)
    try:
        return planned(files.root, tournament, games.find(settings.game), 0, field=MANY)
    except UsageError as wrong:  # it speaks of a tournament's own file
        raise UsageError(str(wrong).replace(str(files.root / FILE), str(files.toml))) from None


def final_of(files: ArenaFiles, names: Iterable[str]) -> FinalPlan:
    """The plan of a final of the entrants with these names. A match has no more seats than there are owners.

    Raises:
        UsageError: there are too few owners for any match.
    """
    plan, owners = plan_of(files), list(map(owner_of, names))
    people = len(set(owners))
    if people < (least := max(LEAST_SEATS, plan.game.seats.start)):
        raise UsageError(f"a final needs bots of {least} authors that play, and there {_are(people)}")
    rules = _seated(plan)
    return final_plan(owners, replace(rules, seats=min(rules.seats, people)))


def final_plan(owners: Sequence[str], rules: Rules) -> FinalPlan:
    """The plan for bots of these owners, at least as many as a match has seats."""
    series = len(rules.maps) * rules.repeat
    matches = series * len(seatings(range(rules.seats), rules.seatings))
    lap = fewest(owners, rules.seats)
    if lap * matches > MOST:
        meetings = max(1, round(MATCHES / matches))
        total = -(-len(owners) * meetings // rules.seats) * matches
        return FinalPlan(rules.seats, meetings * series, total)
    rounds = max(1, round(MATCHES / (lap * matches)))
    return FinalPlan(rules.seats, rounds * lap * series, rounds * groups(owners, rules.seats) * matches)


def head(files: ArenaFiles, folder: Path, seed: int, form: Form, names: Iterable[str] = ()) -> str:
    """All of a `tournament.toml` but its bots.

    Args:
        folder: of this tournament. names: of the bots of a final.

    Raises:
        UsageError: the maps or the seats do not fit the game, or a final has bots of too few owners.
    """
    settings, plan = files.settings, plan_of(files)
    rules, match = _seated(plan), settings.match.model_dump(mode="json", exclude_none=True)
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
            tables["format"] = {"kind": form, "most": DUEL}
            tables["match"] = {key: value for key, value in match.items() if key not in ("seats", "seatings", "repeat")}
            tables["run"]["keep"] = "none"
    document = {"name": settings.name, "game": settings.game, "bots": [], **tables}
    return "\n".join(["# Written by the arena; `arena.toml` has the settings.", *toml_lines(document), ""])


def write(files: ArenaFiles, folder: Path, entries: Entries, form: Form = "ladder") -> None:
    """Write a `tournament.toml` if it is not there, or says something else. Its seed is drawn if there was none.

    Without bots there is none. If all have left, the last ones stay in the file: they have fewer owners than a match has seats.

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
    """Whether a tournament can go on with these settings, maps and rules: they are its own, or it has no ledger yet."""
    if not (folder / FILE).exists():
        return True
    try:
        with Ledger(folder, writes=False) as ledger:
            before = decisions(ledger)
    except NotBegun:
        return True
    seed = _seed(folder)
    if not (folder / FILE).read_text(encoding="utf-8").startswith(head(files, folder, seed, form)):
        return False
    try:
        planned(folder, settings_in(folder), games.find(files.settings.game), seed, before, field=MANY)
    except UsageError:  # the file of a map was edited, or the rules have another version
        return False
    return True


def is_full(files: ArenaFiles, folder: Path) -> bool:
    """Whether a season has had as many versions or matches as it may have. The next one begins with at most half as many."""
    try:
        with Ledger(folder, writes=False) as ledger:
            _, ended = ledger.schedule.matches()
            entrants = ledger.entrants()
    except NotBegun:
        return False
    most = max(files.settings.season.versions, 2 * sum(entrant.present for entrant in entrants))
    return len(entrants) >= most or ended >= files.settings.season.matches


def begin(files: ArenaFiles, folder: Path, entries: Entries, form: Form = "ladder") -> None:
    """Make a tournament of bots that are somewhere in this arena. It can be done again after it was broken off.

    Raises:
        As `write`.
    """
    for content in entries.values():
        bring(files, content, folder)
    write(files, folder, entries, form)


def bring(files: ArenaFiles, content: str, folder: Path) -> None:
    """Copy a bot's content to another tournament.

    Raises:
        UsageError: it is nowhere in this arena.
    """
    if has_copy(folder, content):
        return
    homes = (home for home in files.seasons.glob("*") if has_copy(home, content))
    if (home := next(homes, None)) is None:
        raise UsageError(f"{files.seasons} has no copy of content {content} any more")
    unpack(folder, content, pack(home, content))


def lacking(folder: Path, seats: int) -> str | None:
    """Why the ladder in a folder does not play yet, in words; None if it has bots of enough authors."""
    there = owners(folder)
    if there >= seats:
        return None
    return (
        f"matches begin when bots of {seats} authors play; now there {_are(there)}: two bots of one author never meet"
    )


def owners(folder: Path) -> int:
    """How many users have a bot in this tournament; 0 if its file cannot be used."""
    try:
        return len({owner_of(bot.name) for bot in settings_in(folder).bot if bot.name is not None})
    except UsageError:
        return 0


def _seated(plan: Plan) -> Rules:
    """The rules of a tournament with the seatings of the settings, or else those of the game's contests."""
    match = plan.settings.match
    given = "seatings" in match.model_fields_set
    return replace(plan.rules, seatings=match.seatings if given else plan.game.contest.seatings)


def _are(count: int) -> str:
    return f"is {count}" if count == 1 else f"are {count}"


def _seed(folder: Path) -> int:
    """The seed of a tournament; a new one if it has none.

    The seeds of its matches are published and follow from it, so it has more values than anybody can try.
    """
    path = folder / FILE
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    old = [line.removeprefix("rng_seed = ") for line in lines if line.startswith("rng_seed = ")]
    return int(old[0]) if old else secrets.randbelow(2**63)
