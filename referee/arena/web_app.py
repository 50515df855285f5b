"""The application of an arena: which address leads to what, and what strangers may ask for.

1. A stranger may read pages and the API of a public arena, join and sign in. Everything else needs a user (`web/guard.py`).
2. A handler decides nothing about rights itself: `access.py` does. What somebody may not see is answered as what is not there.
3. A handler waits only for the body of its request, and for the page of a match, which another process makes.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Final, cast

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Scope

from referee.arena import html_bots, html_rooms
from referee.arena.access import may_administer, may_watch
from referee.arena.api_contest import ContestApi
from referee.arena.api_uploads import UploadApi, zip_response
from referee.arena.api_users import UserApi
from referee.arena.html_frame import failed
from referee.arena.html_front import Front
from referee.arena.html_matches import match_facts
from referee.arena.rows import Refused
from referee.arena.web_programs import Editor
from referee.arena.web_site import Site, viewer
from referee.arena.web_watch import Watch
from referee.bots import starter
from referee.web.answers import REFUSALS, Code, Refusal, refusal_of, refused
from referee.web.guard import READING, Guard

API: Final = "/api/v1"
SANDBOXED: Final = "sandbox allow-scripts; frame-ancestors 'none'"
"""For the page of a match: its script runs with an origin of its own."""
EMBEDDED: Final = "sandbox allow-scripts; frame-ancestors *"
PATIENCE: Final = 20.0
LOOK: Final = 0.1
"""Seconds in which another process makes the page of a match, and between two looks."""
OPEN: Final = frozenset({("POST", f"{API}/join"), ("POST", f"{API}/sign-in"), ("GET", "/join"), ("GET", "/sign-in")})
"""What a stranger may ask for in every arena."""
OWN: Final = (
    "/account", "/class", "/admin", "/edit", "/matches/debug", f"{API}/me", f"{API}/duels", f"{API}/programs",
    f"{API}/matches/debug",
)  # fmt: skip
"""What only a user may read."""
NOTHING: Final = "there is nothing at this address"


class Arena:
    """An arena's application.

    Attributes:
        app: it, behind its guard.
    """

    def __init__(self, site: Site) -> None:
        """The application of a site."""
        self.site = site
        self.front, self.editor = Front(site), Editor(site)
        apis = (UserApi(site), UploadApi(site), ContestApi(site))
        routes = [
            Route("/", self._standings),
            Route("/final", self._final),
            Route("/join", self._join),
            Route("/sign-in", self._sign_in),
            Route("/account", self._account),
            Route("/bots/{author}/{bot}", self._bot),
            Route("/versions/{id}", self._version),
            *self.editor.routes(),
            Route("/matches/{season}/{id:path}", self._match),
            Route("/embed/matches/{season}/{id:path}", self._embedded),
            Route("/class", self._class),
            Route("/admin", self._admin),
            Route("/rules", self._rules),
            Route("/kits/{language}.zip", self._kit),
            Mount(API, routes=[route for api in apis for route in api.routes()]),
        ]
        errors = {**dict.fromkeys((*REFUSALS, Refused), self._refuse), Exception: self._report}
        app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=errors)
        app.router.redirect_slashes = False
        self.app = Guard(
            app,
            origins=site.origins,
            identify=site.sessions.identify,
            open_to=self._open_to,
            stranger=self._stranger,
            programs=True,
        )

    def _open_to(self, method: str, path: str) -> bool:
        if (method, path) in OPEN:
            return True
        own = any(path == prefix or path.startswith(f"{prefix}/") for prefix in OWN)
        return method in READING and not own and may_watch(None, self.site.settings)

    def _stranger(self, scope: Scope) -> Response:
        return self.front.sign_in(Request(scope), status=401)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Watch(self.site).run)
            yield
            await self.editor.desks.close()
            tasks.cancel_scope.cancel()

    async def _standings(self, request: Request) -> Response:
        return self.front.standings(request)

    async def _final(self, request: Request) -> Response:
        return _there(self.front.final(request))

    async def _join(self, request: Request) -> Response:
        return self.front.join(request)

    async def _sign_in(self, request: Request) -> Response:
        return self.front.sign_in(request)

    async def _account(self, request: Request) -> Response:
        return html_rooms.account(self.site, request)

    async def _bot(self, request: Request) -> Response:
        uploads = self.site.bot(request.path_params["author"], request.path_params["bot"])
        return html_bots.bot_page(self.site, request, uploads)

    async def _version(self, request: Request) -> Response:
        return html_bots.version_page(self.site, request, self.site.upload(request))

    async def _match(self, request: Request) -> Response:
        return await self._page_of(request, SANDBOXED)

    async def _embedded(self, request: Request) -> Response:
        return await self._page_of(request, EMBEDDED)

    async def _page_of(self, request: Request, policy: str) -> Response:
        season, match_id = request.path_params["season"], request.path_params["id"]
        match = self.site.seasons.match(season, match_id)
        page = match.read_page()
        if match.saved is not None and page is None:
            self.site.accounts.want(f"matches/{season}/{match_id}")
            with anyio.move_on_after(PATIENCE):
                while (page := match.read_page()) is None:  # noqa: ASYNC110 - another process makes it
                    await anyio.sleep(LOOK)
        if page is None:
            return match_facts(self.site, request, match)
        return Response(page, headers={"Content-Security-Policy": policy}, media_type="text/html")

    async def _class(self, request: Request) -> Response:
        user = viewer(request)
        return _there(None if user is None or user.role == "author" else html_rooms.class_page(self.site, request))

    async def _admin(self, request: Request) -> Response:
        return _there(html_rooms.admin(self.site, request) if may_administer(viewer(request)) else None)

    async def _rules(self, request: Request) -> Response:
        return _there(self.front.rules(request))

    async def _kit(self, request: Request) -> Response:
        language, game = request.path_params["language"], self.site.settings.game
        if language not in starter.languages_for(game):
            raise Refusal("not_found", NOTHING)
        return zip_response(kit_files(language, game), f"{game}-{language}.zip")

    async def _refuse(self, request: Request, wrong: Exception) -> Response:
        """The answer to a request that is not carried out: a page for a browser, JSON for the API."""
        if isinstance(wrong, Refused):
            wrong = Refusal(cast(Code, wrong.code), str(wrong), status=wrong.status, retry_after=wrong.retry_after)
        return refused(wrong) if request.url.path.startswith("/api/") else failed(self.site, request, refusal_of(wrong))

    async def _report(self, _request: Request, bug: Exception) -> Response:
        """The answer to a request that found a bug, which is reported on stderr, without what the request held."""
        traceback.print_exception(bug)
        print("referee: this is a bug of the referee's own: please report it with the lines above", file=sys.stderr)
        return refused(Refusal("unprocessable", "this is a bug of the referee: its log says more", status=500))


def _there(page: Response | None) -> Response:
    """A page, if there is one for this reader."""
    if page is None:
        raise Refusal("not_found", NOTHING)
    return page


@cache
def kit_files(language: str, game: str) -> dict[str, bytes]:
    """The files of a starter kit, in a folder, by their paths."""
    folder = starter.kit(language, game)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    name = starter.UNNAMED.encode()
    return {
        f"my-bot/{path.relative_to(folder).as_posix()}": path.read_bytes().replace(starter.PLACEHOLDER, name)
        for path in files
    }
