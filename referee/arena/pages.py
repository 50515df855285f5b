"""The part that writes what the site shows and cannot work out itself: standings, bots over time, pages of matches on demand.

1. Standings are written at most every `STANDINGS` seconds, and take at most one part in `SHARE` of the time.
2. Each season has a tally of its matches, which is kept as a file. Only waves that have ended are added.
3. Pages of matches that somebody wants are written at once, the newest wish first, and are kept until there are more than
   `PAGES`. So is what bots were asked when they failed: the rules make these requests again, from saved games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import trio
from pydantic import TypeAdapter

from referee.arena import finals
from referee.arena.accounts import Accounts
from referee.arena.part import main, say
from referee.arena.seasons import Match, Seasons
from referee.arena.settings import SAVED, ArenaFiles
from referee.arena.state import now, read_json, read_state, write_json
from referee.arena.versions import Versions
from referee.errors import RefereeError
from referee.moments.evidence import request_bytes, request_to
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.markup import el, name
from referee.tournament.figures.pairs import both_orders
from referee.tournament.ledger import FILE as LEDGER
from referee.tournament.match_pages import Drawn, draw
from referee.tournament.tournament import Tournament
from referee.web.refusals import Refusal

LOOK: Final = 0.25
STANDINGS: Final = 10.0
"""Seconds between two standings."""
SHARE: Final = 10
APART: Final = 600.0
"""Seconds between two points of a rating over time."""
PAGES: Final = 1000
ASKED: Final = 60.0
"""Seconds for which a wish holds that no process has seen."""
LONGEST: Final = 10_000
"""Characters of a request."""
MEETINGS: Final = 5
"""Matches with each rival that a bot's page links to."""
POINTS: Final = 500
"""Points of a rating over time; of more, every second one is left out."""


