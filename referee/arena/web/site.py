"""What the pages and the API of an arena share: its files, who asks, and what everybody may know of a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from starlette.requests import Request

from referee.arena import finals
from referee.arena.access import may_inspect, owner_name, without_places
from referee.arena.accounts import Accounts
from referee.arena.drafts import Drafts
from referee.arena.rows import Upload, User
from referee.arena.season import plan_of
from referee.arena.settings import ArenaFiles, ArenaSettings
from referee.arena.state import ArenaState, Stage, read_json, read_state
from referee.arena.versions import Version, Versions, check_owners
from referee.arena.web.seasons import Seasons
from referee.arena.web.sessions import Sessions
from referee.errors import RefereeError
from referee.web.answers import Refusal, whole
from referee.web.events import Events


class Site:
    """An arena while it is served.

    Attributes:
        origins: of its pages, the best known first. now: gives seconds since 1970. seats: of a match.
    """

    def __init__(
        self,
        files: ArenaFiles,
        settings: ArenaSettings,
        *,
        origins: Sequence[str],
        now: Callable[[], float],
        behind_proxy: bool = False,
    ) -> None:
        """Open the arena's files.

        Raises:
            UsageError: they cannot be used.
        """
        check_owners(files, settings)
        self.files, self.settings, self.origins, self.now = files, settings, origins, now
        self.accounts = Accounts(files.accounts, now=now)
        self.drafts = Drafts(files.drafts, writes=True)
        self.seasons = Seasons(files)
        self.sessions = Sessions(self.accounts, now=now, behind_proxy=behind_proxy)
        self.events = Events(FOLLOWERS, last=int(now() * 1000))
        self.seats = plan_of(files.root, settings).rules.seats
        self._versions: Versions | None = None
        self._standings: tuple[int, dict[str, Any]] = (0, {})

    def close(self) -> None:
        """Close them."""
        self.events.close()
        self.seasons.close()
        self.accounts.close()
        self.drafts.close()
        if self._versions:
            self._versions.close()

    @property
    def state(self) -> Stage:
        """Whether bots are taken."""
        return self.at_present().state

    @property
    def season(self) -> int:
        """The number of the season that is played."""
        return self.at_present().season

    @property
    def final(self) -> str | None:
        """The name of the final among the seasons; None until there is one."""
        return finals.current(self.at_present())

    def final_progress(self, name: str | None = None) -> finals.Progress | None:
        """How far a final is, by the name of its folder; without one, the final that was asked for, None if there is none."""
        state = self.at_present()
        final = name or finals.current(state)
        if state.state != "final" and final is None:
            return None
        if final is not None and (season := self.seasons.season(final)) is not None and season.ledger.begun:
            return finals.progress(season, self.final_table(final), goes_on=finals.goes_on(state, final))
        names = [version.name for version in self.versions.all("state = 'active'")] if self.versions else []
        return finals.coming(self.files, self.settings, names, self.waiting())

    @property
    def final_stamp(self) -> int:
        """A number that changes when the table of the final is written."""
        return 0 if (final := self.final) is None else _stamp(self.files.final_standings(final))

    def final_table(self, final: str) -> list[Mapping[str, Any]]:
        """The table of a final, as the pages part has written it last."""
        rows: list[Mapping[str, Any]] = read_json(self.files.final_standings(final)).get("table", [])
        return rows

    def at_present(self) -> ArenaState:
        """The state of the arena."""
        try:
            return read_state(self.files)
        except RefereeError:  # nobody may upload to a damaged arena
            return ArenaState(state="closed")

    @property
    def standings(self) -> dict[str, Any]:
        """`{as_of, season, table}`, as the pages part has written it last."""
        if (stamp := _stamp(self.files.standings)) == 0:
            return {"as_of": None, "season": str(self.season), "table": []}
        if stamp != self._standings[0]:
            self._standings = stamp, read_json(self.files.standings)
        return self._standings[1]

    @property
    def versions(self) -> Versions | None:
        """What became of uploads; None before intake has begun."""
        if self._versions is None and self.files.versions.exists():
            try:
                self._versions = Versions(self.files.versions, writes=False)
            except RefereeError:  # intake is only just making it
                return None
        return self._versions

    def version(self, upload: Upload) -> Version:
        """What became of an upload."""
        version = self.versions.get(upload.id) if self.versions else None
        if version is not None:
            return version
        return Version(upload.id, "withdrawn" if upload.deleted else "waiting", 0, upload.created, "", None, None, {})

    def evidence(self, version: Version) -> dict[str, Any]:
        """Why a version failed, the steps of its check, and what the compiler said: for those who may inspect it."""
        steps, compiler = version.evidence.get("steps", []), version.evidence.get("compiler")
        evidence = {"error": version.error, "steps": steps, "compiler": compiler}
        return cast(dict[str, Any], without_places(evidence, self.files.root))

    def waiting(self) -> int:
        """How many uploads are not ready yet."""
        through = self.versions.count("state NOT IN ('waiting', 'building', 'checking')") if self.versions else 0
        return max(0, self.accounts.uploaded() - through)

    def duel(self, upload: Upload) -> dict[str, Any] | None:
        """The duel of a version with the one before, as `compare --json` has it and with its `state`."""
        return self.duel_of(f"v{upload.id}")

    def duel_of(self, key: str) -> dict[str, Any] | None:
        """A duel; None if intake has not seen it."""
        duel = self.versions.duel(key) if self.versions else None
        return None if duel is None else {"state": duel[0], **(duel[1] or {})}

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

    def author(self, upload: Upload) -> str:
        """What everybody sees of the author."""
        return owner_name(self.settings, upload.author, upload.author_id)

    def bot(self, author: str, bot: str) -> list[Upload]:
        """The versions of a bot, the oldest first, by what everybody sees of its author.

        Raises:
            Refusal: there is none.
        """
        if self.settings.anonymous:
            number = whole(author[1:]) if author.startswith("~") else None
            question, value = "users.id = ?", number
        else:
            question, value = "users.name = ?", author  # type: ignore[assignment]
        uploads = self.accounts.uploads(f"{question} AND bots.name = ?", [value, bot])
        if not uploads:
            raise Refusal("not_found", "there is no such bot")
        return uploads

    def describe(self, upload: Upload, version: Version) -> dict[str, Any]:
        """What everybody may know of a version."""
        return {
            "id": upload.id,
            "author": self.author(upload),
            "bot": upload.bot,
            "number": upload.number,
            "state": version.state,
            "created": moment(upload.created),
            "sha256": upload.sha256,
            "entrant": version.content,
        }


FOLLOWERS = 1000
"""The most open streams of events: a browser does not try again after it was refused one."""


def _stamp(path: Path) -> int:
    """When a file was written; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


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
