"""The user of a request: by a Bearer key, or by the cookie of a session; and the limit of wrong guesses.

1. If a request has an `Authorization` header, only that counts. A browser's cookie adds nothing to it.
2. An address may send `GUESSES` wrong keys or invitations a minute. An IPv6 network of 64 bits counts as one address. A right
   key or invitation is never refused: a class may have one address, and nobody guesses 192 bits.
3. Behind a proxy, the client's address is the last one of X-Forwarded-For: the proxy has written it, perhaps as another header
   of that name. Without a proxy, the client writes this header itself, so it is not read.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from referee.arena.accounts import SESSION_TERM, Accounts
from referee.arena.rows import User
from referee.web.answers import Refusal
from referee.web.guard import cookie
from referee.web.server import network_of

COOKIE: Final = "__Host-arena"
COOKIE_OPTIONS: Final[dict[str, Any]] = {"path": "/", "secure": True, "httponly": True, "samesite": "lax"}
GUESSES: Final = 10
WINDOW: Final = 60.0
"""Seconds in which an address may send so many wrong guesses."""
MOST_ADDRESSES: Final = 10_000
"""Addresses that are remembered."""
MOST_CHARACTERS: Final = 200
"""Characters of a key or a token that are read."""


class Sessions:
    """Finds the users of requests. `now` gives seconds since 1970."""

    def __init__(self, accounts: Accounts, *, now: Callable[[], float], behind_proxy: bool) -> None:
        self._accounts, self._now, self._behind_proxy = accounts, now, behind_proxy
        self._guesses: OrderedDict[str, deque[float]] = OrderedDict()

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
        user = self._accounts.by_key(key.strip()[:MOST_CHARACTERS]) if scheme.lower() == "bearer" else None
        return self.known(request, user, "no user has this key")

    def known(self, request: HTTPConnection, user: User | None, wrong: str) -> User:
        """The user with a secret.

        Args:
            user: None if the secret was wrong, which is counted. wrong: the message then, which does not say what was wrong.

        Raises:
            Refusal: there is no user.
        """
        if user is None:
            self.count_guess(request)
            raise Refusal("unauthorized", f"{wrong}: look for your newest key, or ask the organiser for a new one")
        return user

    def count_guess(self, request: HTTPConnection) -> None:
        """Count a wrong guess.

        Raises:
            Refusal: there were too many from this address.
        """
        address = self.address(request)
        times = self._guesses.setdefault(address, deque(maxlen=GUESSES))
        now = self._now()
        while times and not now - WINDOW < times[0] <= now:  # a clock that was put back locks nobody out
            times.popleft()
        if len(times) == GUESSES:
            wait = max(1, int(times[0] + WINDOW - now) + 1)
            raise Refusal("too_many", f"too many wrong keys from your address: wait {wait} seconds", retry_after=wait)
        times.append(now)
        self._guesses.move_to_end(address)
        if len(self._guesses) > MOST_ADDRESSES:
            self._guesses.popitem(last=False)

    def begin(self, request: HTTPConnection, user: User, response: Response) -> Response:
        """Begin a session with a new token. The session that the browser had ends."""
        if token := session_of(request):
            self._accounts.sign_out(token)
        response.set_cookie(COOKIE, self._accounts.sign_in(user), max_age=SESSION_TERM, **COOKIE_OPTIONS)
        return response

    def end(self, request: HTTPConnection, response: Response) -> Response:
        """End the session of a request, if it has one."""
        if token := session_of(request):
            self._accounts.sign_out(token)
            response.delete_cookie(COOKIE, **COOKIE_OPTIONS)
        return response

    def address(self, request: HTTPConnection) -> str:
        """The client's address (theory, points 2 and 3)."""
        host = request.client.host if request.client else ""
        if self._behind_proxy:
            host = ",".join(request.headers.getlist("x-forwarded-for") or [host]).rpartition(",")[2].strip()
        return network_of(host)


def session_of(request: HTTPConnection) -> str:
    """The token in the cookie; empty if there is none, or if it is too long for one of ours."""
    token = cookie(request, COOKIE)
    return token if len(token) <= MOST_CHARACTERS else ""
