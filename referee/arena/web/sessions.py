"""Whose request it is: a Bearer key, or the cookie of a session; and how often somebody may guess.

1. If a request has an `Authorization` header, only that counts. A browser's cookie adds nothing to it.
2. An address gets `GUESSES` wrong keys or invitations a minute. An IPv6 network of 64 bits counts as one address. A right
   key or invitation is never refused: a class may have one address, and nobody guesses 192 bits.
3. Behind a proxy, the client's address is the last one of X-Forwarded-For: the proxy has written it, perhaps as one more header
   of that name. Otherwise the header is whatever the client likes, and is not read.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from referee.arena.accounts import SESSION_TERM, Accounts
from referee.arena.rows import User
from referee.web.answers import Refusal
from referee.web.guard import cookie
from referee.web.server import network_of

COOKIE: Final = "__Host-arena"
GUESSES: Final = 10
WINDOW: Final = 60.0
"""Seconds in which an address has so many."""
ADDRESSES: Final = 10_000
"""Addresses that are remembered; the oldest are forgotten."""
_WITH_PORT: Final = re.compile(r"^\[([^]]*)\](?::\d+)?$|^([^:]*):\d+$")
"""An address as some proxies write it: `1.2.3.4:5678`, `[::1]:5678`."""
LONGEST: Final = 200
"""Characters of a secret that is looked at."""


class Sessions:
    """Finds users by what their requests show. `now` gives seconds since 1970."""

    def __init__(self, accounts: Accounts, *, now: Callable[[], float], behind_proxy: bool) -> None:
        """Begin with no wrong guesses."""
        self._accounts, self._now, self._behind_proxy = accounts, now, behind_proxy
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def identify(self, request: HTTPConnection) -> User | None:
        """The user of a request, None for a stranger.

        Raises:
            Refusal: the key is wrong.
        """
        header = request.headers.get("authorization")
        if header is None:
            token = session_of(request)
            return self._accounts.by_session(token) if token else None
        scheme, _, key = header.partition(" ")
        user = self._accounts.by_key(key.strip()[:LONGEST]) if scheme.lower() == "bearer" else None
        return self.guessed(request, user, "no user has this key")

    def guessed(
        self, request: HTTPConnection, user: User | None, wrong: str = "this name and key do not belong together"
    ) -> User:
        """The user whom a secret has led to.

        Args:
            wrong: what is said if it has led to none. It does not say what is wrong with it.

        Raises:
            Refusal: it has led to none.
        """
        if user is None:
            self.count_wrong(request)
            raise Refusal("unauthorized", f"{wrong}: look for your newest key, or ask the organiser for a new one")
        return user

    def count_wrong(self, request: HTTPConnection) -> None:
        """Count a wrong guess.

        Raises:
            Refusal: there were too many before, from the same address.
        """
        address = self.address(request)
        times = self._wrong.setdefault(address, deque(maxlen=GUESSES))
        while times and times[0] <= self._now() - WINDOW:
            times.popleft()
        if len(times) == GUESSES:
            wait = max(1, int(times[0] + WINDOW - self._now()) + 1)
            raise Refusal("too_many", f"too many wrong keys from your address: wait {wait} seconds", retry_after=wait)
        times.append(self._now())
        self._wrong.move_to_end(address)
        if len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)

    def begin(self, request: HTTPConnection, user: User, response: Response) -> Response:
        """Begin a session, with a new token; the one that the browser had ends."""
        if token := session_of(request):
            self._accounts.sign_out(token)
        response.set_cookie(
            COOKIE,
            self._accounts.sign_in(user),
            max_age=SESSION_TERM,
            path="/",
            secure=True,
            httponly=True,
            samesite="lax",
        )
        return response

    def end(self, request: HTTPConnection, response: Response) -> Response:
        """End the session of a request, if it has one."""
        if token := session_of(request):
            self._accounts.sign_out(token)
            response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
        return response

    def address(self, request: HTTPConnection) -> str:
        """Where a request comes from (theory, points 2 and 3)."""
        host = request.client.host if request.client else ""
        if self._behind_proxy:
            host = ",".join(request.headers.getlist("x-forwarded-for") or [host]).rpartition(",")[2].strip()
            host = _WITH_PORT.sub(r"\1\2", host)
        return network_of(host)


def session_of(request: HTTPConnection) -> str | None:
    """The token of the cookie, unless it is no token of ours by its length."""
    token = cookie(request, COOKIE)
    return token if 0 < len(token) <= LONGEST else None
