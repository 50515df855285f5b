"""The part that computes what the site shows: standings, figures of bots, pages of matches on demand.

1. Standings are written at most every `STANDINGS_PERIOD` seconds. They take at most a tenth of the time.
2. Each season has a file with a tally of its matches. Only waves that have ended are added.
3. Pages of matches are written on demand, the newest request first. The newest `MOST_PAGES` are kept. The requests that bots
   failed to answer are written in the same way: the rules make them again from saved games.
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
from referee.arena.accounts import WANTED_TERM, Accounts
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
from referee.tournament.figures.sums import both_orders
from referee.tournament.ledger import FILE as LEDGER
from referee.tournament.match_pages import Drawn, draw
from referee.tournament.tournament import Tournament
from referee.web.refusals import Refusal

POLL: Final = 0.25
STANDINGS_PERIOD: Final = 10.0
RATING_PERIOD: Final = 600.0
"""The least seconds between two points of a version's rating over time. Until then, a new point replaces the last one."""
MOST_RATINGS: Final = 500
"""Points of a rating over time. If there are more, every second one is removed."""
MOST_PAGES: Final = 1000
MOST_CHARACTERS: Final = 10_000
"""Of a request that is shown."""
MEETINGS: Final = 5
"""Matches with each rival that a bot's page links to."""


