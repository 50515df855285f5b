"""Whose browser it is: the token that the command prints becomes a cookie, once."""

from __future__ import annotations

import secrets
from hmac import compare_digest

from starlette.requests import HTTPConnection
from starlette.responses import Response

from referee.web.answers import Refusal


class Session:
    """The one user of a studio. Other programs of this user send the token as `Authorization: Bearer TOKEN`.

    Attributes:
        token: what the command prints, 128 bits.
    """

    def __init__(self, port: int) -> None:
        """A new token; `port` tells the cookies of several studios apart, because cookies do not know ports."""
        self.token = secrets.token_hex(16)
        self._cookie, self._secret = f"studio-{port}", secrets.token_hex(32)
        self._used = False

    def identify(self, request: HTTPConnection) -> bool | None:
        """True if the request is the user's, otherwise None."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(token.strip(), self.token):
            return True
        return _same(request.cookies.get(self._cookie, ""), self._secret) or None

    def begin(self, token: str) -> Response:
        """The answer to a browser that shows the token: a cookie.

        Raises:
            Refusal: it is another token, or it has been used.
        """
        if self._used or not _same(token, self.token):
            raise Refusal("unauthorized", "this address has been used, or is not that of a studio: start a new studio")
        self._used = True
        response = Response(status_code=204)
        response.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict")
        return response


def _same(secret: str, own: str) -> bool:
    return compare_digest(secret.encode(errors="replace"), own.encode())
