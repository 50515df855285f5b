"""What the pages and the API of an arena share: its files, the user of a request, the public facts about a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

import anyio
from starlette.requests import Request
from typing_extensions import override

from referee.arena.access import may_inspect, owner_name, without_paths
from referee.arena.drafts import Drafts
from referee.arena.overview import Overview
from referee.arena.rows import Upload, User
from referee.arena.seasons import Match, names_of
from referee.arena.settings import ArenaFiles, Stage
from referee.arena.state import ArenaState, read_json, read_state
from referee.arena.versions import State, Version, check_unchanged
from referee.arena.web.sessions import Sessions
from referee.errors import RefereeError, SavedGameError
from referee.saved.record import ends
from referee.tournament.database import DiskError
from referee.web.answers import Refusal, whole
from referee.web.events import Events

MOST_NEWS: Final = 5
"""Matches that are published at a time: of hundreds a second, nobody reads more."""
MOST_STREAMS: Final = 1000
"""Open streams of events. Browsers do not try again after a refusal."""
ADDRESS_STREAMS: Final = 200
"""Open streams from one address, which a whole class may have."""
Content = TypeVar("Content")


class Current(Generic[Content]):
    """The content of a file that other parts replace. It is read again only after it was replaced."""

    def __init__(self, path: Path, read: Callable[[], Content]) -> None:
        self._path, self._read = path, read
        self._last: tuple[object, Content] | None = None

    def now(self) -> Content:
        """The current content."""
        stamp = stamp_of(self._path)
        if self._last is None or stamp != self._last[0]:
            self._last = stamp, self._read()
        return self._last[1]


class Site(Overview):
    """An arena while it is served. `origins` are those of its pages, the best known first."""

    def __init__(
        self, files: ArenaFiles, *, origins: Sequence[str], now: Callable[[], float], behind_proxy: bool = False
    ) -> None:
        check_unchanged(files)
        super().__init__(files, now=now)
        self.origins = origins
        self.drafts = Drafts(files.drafts, writes=True)
        self.sessions = Sessions(self.accounts, now=now, behind_proxy=behind_proxy)
        self.events = Events(MOST_STREAMS, each=ADDRESS_STREAMS, last=int(now() * 1000))
        self._state = Current(files.state, partial(read_state, files))
        self._standings = Current(files.standings, partial(read_json, files.standings))
        self._thread = anyio.CapacityLimiter(1)

    @override
    def close(self) -> None:
        self.events.close()
        self.drafts.close()
        super().close()

    @property
    def state(self) -> Stage:
        """The stage of the arena."""
        return self.at_present().state

    @override
    def at_present(self) -> ArenaState:
        try:
            return self._state.now()
        except RefereeError:  # nobody may upload to a damaged arena
            return ArenaState(state="closed")

    @property
    def standings(self) -> dict[str, Any]:
        """`{as_of, season, table}`, as the pages part has written it."""
        return self._standings.now() or {"as_of": None, "season": str(self.at_present().season), "table": []}

    @override
    def table_of(self, folder: str) -> list[Mapping[str, Any]]:
        """The table of a final, or of a season that is over, as the pages part has written it; empty until then."""
        rows: list[Mapping[str, Any]] = read_json(self.files.standings_of(folder)).get("table", [])
        return rows

    @property
    def tables_stamp(self) -> object:
        """It changes with the stage of the arena, and when the standings or the table of the final are written."""
        state = self.at_present()
        final = None if state.final is None else stamp_of(self.files.standings_of(state.final))
        return state.state, self.standings["as_of"], final

    def version(self, upload: Upload) -> Version:
        """The version of an upload, also before intake has seen it."""
        state: State = "withdrawn" if upload.deleted else "waiting"
        return self.versions.get(upload.id) or Version(upload.id, state, changed=upload.created)

    def evidence(self, version: Version) -> dict[str, Any]:
        """The error, the steps of the check, and the compiler output of a version, for those who may inspect it."""
        evidence = {"steps": [], "compiler": None} | self.versions.evidence(version.id)
        return {"error": self.error(version), **without_paths(evidence, self.files.root)}

    def error(self, version: Version) -> str | None:
        """Why a version failed, for those who may inspect it. It needs no evidence, which takes long to read."""
        return cast(str | None, without_paths(version.error, self.files.root))

    async def make(self, pages: Mapping[str, Path], patience: float) -> None:
        """Ask the pages part for files (`pages.make`), and wait until they exist, or for so many seconds."""
        with suppress(DiskError):  # on a full disk, readers see what there is
            for page in pages:
                self.accounts.want(page)
        with anyio.move_on_after(patience):
            while not all(file.exists() for file in pages.values()):  # noqa: ASYNC110 - another process makes them
                await anyio.sleep(0.1)

    async def digest(self, match: Match) -> str | None:
        """The digest of the final position of a match; None if its saved game is not kept or has none."""
        if match.saved is not None:
            with suppress(SavedGameError):
                return await self.in_thread(_digest_in, match.saved, match.row["sha256"])
        return None

    async def in_thread(self, work: Callable[..., Content], *values: Any) -> Content:
        """The result of a function that takes long, one at a time. The site answers other requests meanwhile."""
        return await anyio.to_thread.run_sync(work, *values, limiter=self._thread)

    def upload(self, request: Request, *, inspect: bool = False) -> Upload:
        """The upload that an address names by its `id`.

        Args:
            inspect: the user must be allowed to see its source and evidence.

        Raises:
            Refusal: there is none, or the user may not see it.
        """
        number = whole(request.path_params["id"])
        upload = None if number is None else self.accounts.upload(number)
        if upload is None or (inspect and not may_inspect(viewer(request), upload)):
            raise Refusal("not_found", "there is no such version")
        return upload

    def bot(self, author: str, bot: str) -> list[Upload]:
        """The versions of a bot, the oldest first, by the shown name of its author.

        Raises:
            Refusal: there is none.
        """
        user: str | int | None = author
        if self.settings.anonymous:
            user = whole(author[1:]) if author.startswith("~") else None
        column = "id" if self.settings.anonymous else "name"
        uploads = self.accounts.uploads(f"users.{column} = ? AND bots.name = ?", [user, bot])
        if not uploads:
            raise Refusal("not_found", "there is no such bot")
        return uploads

    def describe(self, upload: Upload, version: Version) -> dict[str, Any]:
        """The public facts about a version."""
        return {
            "id": upload.id,
            "author": owner_name(self.settings, upload.author, upload.author_id),
            "bot": upload.bot,
            "number": upload.number,
            "state": version.state,
            "created": moment(upload.created),
            "sha256": upload.sha256,
            "entrant": version.content,
        }


@lru_cache(4096)  # to find a digest, a whole saved game is unpacked
def _digest_in(saved: Path, _sha256: str) -> str | None:
    """The digest in a saved game with this SHA-256. Raises: SavedGameError."""
    _, result = ends(saved)
    return result.digest if result else None


def stamp_of(path: Path) -> tuple[int, int] | None:
    """It changes when a file is replaced; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def viewer(request: Request) -> User | None:
    """The user of a request; None for a stranger."""
    user: User | None = request.scope["user"]
    return user