@dataclass(slots=True)
class MapTally:
    """How an entrant did on a map."""

    matches: int = 0
    score: float = 0.0
    possible: int = 0
    faults: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class EntrantTally:
    """The matches of an entrant.

    Attributes:
        rivals: the last matches with each, the newest first.
    """

    maps: dict[str, MapTally] = field(default_factory=dict)
    rivals: dict[int, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """The matches of a season.

    Attributes:
        next: the number of the first series that is not in it. entrants: by number.
    """

    next: int = 1
    entrants: dict[int, EntrantTally] = field(default_factory=dict)

    def add(self, match: str, map_name: str, row: Mapping[str, Any]) -> None:
        """Add a match that was played.

        Args:
            match: its id. row: as a `MatchRow` has it.
        """
        seats = row["seats"]
        if any(seat["place"] is None for seat in seats):
            return  # void
        kinds = {fault["seat"]: fault["kind"] for fault in row["faults"]}
        for seat in seats:
            entrant = self.entrants.setdefault(seat["number"], EntrantTally())
            on_map = entrant.maps.setdefault(map_name, MapTally())
            on_map.matches += 1
            on_map.score += seat["score"]
            on_map.possible += len(seats) - 1
            if (kind := kinds.get(seat["seat"])) is not None:
                on_map.faults[kind] = on_map.faults.get(kind, 0) + 1
            for other in seats:
                if other["number"] != seat["number"]:
                    entrant.rivals[other["number"]] = [match, *entrant.rivals.get(other["number"], ())][:MEETINGS]

    def document(self, number: int, names: Mapping[int, str], pairs: Mapping[tuple[int, int], Any]) -> dict[str, Any]:
        """What a page shows of an entrant.

        Args:
            names: of those rivals that are shown, by number. pairs: see `both_orders`.
        """
        entrant = self.entrants.get(number, EntrantTally())
        rivals = [
            {"name": name, "score": score, "possible": possible, "matches": entrant.rivals.get(other, [])}
            for other, name in sorted(names.items())
            for score, possible in [pairs.get((number, other), (0, 0))]
            if possible
        ]
        maps = [{"map": name, **asdict(on_map)} for name, on_map in sorted(entrant.maps.items())]
        return {"rivals": rivals, "maps": maps}


TALLY: Final = TypeAdapter(Tally)
"""Reads and writes a tally as JSON."""


def with_point(points: Sequence[Sequence[Any]], point: Sequence[Any], *, apart: float) -> list[Sequence[Any]]:
    """A rating over time with one point more: time, rating, ends of its interval, version.

    Args:
        apart: seconds between two points; a later one of the same version replaces the last one before that.
    """
    course = list(points)
    if len(course) > 1 and course[-1][-1] == point[-1] and course[-1][0] - course[-2][0] < apart:
        course.pop()
    course.append(point)
    return course if len(course) <= POINTS else [*course[:-1:2], course[-1]]


def write_standings(files: ArenaFiles, versions: Versions, tournament: Tournament, path: Path, moment: float) -> None:
    """Write the standings of a season or of a final; of the season that is played also what there is about each bot.

    Args:
        path: the file of the standings.

    Raises:
        RefereeError: the ledger cannot be read. OSError: a file cannot be written.
    """
    season = tournament.folder.name
    with tournament.ledger.snapshot():
        if not tournament.ledger.begun:
            return
        table = tournament.table()
    active = {version.name: version.id for version in versions.all("state = 'active'")}
    rows = []
    for row in table["table"]:
        author, bot = row["name"].split("/", 1)
        rows.append({**row, "author": author, "bot": bot, "version": active.get(row["name"])})
    write_json(path, {"as_of": moment, "season": season, "table": rows})
    if path == files.standings:
        _write_bots(files, rows, both_orders(table["cross"]), _tally(files, tournament), moment)


def tables(files: ArenaFiles, season: int) -> dict[Path, str]:
    """The files of standings to write, and the folders that they are about: the season that is played, the finals, and the
    seasons that are over and have no table of their last match yet.
    """
    over = (f"{number}" for number in range(1, season))
    others = [*finals.names(files), *(folder for folder in over if _is_behind(files, folder))]
    return {files.standings: f"{season}"} | {files.standings_of(folder): folder for folder in others}


def _is_behind(files: ArenaFiles, folder: str) -> bool:
    """Whether a ledger was written after its standings. So the tables of old seasons are not worked out at each start."""
    ledger = files.seasons / folder / LEDGER
    return _written(files.standings_of(folder)) < max(_written(ledger), _written(Path(f"{ledger}-wal")))


def _written(path: Path) -> float:
    """When a file was written last; 0 if it is not there, as a journal often is not."""
    with suppress(FileNotFoundError):
        return path.stat().st_mtime
    return 0.0


def _write_bots(
    files: ArenaFiles,
    rows: Sequence[Mapping[str, Any]],
    pairs: Mapping[tuple[int, int], Any],
    tally: Tally,
    moment: float,
) -> None:
    """Write what there is about each bot, by the rows of the standings."""
    names = {row["number"]: row["name"] for row in rows}
    for row in rows:
        path = files.bot(row["name"])
        rating = read_json(path).get("rating", [])
        point = [moment, row["rating"], row["rating_low"], row["rating_high"], row["version"]]
        rating = rating if row["rating"] is None else with_point(rating, point, apart=APART)
        document = tally.document(row["number"], names, pairs)
        write_json(path, {"name": row["name"], "as_of": moment, "rating": rating, **document})


def _tally(files: ArenaFiles, tournament: Tournament) -> Tally:
    """The tally of a season, brought up to date."""
    path = files.pages / "tallies" / f"{tournament.folder.name}.json"
    tally = Tally()
    with suppress(OSError, ValueError):
        tally = TALLY.validate_json(path.read_bytes())
    first = tally.next
    with tournament.ledger.snapshot():  # matches of a wave that begins now do not end in order
        end = tournament.ledger.schedule.under_way()
        for match, row in tournament.ledger.played(first):
            if end is not None and match.number >= end:
                break
            tally.add(match.id, match.series.map, row)
            tally.next = match.number + 1
    if tally.next != first:
        write_json(path, TALLY.dump_python(tally))
    return tally


def write_match_page(files: ArenaFiles, match: Match, saved: Path) -> None:
    """Write the page of a match: an empty file if there can be none, so that nobody asks for it again and again.

    Raises:
        OSError: it cannot be written.
    """
    season, match_id = match.document["season"], match.document["id"]
    if match.page.exists():
        return
    match.page.parent.mkdir(parents=True, exist_ok=True)
    bots = list(dict.fromkeys(seat["name"] for seat in match.row["seats"]))
    others: list[tuple[str, str]] = []
    if finals.number(season):
        others.append((f"← {finals.title(season)}", f"/seasons/{season}"))
    others += [("← Standings", "/"), *((name(bot), f"/bots/{quote(bot, safe='/~')}") for bot in bots)]
    others.append(("saved game", f"/api/v1/matches/{season}/{quote(match_id, safe='')}{SAVED}"))
    links = [el("a", words, href=address, target="_top") for words, address in others]
    nav = el("nav", *links, id="links", aria_label="Other pages")
    file, sha256 = files.download(season, match_id), str(match.row["sha256"])
    try:
        wrong = draw(Drawn(saved, file, sha256, match.page, " – ".join(bots), nav))
    except RefereeError as failed:  # a mistake of the game
        wrong = str(failed)
    if wrong is not None:
        say(wrong)
        match.page.touch()


def write_requests(files: ArenaFiles, match: Match, saved: Path) -> None:
    """Write what bots were asked when they failed in a match, by seat.

    Raises:
        OSError: the file cannot be written.
    """
    path, asked = files.requests(match.document["season"], match.document["id"]), dict[int, str]()
    if path.exists():
        return
    with suppress(RefereeError):  # what cannot be read stays unknown
        replay = Replay(load(saved))
        for fault in match.row["faults"]:
            request = request_to(replay.state_at(fault["step"] - 1), fault["seat"]) if fault["step"] else None
            if request is not None:
                text = request_bytes(replay, request).decode(errors="backslashreplace")
                ends = f"{text[: LONGEST // 2]}\n…\n{text[-LONGEST // 2 :]}"
                asked[fault["seat"]] = text if len(text) <= LONGEST else ends
    write_json(path, asked)


def make(files: ArenaFiles, seasons: Seasons, wanted: str) -> None:
    """Make a file that the site wants, if the saved game of its match is kept.

    Args:
        wanted: the kind, the season and the id of the match: `matches/1/m1/arena/0#0` for its page, or `requests/…`.

    Raises:
        RefereeError: the ledger cannot be read. OSError: the file cannot be written.
    """
    kind, season, match_id = wanted.split("/", 2)
    with suppress(Refusal):
        match = seasons.match(season, match_id)
        if match.saved is not None:
            (write_match_page if kind == "matches" else write_requests)(files, match, match.saved)


async def work(files: ArenaFiles, _options: Mapping[str, Any]) -> None:
    """Write pages, for ever."""
    for page in files.matches.glob("*/*"):
        if page.stat().st_size <= len("{}"):  # it could not be made, perhaps by another version of the game
            page.unlink()
    with (
        closing(Accounts(files.accounts, now=now)) as accounts,
        closing(Seasons(files)) as seasons,
        closing(Versions(files.versions, writes=False)) as versions,
    ):
        last, since = None, now() - ASKED
        written, due = dict[Path, tuple[Tournament, int]](), 0.0
        while True:
            if (stamp := accounts.stamp) != last:
                last = stamp
                began = trio.current_time()
                wishes = accounts.wanted(since)
                since = wishes[0][1] if wishes else since
                for page, _ in wishes:
                    _try(partial(make, files, seasons, page))
                    # A crawler may want thousands: whoever waits asks again.
                    if trio.current_time() - began > STANDINGS:
                        break
                _forget(files.matches)
            state, began = read_state(files), trio.current_time()
            for path, folder in tables(files, state.season).items() if began >= due else ():
                if (tournament := seasons.season(folder)) is None:
                    continue
                version = tournament, tournament.ledger.stamp
                if version != written.get(path):
                    written[path] = version
                    _try(partial(write_standings, files, versions, tournament, path, now()))
                    due = trio.current_time() + max(STANDINGS, SHARE * (trio.current_time() - began))
            await trio.sleep(LOOK)


def _try(task: Callable[[], None]) -> None:
    """Do a task. What fails for one match or once is said, and is no reason to end."""
    try:
        task()
    except (RefereeError, OSError) as failed:
        say(str(failed))


def _forget(folder: Path) -> None:
    """Remove the oldest files about matches, if there are too many."""
    for kind in ("html", "json"):
        pages = sorted(folder.glob(f"*/*.{kind}"), key=lambda page: page.stat().st_mtime)
        for page in pages[: max(0, len(pages) - PAGES)]:
            page.unlink(missing_ok=True)


if __name__ == "__main__":
    main(work, background=True)
