"""An arena without its other parts: this file writes their files. It asks the site by ASGI, without a socket."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

from arena.folders import a_row, a_tournament, accept
from web.raw import Reply
from web.sites import asked, scope

from referee.arena.access import entrant_name, owner_name
from referee.arena.overview import make_databases
from referee.arena.pages import make
from referee.arena.rows import Role, Upload
from referee.arena.season import Form
from referee.arena.settings import FILE, ArenaFiles
from referee.arena.versions import Version as State
from referee.arena.versions import Versions
from referee.arena.web.app import application
from referee.arena.web.programs import Editor
from referee.arena.web.site import Site
from referee.tournament.model import Competitor

ORIGIN = "https://arena.test"
START = 1_700_000_000.0
RECORDS = Path(__file__).parents[2] / "records"


def content_of(upload: Upload) -> str:
    """The content of a version that intake has seen."""
    return f"{upload.id:032x}"


class Lab:
    """An arena in a folder, and its site. `now` is the time of all."""

    def __init__(self, root: Path, settings: str = "", *, behind_proxy: bool = False, game: str = "snakecore") -> None:
        self.now = START
        root.mkdir(exist_ok=True)
        (root / FILE).write_text(f'name = "Spring <cup>"\ngame = "{game}"\n{settings}')
        self.files = ArenaFiles(root)
        self.settings = self.files.settings
        for folder in (self.files.seasons, self.files.debugged):  # as the supervisor does
            folder.mkdir(parents=True, exist_ok=True)
        make_databases(self.files)
        self.site = Site(self.files, origins=[ORIGIN], now=lambda: self.now, behind_proxy=behind_proxy)
        # Opened last: to open a file for reading drops the locks that this process has on it.
        self.versions = Versions(self.files.versions, writes=True)
        self.editor = Editor(self.site)
        self.app = application(self.site, self.editor)
        self.keys: dict[str, str] = {}

    def close(self) -> None:
        self.site.close()
        self.versions.close()

    def user(self, name: str, role: Role = "author", group: str | None = None) -> str:
        """A new user; the key."""
        _, self.keys[name] = self.site.accounts.join(self.site.accounts.invite(name, role, group, 60, "test"))
        return self.keys[name]

    def id(self, name: str) -> int:
        [user] = self.site.accounts.users("name = ?", name)
        return user.id

    def upload(
        self, author: str, bot: str, content: bytes, state: Any = None, *, error: str | None = None, note: str = "",
        file: str = "main.py", **evidence: Any,
    ) -> Upload:  # fmt: skip
        """An accepted upload; with a state, one that intake has seen, and whose content is its id."""
        self.now += 1
        version = accept(self.site.accounts, self.files, author, bot, content, file, note)
        if state is not None:
            self.decide(version, state, error=error, **evidence)
        return version

    def decide(self, upload: Upload, state: Any, *, error: str | None = None, **evidence: Any) -> None:
        """What intake says of an upload."""
        self.now += 1
        name = entrant_name(self.settings, upload)
        self.versions.put(State(upload.id, state, 1, self.now, name, content_of(upload), error), evidence=evidence)

    def season(
        self, uploads: Sequence[Upload], groups: Sequence[Sequence[int]], name: str = "1", form: Form = "ladder", *,
        played: int | None = None, faults: Mapping[int, Any] | None = None,
    ) -> None:  # fmt: skip
        """Play a season or a final of groups, by indexes of uploads; each match has a saved game but the first."""
        failed, folder = faults or {}, self.files.seasons / name
        (folder / "games").mkdir(parents=True)

        def row(field: Sequence[Competitor], group: Sequence[int], at: int) -> dict[str, Any]:
            saved = f"games/{1 + at:06d}-0.jsonl.gz" if at else None
            if saved is not None:
                copyfile(RECORDS / f"{self.settings.game}.jsonl", folder / saved)
            return a_row(field, group, saved=saved, faults=failed.get(at, []))

        bots = {entrant_name(self.settings, one): content_of(one) for one in uploads}
        a_tournament(self.files, name, form, groups, played=played, bots=bots, row=row)
        for at in failed:
            make(self.files, self.site.seasons, f"requests/{name}/m{at}/arena/0#0")

    def standings(self, uploads: Sequence[Upload]) -> None:
        """What the pages part writes: these bots, the best first."""
        rows = [
            {
                "rank": rank, "name": entrant_name(self.settings, one), "matches": 120, "percent": 66.6 / rank,
                "mean": 4.1, "faults": {"timeout": rank - 1} if rank > 1 else {},
                "rating": 120.0 - 60 * rank, "rating_low": 90.0 - 60 * rank, "rating_high": 150.0 - 60 * rank,
                "author": owner_name(self.settings, one.author, one.author_id), "bot": one.bot, "version": one.id,
            }
            for rank, one in enumerate(uploads, 1)
        ]  # fmt: skip
        self.files.pages.mkdir(exist_ok=True)
        self.files.standings.write_text(json.dumps({"as_of": self.now, "season": "1", "table": rows}))

    async def ask(
        self, method: str, path: str, *, by: str | None = None, cookie: str | None = None, json_: Any = None,
        body: bytes | Sequence[bytes] = b"", headers: Mapping[str, str] | None = None, address: str = "192.0.2.1",
    ) -> Reply:  # fmt: skip
        """Send a request.

        Args:
            by: the name of a user, whose key is sent. cookie: of a session; then as a page of ours sends it.
        """
        sent = {"host": ORIGIN.partition("://")[2]}
        if by is not None:
            sent["authorization"] = f"Bearer {self.keys[by]}"
        if cookie is not None:
            sent |= {"cookie": cookie, "sec-fetch-site": "same-origin"}
        if json_ is not None:
            body = json.dumps(json_).encode()
            sent["content-type"] = "application/json"
        parts = [body] if isinstance(body, bytes) else body
        if body:
            sent["content-length"] = str(sum(map(len, parts)))
        named = [(name, value) for name, value in (sent | (headers or {})).items() if value]
        return await asked(self.app, scope(method, path, named, (address, 1)), parts)

    async def session(self, name: str) -> str:
        """Sign a user in, and return the cookie."""
        answer = await self.ask("POST", "/api/v1/sign-in", json_={"name": name, "key": self.keys[name]})
        assert answer.status == 200, answer.text
        return answer.session
