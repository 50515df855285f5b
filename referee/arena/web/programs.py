"""The editor in the site: each user's programs, which are drafts until they are submitted (`studio/programs.py`).

1. The name of a program is that of a bot. Its text is the draft, or the source of the bot's newest version if that is a program.
2. A user debugs in saved matches of the ladder, which everybody may see, and in games that intake plays for this user alone.
3. A workspace belongs to one user and shows nothing of others.
4. Two processes (desks) for all users interpret programs, so that the site's process computes nothing for a user. A user's
   questions are answered one after the other, and users take turns. A question ends after `SECONDS`.
"""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import anyio
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from referee import bots, games
from referee.analysis.program_tests import MOST_BYTES as TESTS_BYTES
from referee.arena.access import entrant_name, owner_name, without_paths
from referee.arena.debugging import key_of, saved_game_path
from referee.arena.drafts import EXTRA_DRAFTS, DebugGame
from referee.arena.rows import Upload, User, check_name
from referee.arena.seasons import names_of
from referee.arena.settings import SAVED, ArenaFiles
from referee.arena.uploads import file_of
from referee.arena.web.site import Site, signed_in_user
from referee.contract.game import Game
from referee.studio.desk import Desk
from referee.studio.editor import page
from referee.studio.programs import API, UNNAMED, Debug, Programs, source_of
from referee.web.answers import Refusal, answer, whole

MOST_MATCHES: Final = 20
"""Matches of the ladder to choose from."""
MOST_VERSIONS: Final = 20
"""Own versions to choose from as rivals."""
DEBUG: Final = "debug"
"""The season of debug games in addresses. No season has this name."""
DESKS: Final = 2
SECONDS: Final = 10.0
"""The longest time of an answer."""
MOST_QUESTIONS: Final = 8
"""Questions of a user that wait or are being answered."""


class Desks:
    """The processes. They start with the first questions."""

    def __init__(self, files: ArenaFiles) -> None:
        self._root, saved = files.root, (files.seasons, files.debugged)
        self._free = [Desk(files.seasons, confined=saved, deadline=SECONDS) for _ in range(DESKS)]
        self._slots = anyio.Semaphore(DESKS)
        self._questions = Counter[int]()
        self._turns = defaultdict[int, anyio.Lock](anyio.Lock)

    async def ask(self, user: int, kind: str, **question: Any) -> dict[str, Any]:
        """The answer to a question of a user; see `Desk.ask`.

        Raises:
            Refusal: there is none, or the user has too many questions.
        """
        if self._questions[user] >= MOST_QUESTIONS:
            raise Refusal("too_many", "too many questions wait: ask again in a few seconds", retry_after=int(SECONDS))
        self._questions[user] += 1
        try:
            async with self._turns[user], self._slots:
                desk = self._free.pop()  # the last used one still has the saved game of its last question
                try:
                    return await desk.ask(kind, **question)
                finally:
                    self._free.append(desk)
        except Refusal as wrong:
            message = without_paths(str(wrong), self._root)
            raise Refusal(wrong.code, message, status=wrong.status, **wrong.details) from None
        finally:
            self._questions[user] -= 1

    async def close(self) -> None:
        """End the processes."""
        for desk in self._free:
            await desk.close()


class Editor:
    """The addresses of the editor. It refuses all programs if the game has no language of its own."""

    def __init__(self, site: Site) -> None:
        self.site, self.desks = site, Desks(site.files)

    def routes(self) -> Sequence[Route]:
        """The addresses."""
        return [
            *Programs(self._workspace).routes(),
            Route(f"{API}/{{name}}", self._discard, methods=["DELETE"]),
            Route(f"/matches/{DEBUG}/{{id:int}}", self._page),
            Route(f"/api/v1/matches/{DEBUG}/{{id:int}}{SAVED}", self._download),
            Route(f"/api/v1/matches/{DEBUG}/{{id:int}}", self._describe),
        ]

    def _workspace(self, request: Request) -> UserWorkspace:
        return UserWorkspace(self.site, signed_in_user(request), self.desks)

    async def _discard(self, request: Request) -> Response:
        space = self._workspace(request)
        self.site.drafts.discard(space.user.id, request.path_params["name"])
        return Response(status_code=204)

    async def _page(self, request: Request) -> Response:
        game = self._workspace(request).game(request.path_params["id"])
        return RedirectResponse(f"/edit/{quote(game.name.partition('/')[2])}?match={DEBUG}/{game.id}", 303)

    async def _describe(self, request: Request) -> Response:
        space = self._workspace(request)
        return answer(space.describe(space.game(request.path_params["id"])))

    async def _download(self, request: Request) -> Response:
        number = request.path_params["id"]
        path = self._workspace(request).saved(f"{DEBUG}/{number}")
        return FileResponse(path, media_type="application/gzip", filename=f"{DEBUG}-{number}{SAVED}")


