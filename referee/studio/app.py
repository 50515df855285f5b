"""The application of a studio: which address leads to what.

A handler here reads its request, asks the room behind it, and answers. It waits only for a process that works for it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from referee import games
from referee.cli.games import game_document
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
from referee.web.pages import sandboxed_page

API: Final = "/api/v1"
SIGN_IN: Final = f"{API}/session"


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
        self.jobs = Jobs(folder.root, self.events)
        self.matches = matches = Matches(folder, self.jobs)
        self.programs = FolderWorkspace(folder, matches)
        checks = Checks(folder, self.jobs)
        routes = [
            Route("/", self._play),
            Route("/matches/{match}", self._match),
            Route("/check/{bot:path}", self._check),
            Route("/compare", self._compare),
            Route("/ask/{match}", self._ask),
            Route(SIGN_IN, self._sign_in, methods=["POST"]),
            _route("/session", lambda: {"signed_in": True}),
            _route("/games", lambda: [game_document(game) for game in games.every()]),
            _route("/bots", lambda: pages.bots_of(folder)),
            _route("/matches", lambda: {"matches": matches.listed()}),
            _post("/matches", NewMatch, matches.play),
            Route(f"{API}/matches/{{match}}.jsonl.gz", self._download),
            Route(f"{API}/matches/{{match}}.gif", self._film),
            _route("/matches/{match}", matches.describe),
            _route("/matches/{match}/live", lambda match: matches.running_job(match).news.get("step")),
            Route(f"{API}/matches/{{match}}/answers", self._answer, methods=["POST"]),
            Route(f"{API}/matches/{{match}}/leave", self._leave, methods=["POST"]),
            *(_post(f"/{kind}", model, partial(checks.start, kind)) for kind, (_, model) in KINDS.items()),
            *(_route(f"/{kind}/{{job_id}}", partial(checks.describe, kind)) for kind in KINDS),
            *(_route(f"/{kind}/{{job_id}}/leave", partial(checks.stop, kind), "POST") for kind in KINDS),
            Route(f"{API}/events", self._events),
            *Programs(lambda _: self.programs).routes(),
        ]
        handlers = error_handlers(lambda _request, refusal: pages.error_page(refusal), "terminal")
        self.site = Guard(
            Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=handlers),
            origins=[f"http://{host}:{port}" for host in ("127.0.0.1", "localhost")],
            identify=self.session.identify,
            open_to=lambda method, path: (method, path) == ("POST", SIGN_IN),
            stranger=pages.stranger(),
        )

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self.jobs.tasks:
            yield
            await self.programs.desk.close()
            self.jobs.tasks.cancel_scope.cancel()

    async def _sign_in(self, request: Request) -> Response:
        return self.session.begin(request, (await document(request, Token)).token)

    async def _play(self, request: Request) -> Response:
        again = request.query_params.get("again")
        return pages.play(self.folder, self.matches.listed(), self.folder.saved_game(again) if again else None)

    async def _match(self, request: Request) -> Response:
        match = self.matches.describe(request.path_params["match"])
        if match["state"] != "done":
            return pages.live(match)
        own = pages.programs_in(self.folder.saved_game(match["id"]), self.folder)
        links, files = pages.links(match["id"], own), {seat: path for seat, (_, path) in own.items()}
        return sandboxed_page((await self.matches.page(match["id"], ".html", links, files)).read_bytes())

    async def _check(self, request: Request) -> Response:
        # The page starts a check, so an address may name no more than the folder has: a stranger's link can lead here.
        bot = request.path_params["bot"]
        if bot not in self.folder.bots():
            raise Refusal("not_found", "this folder has no bot of that name")
        return pages.check(bot)

    async def _compare(self, _request: Request) -> Response:
        return pages.compare(self.folder)

    async def _ask(self, request: Request) -> Response:
        match = request.path_params["match"]
        return pages.ask(match, self.folder.saved_game(match), self.folder)

    async def _answer(self, request: Request) -> Response:
        body = await document(request, PersonsAnswer)
        await self.matches.running_job(request.path_params["match"]).tell(body.model_dump())
        return answer({}, status=202)

    async def _leave(self, request: Request) -> Response:
        job = self.matches.running_job(request.path_params["match"])
        if job.state == "queued":
            job.scope.cancel()
        else:
            await job.tell({"leave": True})
        return answer({}, status=202)

    async def _download(self, request: Request) -> Response:
        path = self.folder.saved_game(request.path_params["match"])
        media_type = "application/gzip" if path.suffix == ".gz" else "application/jsonl"
        return FileResponse(path, media_type=media_type, filename=path.name)

    async def _film(self, request: Request) -> Response:
        match = request.path_params["match"]
        film = await self.matches.page(match, ".gif", [], {})
        name = self.folder.saved_game(match).name.partition(".jsonl")[0]
        return FileResponse(film, media_type="image/gif", filename=f"{name}.gif")

    async def _events(self, request: Request) -> Response:
        return self.events.follow(request)


def _route(path: str, find: Callable[..., Any], method: str = "GET") -> Route:
    """An address of the API that shows what `find` returns for the names in the address."""

    async def show(request: Request) -> Response:
        return answer(find(**request.path_params))

    return Route(f"{API}{path}", show, methods=[method])


def _post(path: str, model: type[Strict], start: Callable[..., Any]) -> Route:
    """An address of the API where a `model` starts something."""

    async def take(request: Request) -> Response:
        return answer(start(await document(request, model)), status=202)

    return Route(f"{API}{path}", take, methods=["POST"])
