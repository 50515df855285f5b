"""Stands before a site: whose request it is, whether its host and origin are ours, and the headers of every response.

1. `Host` must be one of ours. Otherwise another site could point its own name to this machine (DNS rebinding), and its pages
   would have our origin.
2. A request that changes something needs a user and must come from our own pages: browsers say so in `Sec-Fetch-Site`, older ones
   and other programs in `Origin`. GET and HEAD change nothing.
   With `programs`, a request without a cookie may come without both: no browser sends one for a stranger's page.
3. A site says which user a request belongs to (`identify`: None for a stranger, or it raises a `Refusal`), and what a stranger
   may ask for (`open_to`). Everything else is refused here, before a handler sees it: a new address is closed until it is opened.
4. Every response gets the headers of `HEADERS`. A page brings its own policy (`pages.py`); any other response may load nothing.
5. Some requests are answered before their bodies have arrived, for example uploads that are too large. Browsers and most
   programs read only after they have written. If the connection closed at once, they would see a broken connection and no
   reason. So the guard first reads and drops the rest of the body, for at most `UPLOAD_TIME` seconds, if its length is known and
   at most `DROPPED_BYTES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Final, Generic, TypeVar

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.web.answers import UPLOAD_TIME, Refusal, refused, whole

NOTHING: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy of a response that is no page."""
HEADERS: Final = {
    "Content-Security-Policy": NOTHING,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of every response that does not have its own."""
DROPPED_BYTES: Final = 64 * 2**20
"""The most bytes of a body whose rest is read and dropped."""
LONGEST_PATH: Final = 2000
"""Characters of an address. Python refuses to read numbers of more than 4300 digits."""
READING: Final = frozenset({"GET", "HEAD"})
CHANGING: Final = frozenset({"POST", "PUT", "DELETE"})

User = TypeVar("User")


@dataclass(frozen=True)
class Guard(Generic[User]):
    """An ASGI application around a site's own.

    Attributes:
        origins: ours, such as `http://127.0.0.1:8000`.
        identify: see theory, point 3. The user is in `request.scope["user"]`.
        open_to: whether a stranger may send this method to this path.
        stranger: the page for a stranger who asks for another one.
        programs: see theory, point 2.
    """

    site: ASGIApp
    _: KW_ONLY
    origins: Sequence[str]
    identify: Callable[[HTTPConnection], User | None]
    open_to: Callable[[str, str], bool]
    stranger: ASGIApp
    programs: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.site(scope, receive, send)
            return

        body = _Body(scope, receive)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                body.whole |= message["status"] == 408  # it had its time
            elif not (message.get("more_body") or body.whole):
                await send({**message, "more_body": True})
                await body.drop()
                message = {"type": "http.response.body"}
            await send(message)

        try:
            handle = self._admit(scope)
        except Refusal as wrong:
            handle = refused(wrong)
        await handle(scope, body.receive, guarded)

    def _admit(self, scope: Scope) -> ASGIApp:
        """The application that answers a request.

        Raises:
            Refusal: it is not admitted.
        """
        headers, method, path = Headers(scope=scope), scope["method"], scope["path"]
        ours = [[origin.partition("://")[2]] for origin in self.origins]
        if headers.getlist("host") not in ours:
            raise Refusal("bad_request", "this server is not reached by that name", status=421)
        if {"content-length", "transfer-encoding"} <= {*headers}:  # a proxy may see another end (RFC 9112, 6.1)
            raise Refusal("bad_request", "a request has Content-Length or Transfer-Encoding, not both")
        if len(path) > LONGEST_PATH:
            raise Refusal("bad_request", f"an address has {LONGEST_PATH} characters at most", status=414)
        if method not in READING | CHANGING:
            raise Refusal("bad_request", "this server knows GET, HEAD, POST, PUT and DELETE", status=405)
        scope["user"] = user = self.identify(HTTPConnection(scope))
        if user is None and not self.open_to(method, path):
            if method in READING and not path.startswith("/api/"):
                return self.stranger
            raise Refusal("unauthorized", "sign in first: send the session's cookie, or a Bearer token")
        if method in CHANGING and not self._ours(headers):
            raise Refusal("forbidden", "a request that changes something must come from this site's own pages")
        return self.site

    def _ours(self, headers: Headers) -> bool:
        site = headers.get("sec-fetch-site")
        if self.programs and not {"cookie", "origin", "sec-fetch-site"} & {*headers}:
            return True
        return headers.get("origin") in self.origins if site is None else site == "same-origin"


def cookie(request: HTTPConnection, name: str) -> str:
    """The value of a cookie, without changes; empty if there is none.

    Starlette strips more blanks from names than HTTP knows. So it takes `\\xa0__Host-x` for `__Host-x`, and a neighbouring site
    can plant that: browsers do not see the prefix. It also needs seconds to unquote a long value (CVE-2024-7592).
    """
    pairs = (pair.strip(" \t").partition("=") for pair in ";".join(request.headers.getlist("cookie")).split(";"))
    return next((value for key, _, value in pairs if key == name), "")


class _Body:
    """The body of a request, as it arrives.

    Attributes:
        whole: whether no more of it is read.
    """

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        headers = Headers(scope=scope)
        length = None if "transfer-encoding" in headers else whole(headers.get("content-length", "0"))
        self.whole = not 0 < (length or 0) <= DROPPED_BYTES

    async def receive(self) -> Message:
        """The next part, as an application receives it."""
        message = await self._receive()
        self.whole |= not message.get("more_body")
        return message

    async def drop(self) -> None:
        """Read the rest (theory, point 5)."""
        with anyio.move_on_after(UPLOAD_TIME):
            while not self.whole:
                await self.receive()