@dataclass(frozen=True, slots=True)
class UserWorkspace:
    """The programs and games of a user (`programs.Workspace`)."""

    site: Site
    user: User
    desks: Desks

    def program(self, name: str) -> UserProgram:
        """The program of a bot, which may be new.

        Raises:
            Refusal: the game has no language of its own, or no bot can have this name.
        """
        game = games.find(self.site.settings.game)
        if game.programs is None:
            raise Refusal("not_found", "bots of this game are not drawn: it has no language of its own")
        check_name(name, "bot")
        return UserProgram(self, name, f"{name}{game.programs.suffix}", game)

    def unnamed(self, game: str) -> str:
        """See `programs.Workspace`. An arena has one game."""
        return UNNAMED

    def saved(self, match: str) -> Path:
        """The saved game of a match of the ladder, or of a debug game of this user.

        Raises:
            Refusal: there is none, or it is not kept.
        """
        season, _, match_id = match.partition("/")
        if season == DEBUG:
            path: Path | None = saved_game_path(self.site.files, self.game(whole(match_id) or 0).id)
        else:
            path = self.site.seasons.match(season, match_id).saved
        if path is None or not path.exists():
            raise Refusal("not_found", "the saved game of this match is not kept", status=410)
        return path

    def game(self, number: int) -> DebugGame:
        """A debug game.

        Raises:
            Refusal: this user has none of this number.
        """
        for game in self.games():
            if game.id == number:
                return game
        raise Refusal("not_found", "there is no such match")

    def games(self) -> list[DebugGame]:
        """The debug games of this user, the oldest first."""
        return self.site.drafts.games(self.user.id)

    def describe(self, game: DebugGame) -> dict[str, Any]:
        """A debug game, as a studio describes a match."""
        result = self.site.versions.game(key_of(game.id)) or {}
        versions = {f"{upload.id}": _title(upload) for upload in self.uploads()} if game.rivals else {}
        error = {"error": result["error"]} if "error" in result else {}
        return {
            "id": f"{DEBUG}/{game.id}",
            "state": result["state"] if result.get("state") in ("done", "failed") else "queued",
            "url": f"/matches/{DEBUG}/{game.id}",
            "game": self.site.settings.game,
            "players": [game.name, *(versions.get(rival, rival) for rival in game.rivals)],
            "file": f"debug game {game.id}",
            "seat": 0,
            **error,
        }

    def matches(self) -> list[dict[str, Any]]:
        """The games to debug a program in: debug games, then matches of the ladder; the newest first."""
        debugged = [match for match in map(self.describe, reversed(self.games())) if match["state"] == "done"]
        names = {entrant_name(self.site.settings, upload) for upload in self.uploads()}
        ladder = [
            {
                "id": f"{match['season']}/{match['id']}",
                "players": list(names_of(match)),
                "file": f"season {match['season']}, {match['id']}",
                "seat": next(seat["seat"] for seat in match["seats"] if seat["name"] in names),
            }
            for match in self.site.seasons.newest_matches(MOST_MATCHES, bots=names).matches
            if match["saved"]
        ]
        return debugged + ladder

    def uploads(self) -> list[Upload]:
        """All versions of this user, the oldest first."""
        return self.site.accounts.uploads("users.id = ?", [self.user.id])

    def own_versions(self) -> list[tuple[str, str]]:
        """The newest versions of this user that passed their check: id and name."""
        passed = (upload for upload in reversed(self.uploads()) if self.site.version(upload).content is not None)
        return [(f"{upload.id}", _title(upload)) for upload in islice(passed, MOST_VERSIONS)]

    async def ask(self, kind: str, **question: Any) -> dict[str, Any]:
        """See `Desks.ask`."""
        return await self.desks.ask(self.user.id, kind, **question)


def _title(upload: Upload) -> str:
    return f"{upload.bot}, version {upload.number}"


@dataclass(frozen=True, slots=True)
class UserProgram:
    """A program of a user (`programs.Program`)."""

    space: UserWorkspace
    bot: str
    file: str
    game: Game[Any, Any]

    def page(self) -> Response:
        site, user = self.space.site, self.space.user
        return page.edit(
            self.bot,
            self.file,
            self.game,
            self.space.matches(),
            own=self.space.own_versions(),
            seats=site.seats,
            home=("/account", site.settings.name),
            submits=True,
            data_user=user.name,
            data_role=user.role,
            data_state=site.state,
        )

    def source(self) -> bytes | None:
        site = self.space.site
        if (text := site.drafts.draft(self.space.user.id, self.bot)[0]) is not None:
            return text.encode()
        last = next((it for it in reversed(self.space.uploads()) if it.bot.lower() == self.bot.lower()), None)
        if last is None or not last.file.endswith(Path(self.file).suffix):
            return None
        path = file_of(site.files, last)
        return None if path is None else source_of(path)

    def save(self, text: str) -> None:
        self._keep(text=text)

    def tests(self) -> str:
        return self.space.site.drafts.draft(self.space.user.id, self.bot)[1]

    def save_tests(self, text: str) -> None:
        if len(text.encode()) > TESTS_BYTES:
            raise Refusal("too_large", f"the tests of a program have {TESTS_BYTES >> 10} KiB at most")
        self._keep(tests=text)

    def _keep(self, **what: str) -> None:
        most = self.space.site.settings.limits.bots + EXTRA_DRAFTS
        self.space.site.drafts.save(self.space.user.id, self.bot, most, **what)

    def debug(self, wanted: Debug) -> dict[str, Any]:
        space, site = self.space, self.space.site
        if len(wanted.rivals) + 1 not in self.game.seats:
            seats = f"{self.game.seats.start} to {self.game.seats.stop - 1}"
            raise Refusal("unprocessable", f"rivals: {self.game.title} is for {seats} players")
        known = {*bots.samples(self.game.name, own_runtime=True), *dict(space.own_versions())}
        if unknown := [rival for rival in wanted.rivals if rival not in known]:
            raise Refusal("unprocessable", f"rivals: {unknown[0]} is neither a sample bot nor a version of your own")
        if any(space.describe(game)["state"] == "queued" for game in space.games()):
            raise Refusal("too_many", "your last game is not over yet: wait for its end", retry_after=5)
        seed = secrets.randbelow(2**31) if wanted.seed is None else wanted.seed
        name = f"{owner_name(site.settings, space.user.name, space.user.id)}/{self.bot}"
        number = site.drafts.request_game(space.user.id, name, wanted.text, wanted.rivals, seed, site.now())
        return {"id": f"{DEBUG}/{number}", "url": f"/matches/{DEBUG}/{number}"}
