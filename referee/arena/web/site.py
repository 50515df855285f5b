"""What the pages and the API of an arena share: its files, who asks, and what everybody may know of a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import anyio
from starlette.requests import Request
from typing_extensions import override

from referee.arena.access import may_inspect, owner_name, without_paths
from referee.arena.drafts import Drafts
from referee.arena.overview import Overview
from referee.arena.rows import Upload, User
from referee.arena.settings import ArenaFiles, Stage
from referee.arena.state import ArenaState, read_json, read_state
from referee.arena.versions import Version, check_unchanged
from referee.arena.web.sessions import Sessions
from referee.errors import RefereeError
from referee.web.answers import Refusal, whole
from referee.web.events import Events

Content = TypeVar("Content")


class Current(Generic[Content]):
    """The content of a file that other parts replace. It is read again only after it was replaced."""

    def __init__(self, path: Path, read: Callable[[], Content]) -> None:
        self._path, self._read = path, read
        self._last: tuple[object, Content] | None = None

    def now(self) -> Content:
        """The content of the file as it is now."""
        stamp = stamp_of(self._path)
        if self._last is None or stamp != self._last[0]:
            self._last = stamp, self._read()
        return self._last[1]


class Site(Overview):
    """An arena while it is served.

    Attributes:
        origins: of its pages, the best known first.
    """

    def __init__(
        self, files: ArenaFiles, *, origins: Sequence[str], now: Callable[[], float], behind_proxy: bool = False
    ) -> None:
        """Open the arena's files.

        Raises:
            UsageError: they cannot be used.
        """
        check_unchanged(files)
        super().__init__(files, now=now)
        self.origins = origins
        self.drafts = Drafts(files.drafts, writes=True)
        self.sessions = Sessions(self.accounts, now=now, behind_proxy=behind_proxy)
        self.events = Events(FOLLOWERS, each=OF_ADDRESS, last=int(now() * 1000))
        self._state = Current(files.state, partial(read_state, files))
        self._standings = Current(files.standings, partial(read_json, files.standings))

    @override
    def close(self) -> None:
        self.events.close()
        self.drafts.close()
        super().close()

    @property
    def state(self) -> Stage:
        """Whether bots are taken."""
        return self.at_present().state

    @override
    def at_present(self) -> ArenaState:
        try:
            return self._state.now()
        except RefereeError:  # nobody may upload to a damaged arena
            return ArenaState(state="closed")

    @property
    def standings(self) -> dict[str, Any]:
        """`{as_of, season, table}`, as the pages part has written it last."""
        return self._standings.now() or {"as_of": None, "season": str(self.at_present().season), "table": []}

    @override
    def table_of(self, folder: str) -> list[Mapping[str, Any]]:
        """The table of a final, or of a season that is over, as the pages part has written it last; empty until then."""
        rows: list[Mapping[str, Any]] = read_json(self.files.standings_of(folder)).get("table", [])
        return rows

    @property
    def tables_stamp(self) -> object:
        """It changes when the standings are written, or the table of the final."""
        final = self.at_present().final
        return self.standings["as_of"], None if final is None else stamp_of(self.files.standings_of(final))

    def version(self, upload: Upload) -> Version:
        """What became of an upload."""
        if (version := self.versions.get(upload.id)) is not None:
            return version
        return Version(upload.id, "withdrawn" if upload.deleted else "waiting", changed=upload.created)

    def evidence(self, version: Version) -> dict[str, Any]:
        """Why a version failed, the steps of its check, and what the compiler said: for those who may inspect it."""
        steps, compiler = version.evidence.get("steps", []), version.evidence.get("compiler")
        evidence = {"error": version.error, "steps": steps, "compiler": compiler}
        return cast(dict[str, Any], without_paths(evidence, self.files.root))

    async def make(self, wanted: Sequence[str], files: Sequence[Path], patience: float) -> None:
        """Ask the pages part for files, and wait until they are there, or for so many seconds."""
        for page in wanted:
            self.accounts.want(page)
        with anyio.move_on_after(patience):
            while not all(file.exists() for file in files):  # noqa: ASYNC110 - another process makes them
                await anyio.sleep(LOOK)

    def upload(self, request: Request, *, inspect: bool = False) -> Upload:
        """The upload that an address names by its `id`.

        Args:
            inspect: who asks must be allowed to see its source and evidence.

        Raises:
            Refusal: there is none, or it is as if there were none.
        """
        number = whole(request.path_params["id"])
        upload = None if number is None else self.accounts.upload(number)
        if upload is None or (inspect and not may_inspect(viewer(request), upload)):
            raise Refusal("not_found", "there is no such version")
        return upload

    def bot(self, author: str, bot: str) -> list[Upload]:
        """The versions of a bot, the oldest first, by what everybody sees of its author.

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
        """What everybody may know of a version."""
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


LOOK = 0.1
"""Seconds between two looks for a file."""
FOLLOWERS = 1000
"""The most open streams of events: a browser does not try again after it was refused one."""
OF_ADDRESS = 200
"""The most of them from one address, which a whole class may have."""


def stamp_of(path: Path) -> tuple[int, int] | None:
    """Which file is there, and when it was written; None without one."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def viewer(request: Request) -> User | None:
    """Who asks."""
    user: User | None = request.scope["user"]
    return user


def signed_in(request: Request) -> User:
    """Who asks.

    Raises:
        Refusal: a stranger.
    """
    user = viewer(request)
    if user is None:
        raise Refusal("unauthorized", "sign in first: send the session's cookie, or a Bearer key")
    return user


def moment(seconds: float) -> str:
    """Seconds since 1970 as a date and time."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
