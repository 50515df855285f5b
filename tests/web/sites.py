"""A small site behind the guard, and requests to it without a socket."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import trio
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp
from web.raw import Reply

from referee.errors import ProgramError, UsageError
from referee.text.strict import Strict
from referee.web.answers import answer, document, error_handlers, refused
from referee.web.events import Events
from referee.web.guard import Guard

HOST: Final = "127.0.0.1:8000"
ORIGIN: Final = f"http://{HOST}"
OWN: Final = {"host": HOST, "authorization": "mine", "origin": ORIGIN}
"""The headers of a request of the user's own programs."""


class Thing(Strict):
    """What the site takes."""

    name: str
    size: int = 0


class Site:
    """A site with things.

    Attributes:
        things: those that were posted. app: the site behind its guard.
    """

    def __init__(self, port: int = 8000) -> None:
        self.things: list[Thing] = []
        self.events = Events()
        routes = [
            Route("/", self._page),
            Route("/open", self._page, methods=["GET", "POST"]),
            Route("/things", self._things),
            Route("/things", self._new, methods=["POST"]),
            Route("/api/things", self._things),
            Route("/program", self._program),
            Route("/usage", self._usage),
            Route("/lost", self._lost),
            Route("/events", self._events),
        ]
        handlers = error_handlers(lambda _request, refusal: refused(refusal), "log")
        self.app = Guard(
            Starlette(routes=routes, exception_handlers=handlers),
            origins=[f"http://127.0.0.1:{port}"],
            identify=_identify,
            open_to=lambda method, path: path == "/open",
            stranger=Response("who are you?", 401, media_type="text/html"),
        )

    async def _page(self, _request: Request) -> Response:
        return Response("a page", media_type="text/html", headers={"Content-Security-Policy": "its own"})

    async def _things(self, request: Request) -> Response:
        return answer({"user": request.scope["user"], "things": len(self.things)})

    async def _new(self, request: Request) -> Response:
        self.things.append(await document(request, Thing, 100))
        return answer({}, status=201)

    async def _program(self, _request: Request) -> Response:
        raise ProgramError("x.viper", 3, 7, "no\nend")

    async def _usage(self, _request: Request) -> Response:
        raise UsageError("there is no map \x1b[31mred")

    async def _lost(self, _request: Request) -> Response:
        raise FileNotFoundError(2, "No such file or directory", "x.jsonl")

    async def _events(self, request: Request) -> Response:
        return self.events.follow(request)


def _identify(request: HTTPConnection) -> str | None:
    return "me" if request.headers.get("authorization") == "mine" else None


def scope(
    method: str, path: str, headers: Sequence[tuple[str, str]] = (), client: tuple[str, int] | None = None
) -> dict[str, Any]:
    """A request as a server hands it to a site."""
    url = urlsplit(path)
    return {
        "type": "http", "http_version": "1.1", "method": method, "path": unquote(url.path), "raw_path": url.path.encode(),
        "query_string": url.query.encode(), "root_path": "", "client": client,
        "headers": [(key.encode(), value.encode(errors="surrogateescape")) for key, value in headers],
    }  # fmt: skip


async def asked(site: ASGIApp, request: dict[str, Any], body: Sequence[bytes] | AsyncGenerator[bytes, None]) -> Reply:
    """The answer to a request whose body comes in these parts. Its client waits for the answer."""
    sent: list[Any] = []
    parts = body if isinstance(body, AsyncGenerator) else _whole(body)
    ended = False

    async def receive() -> dict[str, Any]:
        nonlocal ended
        async for part in parts:
            return {"type": "http.request", "body": part, "more_body": True}
        if ended:
            await trio.sleep_forever()
        ended = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async with aclosing(parts):
        await site(request, receive, send)
    headers = {key.decode().lower(): value.decode() for key, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))


async def ask(
    site: Site,
    method: str,
    path: str,
    *,
    body: bytes | AsyncGenerator[bytes, None] = b"",
    headers: dict[str, str] | Sequence[tuple[str, str]] = OWN,
) -> Reply:
    """The answer of the small site to a request."""
    named = list(headers.items()) if isinstance(headers, dict) else headers
    return await asked(site.app, scope(method, path, named), [body] if isinstance(body, bytes) else body)


async def _whole(parts: Sequence[bytes]) -> AsyncGenerator[bytes, None]:
    for part in parts:
        yield part
