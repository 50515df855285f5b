"""A small site behind the guard, and requests to it without a socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, Final

import trio
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from web.raw import Reply

from referee.errors import ProgramError, UsageError
from referee.text.strict import Strict
from referee.web.answers import REFUSALS, answer, document, refused
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
        handlers = dict.fromkeys(REFUSALS, self._refuse)
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

    async def _refuse(self, _request: Request, failed: Exception) -> Response:
        return refused(failed)


def _identify(request: HTTPConnection) -> str | None:
    return "me" if request.headers.get("authorization") == "mine" else None


def scope(method: str, path: str, headers: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """A request as a server hands it to a site."""
    return {
        "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "headers": [(key.encode(), value.encode()) for key, value in headers],
    }  # fmt: skip


async def ask(
    site: Site,
    method: str,
    path: str,
    *,
    body: bytes | AsyncGenerator[bytes, None] = b"",
    headers: dict[str, str] | Sequence[tuple[str, str]] = OWN,
) -> Reply:
    """The answer to a request."""
    named = list(headers.items()) if isinstance(headers, dict) else list(headers)
    sent: list[dict[str, Any]] = []
    parts = _whole(body) if isinstance(body, bytes) else body

    async def receive() -> dict[str, Any]:
        async for part in parts:
            return {"type": "http.request", "body": part, "more_body": True}
        if sent:
            await trio.sleep_forever()  # a client that waits
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async with aclosing(parts):
        await site.app(scope(method, path, named), receive, send)
    start = sent[0]
    if start["type"] != "http.response.start":
        return Reply(0, {}, b"")
    return Reply(
        start["status"],
        {key.decode().lower(): value.decode() for key, value in start["headers"]},
        b"".join(message.get("body", b"") for message in sent[1:]),
    )


async def _whole(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body