def signed_in_user(request: Request) -> User:
    """The user of a request.

    Raises:
        Refusal: a stranger.
    """
    if (user := viewer(request)) is None:
        raise Refusal("unauthorized", "sign in first: send the session's cookie, or a Bearer key")
    return user


def moment(seconds: float) -> str:
    """Seconds since 1970 as a date and time."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Watch:
    """Publishes the changes in the files of the other parts, as live events: each difference from the state at the last check.

    SQLite has a number (`data_version`) that changes when another process has written, so a check costs almost nothing.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self._since = site.now()
        self._versions: int | None = None
        self._tables = site.tables_stamp
        self._ledger: tuple[str, int] | None = None
        self._matches: set[tuple[str, str]] | None = None

    async def run(self) -> None:
        """Check for ever. A file that cannot be read now is checked again."""
        while True:
            with suppress(RefereeError):
                self.check()
            await anyio.sleep(0.5)

    def check(self) -> None:
        """Publish the changes since the last check."""
        self._publish_versions()
        self._publish_matches()
        if (tables := self.site.tables_stamp) != self._tables:
            self._tables, standings = tables, self.site.standings
            self.site.events.publish("standings", {"as_of": standings["as_of"], "season": standings["season"]})

    def _publish_versions(self) -> None:
        if (stamp := self.site.versions.stamp) == self._versions:
            return
        self._versions = stamp
        if self._since > (now := self.site.now()):  # the clock was put back
            self._since = now - 60  # an event that comes twice does no harm
        for version in self.site.versions.all("changed > ?", [self._since]):
            self._since = max(self._since, version.changed)
            if (upload := self.site.accounts.upload(version.id)) is not None:
                self.site.events.publish("version", self.site.describe(upload, version))

    def _publish_matches(self) -> None:
        names = self.site.seasons.names()
        season = self.site.seasons.season(names[0]) if names else None
        if season is None or (stamp := (names[0], season.ledger.stamp)) == self._ledger:
            return
        self._ledger = stamp
        newest = {
            (match["season"], match["id"]): match for match in self.site.seasons.newest_matches(MOST_NEWS).matches
        }
        before, self._matches = self._matches, set(newest)
        for key in reversed([key for key in newest if before is not None and key not in before]):
            event = {part: newest[key][part] for part in ("season", "id", "map", "started")}
            self.site.events.publish("match", event | {"names": list(names_of(newest[key]))})