@dataclass(slots=True)
class MapTally:
    """The results of an entrant on a map."""

    matches: int = 0
    score: float = 0.0
    possible: int = 0
    faults: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class EntrantTally:
    """The results of an entrant. `rivals` has the last matches with each rival, by its number, the newest first."""

    maps: dict[str, MapTally] = field(default_factory=dict)
    rivals: dict[int, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """The results of a season.

    Attributes:
        next: the number of the first series that is not counted. entrants: by number.
    """

    next: int = 1
    entrants: dict[int, EntrantTally] = field(default_factory=dict)

    def add(self, match: str, map_name: str, row: Mapping[str, Any]) -> None:
        """Count a match, by its id, its map and its `MatchRow`."""
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
                if (rival := other["number"]) != seat["number"]:
                    entrant.rivals[rival] = [match, *entrant.rivals.get(rival, ())][:MEETINGS]

    def document(self, number: int, names: Mapping[int, str], pairs: Mapping[tuple[int, int], Any]) -> dict[str, Any]:
        """The figures of an entrant that its page shows.

        Args:
            names: of the rivals to show, by number. pairs: see `both_orders`.
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


def with_point(points: Sequence[Sequence[Any]], point: Sequence[Any]) -> list[Sequence[Any]]:
    """A rating over time with another point: time, rating, low and high end of its interval, version."""
    history = list(points)
    if len(history) > 1 and history[-1][-1] == point[-1] and history[-1][0] - history[-2][0] < RATING_PERIOD:
        history.pop()
    history.append(point)
    return history if len(history) <= MOST_RATINGS else [*history[:-1:2], history[-1]]


def write_standings(files: ArenaFiles, versions: Versions, tournament: Tournament, path: Path, moment: float) -> None:
    """Write the standings of a season or of a final to `path`; for the current season, write the figures of each bot, too.

    Raises:
        RefereeError: the ledger cannot be read. OSError: a file cannot be written.
    """
    with tournament.ledger.snapshot():
        if not tournament.ledger.begun:
            return
        table = tournament.table()
    active = {version.name: version.id for version in versions.all("state = 'active'")}
    rows = []
    for row in table["table"]:
        author, bot = row["name"].split("/", 1)
        rows.append({**row, "author": author, "bot": bot, "version": active.get(row["name"])})
    write_json(path, {"as_of": moment, "season": tournament.folder.name, "table": rows})
    if path != files.standings:
        return
    tally, pairs = _tally(files, tournament), both_orders(table["cross"])
    names = {row["number"]: row["name"] for row in rows}
    for row in rows:
        rating = read_json(files.bot(row["name"])).get("rating", [])
        if row["rating"] is not None:
            point = [moment, row["rating"], row["rating_low"], row["rating_high"], row["version"]]
            rating = with_point(rating, point)
        figures = tally.document(row["number"], names, pairs)
        write_json(files.bot(row["name"]), {"name": row["name"], "as_of": moment, "rating": rating, **figures})


def tables(files: ArenaFiles, season: int) -> dict[Path, str]:
    """The files of standings to write, and the folder of each: of the current season, of the finals, and of earlier seasons."""
    others = [*finals.names(files), *(f"{number}" for number in range(1, season))]
    return {files.standings: f"{season}"} | {files.standings_of(folder): folder for folder in others}


def _is_current(path: Path, season: Path) -> bool:
    """Whether a table was begun after the last match of its season, so that it need not be made again, which may take seconds."""
    ledger = season / LEDGER
    last = ledger.stat().st_mtime
    with suppress(FileNotFoundError):
        journal = Path(f"{ledger}-wal").stat()
        last = max(last, journal.st_mtime if journal.st_size else 0)  # whoever opens a ledger makes an empty one
    return bool(read_json(path).get("as_of", 0) > last)


def _tally(files: ArenaFiles, tournament: Tournament) -> Tally:
    """The tally of a season, with all matches of waves that have ended."""
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
    """Write the page of a match. If that is impossible, the file is empty, so that it is not tried again and again.

    Raises:
        OSError: it cannot be written.
    """
    season, match_id = match.document["season"], match.document["id"]
    if match.page.exists():
        return
    match.page.parent.mkdir(parents=True, exist_ok=True)
    bots = list(dict.fromkeys(seat["name"] for seat in match.row["seats"]))
    targets: list[tuple[str, str]] = []
    if finals.number(season):
        targets.append((f"← {finals.title(season)}", f"/seasons/{season}"))
    targets.append(("← Standings", "/"))
    targets += ((name(bot), f"/bots/{quote(bot, safe='/~')}") for bot in bots)
    targets.append(("saved game", f"/api/v1/matches/{season}/{quote(match_id, safe='')}{SAVED}"))
    links = [el("a", text, href=target, target="_top") for text, target in targets]
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
    """Write the requests that bots failed to answer in a match, by seat.

    Raises:
        OSError: the file cannot be written.
    """
    path, requests = files.requests(match.document["season"], match.document["id"]), dict[int, str]()
    if path.exists():
        return
    with suppress(RefereeError):  # requests of a damaged saved game stay unknown
        replay = Replay(load(saved))
        for fault in match.row["faults"]:
            request = request_to(replay.state_at(fault["step"] - 1), fault["seat"]) if fault["step"] else None
            if request is not None:
                text = request_bytes(replay, request).decode(errors="backslashreplace")
                if len(text) > MOST_CHARACTERS:
                    text = f"{text[: MOST_CHARACTERS // 2]}\n…\n{text[-MOST_CHARACTERS // 2 :]}"
                requests[fault["seat"]] = text
    write_json(path, requests)


def make(files: ArenaFiles, seasons: Seasons, page: str) -> None:
    """Make a file on demand, if the saved game of its match is kept.

    Args:
        page: the kind, the season and the id of the match: `matches/1/m1/arena/0#0` for its page, or `requests/…`.

    Raises:
        RefereeError: the ledger cannot be read. OSError: the file cannot be written.
    """
    kind, season, match_id = page.split("/", 2)
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
        Accounts(files.accounts, now=now) as accounts,
        closing(Seasons(files)) as seasons,
        Versions(files.versions, writes=False) as versions,
    ):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_make_on_demand, files, accounts, seasons)
            nursery.start_soon(_keep_standings, files, versions, seasons)


async def _make_on_demand(files: ArenaFiles, accounts: Accounts, seasons: Seasons) -> None:
    """Make what is requested, for ever (theory, point 3)."""
    last, since = None, now() - WANTED_TERM
    while True:
        if (stamp := accounts.stamp) != last:
            last, began = stamp, trio.current_time()
            if since > now():  # the clock was put back
                since = now() - WANTED_TERM
            demands = accounts.page_requests(since)
            since = demands[0][1] if demands else since
            for page, _ in demands:
                _try(partial(make, files, seasons, page))
                # A crawler may request thousands; a reader asks again.
                if trio.current_time() - began > STANDINGS_PERIOD:
                    break
            if demands:
                _remove_oldest(files.matches)
        await trio.sleep(POLL)


async def _keep_standings(files: ArenaFiles, versions: Versions, seasons: Seasons) -> None:
    """Write the standings of all ledgers that have changed, for ever (theory, point 1)."""
    written = dict[Path, tuple[Tournament, int]]()
    while True:
        began, pause = trio.current_time(), POLL
        for path, folder in tables(files, read_state(files).season).items():
            if (tournament := seasons.season(folder)) is None:
                continue
            version = tournament, tournament.ledger.stamp
            if path not in written and path != files.standings and _is_current(path, tournament.folder):
                written[path] = version
            if version != written.get(path):
                written[path] = version
                _try(partial(write_standings, files, versions, tournament, path, now()))
                pause = max(STANDINGS_PERIOD, 10 * (trio.current_time() - began))
        await trio.sleep(pause)


def _try(task: Callable[[], None]) -> None:
    """Do a task, and say why it failed. This part goes on, because other matches may be readable and the disk may get space."""
    try:
        task()
    except (RefereeError, OSError) as failed:
        say(str(failed))


def _remove_oldest(folder: Path) -> None:
    for kind in ("html", "json"):
        pages = sorted(folder.glob(f"*/*.{kind}"), key=lambda page: page.stat().st_mtime)
        for page in pages[:-MOST_PAGES]:
            page.unlink(missing_ok=True)


if __name__ == "__main__":
    main(work, background=True)
