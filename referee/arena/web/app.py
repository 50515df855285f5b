"""The application of an arena: its addresses, and what strangers may request.

1. A stranger may read pages and the API of a public arena, join and sign in. Everything else needs a user (`web/guard.py`).
2. `access.py` decides all rights. A user who may not see something gets 404.
3. A handler waits only for the body of its request, for the page of a match, which another process makes, and for a thread that
   packs or unpacks a file (`Site.in_thread`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, request_response
from starlette.types import ASGIApp

from referee.arena.access import without_paths
from referee.arena.web.api import contest, uploads, users
from referee.arena.web.html.bots import bot_page, version_page
from referee.arena.web.html.frame import error_page
from referee.arena.web.html.front import Front, join, match_page, sign_in
from referee.arena.web.html.reading import kit, manual, rules
from referee.arena.web.html.users import account, admin, class_page
from referee.arena.web.programs import Editor
from referee.arena.web.site import Site, Watch
from referee.errors import disk_is_full
from referee.tournament.database import DiskError
from referee.web.answers import Refusal, error_handlers, refusal_of
from referee.web.guard import READING, Guard

API: Final = "/api/v1"
OPEN: Final = frozenset({("POST", f"{API}/join"), ("POST", f"{API}/sign-in"), ("GET", "/join"), ("GET", "/sign-in")})
"""What a stranger may request in every arena."""
OWN: Final = (
    "/account", "/class", "/admin", "/edit", "/matches/debug", f"{API}/me", f"{API}/duels", f"{API}/programs",
    f"{API}/matches/debug",
)  # fmt: skip
"""What only a user may read."""
PAGES: Final[Mapping[str, Callable[[Site, Request], Awaitable[Response]]]] = {
    "/sign-in": sign_in,
    "/join": join,
    "/rules": rules,
    "/manual/{page}": manual,
    "/kits/{language}.zip": kit,
    "/bots/{author}/{bot}": bot_page,
    "/versions/{id}": version_page,
    "/matches/{season}/{id:path}": match_page,
    "/embed/matches/{season}/{id:path}": partial(match_page, framed_by="*"),
    "/account": account,
    "/class": class_page,
    "/admin": admin,
}
"""The pages by their addresses, besides those that need more than the site."""


def application(site: Site, editor: Editor) -> ASGIApp:
    """The application of an arena, behind its guard."""
    front = Front(site)
    api = [
        Route(path, partial(handler, site), methods=[method])
        for method, path, handler in (*users.ROUTES, *contest.ROUTES, *uploads.ROUTES)
    ]
    routes = [
        Route("/", front.standings),
        Route("/seasons/{season}", front.season),
        *editor.routes(),
        *(Route(path, partial(handler, site)) for path, handler in PAGES.items()),
        Mount(API, routes=[*api, Route("/bots/{bot}/versions", uploads.Inbox(site).upload, methods=["POST"])]),
    ]

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Watch(site).run)
            yield
            await editor.desks.close()
            tasks.cancel_scope.cancel()

    def open_to(method: str, path: str) -> bool:
        own = any(path == prefix or path.startswith(f"{prefix}/") for prefix in OWN)
        return (method, path) in OPEN or (method in READING and not own and site.settings.public)

    handlers = error_handlers(partial(error_page, site), "log", partial(refusal_for_strangers, site))
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    identify, stranger = site.sessions.identify, request_response(partial(sign_in, site, status=401))
    return Guard(app, origins=site.origins, identify=identify, open_to=open_to, stranger=stranger, programs=True)


def refusal_for_strangers(site: Site, failed: Exception) -> Refusal:
    """As `refusal_of`, without paths of the server's disk."""
    if isinstance(failed, DiskError) or disk_is_full(failed):
        return Refusal("too_large", "the server's disk is full: nothing has changed; tell the organiser", status=507)
    refusal = refusal_of(failed)
    refusal.args = (without_paths(str(refusal), site.files.root),)
    return refusal
