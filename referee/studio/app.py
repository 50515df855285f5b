"""The application of a studio: which address leads to what.

A handler here reads its request, asks the room behind it, and answers. It waits only for a process that works for it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from referee import games
from referee.cli.games import listed as listed_game
from referee.studio import pages
from referee.studio.checks import KINDS, Checks
from referee.studio.folder import Folder
from referee.studio.jobs import Jobs
from referee.studio.matches import Matches, NewMatch, PersonsAnswer
from referee.studio.programs import Programs
from referee.studio.session import Session
from referee.studio.workspace import FolderWorkspace
from referee.text.strict import Strict
from referee.web.answers import Refusal, answer, document, error_handlers
from referee.web.events import Events
from referee.web.guard import Guard
from referee.web.pages import sandboxed

SIGN_IN: Final = "/api/v1/session"


class Token(Strict):
    """What POST /session takes."""

    token: str


class Studio:
    """A studio while it is served.

    Attributes:
        site: the application. events: what its pages follow. session: whose it is.
    """

    def __init__(self, folder: Folder, port: int) -> None:
        """The studio of a folder, which will listen on a port."""
        self.folder, self.session, self.events = folder, Session(port), Events()
        self.matches: Matches
        self.checks: Checks
        self.programs = FolderWorkspace(folder)
        routes = [
            Route("/", self._play),
            Route("/matches/{id}", self._match),
            Route("/check/{bot:path}", self._check),
            Route("/compare", self._compare),
            Route("/ask/{id}", self._ask),
            Route(SIGN_IN, self._sign_in, methods=["POST"]),
            Route(SIGN_IN, self._signed_in),
            Route("/api/v1/games", self._games),
            Route("/api/v1/bots", self._bots),
            Route("/api/v1/matches", self._listed_matches),
            Route("/api/v1/matches", self._new_match, methods=["POST"]),
            Route("/api/v1/matches/{id}.jsonl.gz", self._download),
            Route("/api/v1/matches/{id}.gif", self._film),
            Route("/api/v1/matches/{id}", self._described_match),
            Route("/api/v1/matches/{id}/live", self._live),
            Route("/api/v1/matches/{id}/answers", self._answer, methods=["POST"]),
            Route("/api/v1/matches/{id}/leave", self._leave, methods=["POST"]),
            *(Route(f"/api/v1/{kind}", partial(self._start, kind), methods=["POST"]) for kind in KINDS),
            *(Route(f"/api/v1/{kind}/{{id}}", partial(self._described, kind)) for kind in KINDS),
            Route("/api/v1/events", self._events),
            *Programs(lambda _: self.programs).routes(),
        ]
        hosts = [f"http://{host}:{port}" for host in ("127.0.0.1", "localhost")]
        self.site = Guard(
            Starlette(
                routes=routes,
                lifespan=self._lifespan,
                exception_handlers=error_handlers(lambda _request, refusal: pages.failed(refusal), "terminal"),
            ),
            origins=hosts,
            identify=self.session.identify,
            open_to=lambda method, path: (method, path) == ("POST", SIGN_IN),
            stranger=pages.stranger(),
        )

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            jobs = Jobs(self.folder.root, tasks)
            self.matches = Matches(self.folder, jobs, self.events)
            self.checks = Checks(self.folder, jobs, self.events)
            self.programs.matches = self.matches
            yield
            await self.programs.desk.close()
            tasks.cancel_scope.cancel()

    async def _sign_in(self, request: Request) -> Response:
        return self.session.begin((await document(request, Token)).token)

    async def _signed_in(self, _request: Request) -> Response:
        return answer({"signed_in": True})

    async def _play(self, request: Request) -> Response:
        again = request.query_params.get("again")
        game = games.main() if again is None else self.matches.describe(again)["game"]
        return pages.play(self.folder, self.matches.listed(), game)

    async def _match(self, request: Request) -> Response:
        match = self.matches.describe(request.path_params["id"])
        if match["state"] != "done":
            return pages.live(match)
        links = pages.links(match, self.folder)
        return sandboxed((await self.matches.page(match["id"], ".html", links)).read_bytes())

    async def _check(self, request: Request) -> Response:
        # The page starts a check, so an address may name no more than the folder has: a stranger's link can lead here.
        bot = request.path_params["bot"]
        if bot not in (name for name, _ in self.folder.bots()):
            raise Refusal("not_found", "this folder has no bot of that name")
        return pages.check(bot)

    async def _compare(self, _request: Request) -> Response:
        return pages.compare(self.folder)

    async def _ask(self, request: Request) -> Response:
        match = request.path_params["id"]
        return pages.ask(match, self.matches.saved(match), self.folder)

    async def _games(self, _request: Request) -> Response:
        return answer([listed_game(game) for game in games.every()])

    async def _bots(self, _request: Request) -> Response:
        return answer(pages.bots_of(self.folder))

    async def _listed_matches(self, _request: Request) -> Response:
        return answer({"matches": self.matches.listed()})

    async def _new_match(self, request: Request) -> Response:
        return answer(self.matches.play(await document(request, NewMatch)), status=202)

    async def _described_match(self, request: Request) -> Response:
        return answer(self.matches.describe(request.path_params["id"]))

    async def _live(self, request: Request) -> Response:
        return answer(self.matches.playing(request.path_params["id"]).news.get("step"))

    async def _answer(self, request: Request) -> Response:
        body = await document(request, PersonsAnswer)
        await self.matches.playing(request.path_params["id"]).tell(body.model_dump())
        return answer({}, status=202)

    async def _leave(self, request: Request) -> Response:
        await self.matches.playing(request.path_params["id"]).tell({"leave": True})
        return answer({}, status=202)

    async def _download(self, request: Request) -> Response:
        path = self.matches.saved(request.path_params["id"])
        return FileResponse(path, media_type="application/gzip", filename=path.name)

    async def _film(self, request: Request) -> Response:
        film = await self.matches.page(request.path_params["id"], ".gif", [])
        return FileResponse(film, media_type="image/gif", filename="match.gif")

    async def _start(self, kind: str, request: Request) -> Response:
        task, model = KINDS[kind]
        job = self.checks.start(task, await document(request, model))
        return answer({"id": job, "url": f"/api/v1/{kind}/{job}"}, status=202)

    async def _described(self, kind: str, request: Request) -> Response:
        return answer(self.checks.describe(KINDS[kind][0], request.path_params["id"]))

    async def _events(self, request: Request) -> Response:
        return self.events.follow(request)
