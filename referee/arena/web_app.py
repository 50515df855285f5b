"""The application of an arena: which address leads to what, and what strangers may ask for.

1. A stranger may read pages and the API of a public arena, join and sign in. Everything else needs a user (`web/guard.py`).
2. A handler decides nothing about rights itself: `access.py` does. What somebody may not see is answered as what is not there.
3. A handler waits only for the body of its request, and for the page of a match, which another process makes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, request_response

from referee.arena import api_contest, api_users
from referee.arena.access import may_watch
from referee.arena.api_uploads import UploadApi, zip_response
from referee.arena.html_bots import bot_page, version_page
from referee.arena.html_frame import failed
from referee.arena.html_front import Front, join, rules, sign_in
from referee.arena.html_matches import match_facts
from referee.arena.html_rooms import account, admin, class_page
from referee.arena.web_programs import Editor
from referee.arena.web_site import Site
from referee.arena.web_watch import Watch
from referee.bots import starter
from referee.web.answers import error_handlers
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


class Arena:
    """An arena's application.

    Attributes:
        app: it, behind its guard.
    """

    def __init__(self, site: Site) -> None:
        """The application of a site."""
        self.site = site
        front, self.editor = Front(site), Editor(site)
        api = [
            Route(path, partial(handler, site), methods=[method])
            for method, path, handler in (*api_users.ROUTES, *api_contest.ROUTES)
        ]
        pages = {
            "/sign-in": sign_in,
            "/join": join,
            "/rules": rules,
            "/bots/{author}/{bot}": bot_page,
            "/versions/{id}": version_page,
            "/account": account,
            "/class": class_page,
            "/admin": admin,
        }
        routes = [
            Route("/", front.standings),
            Route("/final", front.final),
            *(Route(path, partial(handler, site)) for path, handler in pages.items()),
            *self.editor.routes(),
            Route("/matches/{season}/{id:path}", partial(self._match, SANDBOXED)),
            Route("/embed/matches/{season}/{id:path}", partial(self._match, EMBEDDED)),
            Route("/kits/{language}.zip", self._kit),
            Mount(API, routes=[*api, *UploadApi(site).routes()]),
        ]
        errors = error_handlers(partial(failed, site), "log")
        app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=errors)
        app.router.redirect_slashes = False
        self.app = Guard(
            app,
            origins=site.origins,
            identify=site.sessions.identify,
            open_to=self._open_to,
            stranger=request_response(partial(sign_in, site, status=401)),
            programs=True,
        )

    def _open_to(self, method: str, path: str) -> bool:
        if (method, path) in OPEN:
            return True
        own = any(path == prefix or path.startswith(f"{prefix}/") for prefix in OWN)
        return method in READING and not own and may_watch(None, self.site.settings)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Watch(self.site).run)
            yield
            await self.editor.desks.close()
            tasks.cancel_scope.cancel()

    async def _match(self, policy: str, request: Request) -> Response:
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

    async def _kit(self, request: Request) -> Response:
        language, game = request.path_params["language"], self.site.settings.game
        if language not in starter.languages_for(game):
            raise HTTPException(404)
        return zip_response(kit_files(language, game), f"{game}-{language}.zip")


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
