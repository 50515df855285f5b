"""Whose browser it is: the token that the command prints becomes a cookie, once.

The command line of the browser that is opened shows the token to every user of the machine. So it counts only on a connection
whose other end belongs to our user, or to root, as the kernel says (/proc/net/tcp).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from referee.web.answers import Refusal
from referee.web.guard import cookie

_SOCKETS: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENS, _CONNECTED = "0A", "01"


class Session:
    """The one user of a studio. Other programs of this user send the token as `Authorization: Bearer TOKEN`.

    Attributes:
        token: what the command prints, 128 bits.
    """

    def __init__(self, port: int) -> None:
        """A new token; `port` tells the cookies of several studios apart, because cookies do not know ports."""
        self.token = secrets.token_hex(16)
        self._port, self._cookie, self._secret = port, f"studio-{port}", secrets.token_hex(32)
        self._used = False

    def identify(self, request: HTTPConnection) -> bool | None:
        """True if the request is the user's, otherwise None."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(token.strip(), self.token) and not self._is_of_another_user(request):
            return True
        return _same(cookie(request, self._cookie), self._secret) or None

    def begin(self, request: HTTPConnection, token: str) -> Response:
        """The answer to a browser that shows the token in this request: a cookie.

        Raises:
            Refusal: it is another token, it has been used, or another user shows it.
        """
        if self._used or not _same(token, self.token):
            raise Refusal("unauthorized", "this address has been used, or is not that of a studio: start a new studio")
        if self._is_of_another_user(request):
            raise Refusal("unauthorized", "the studio belongs to another user: start it as the user of this browser")
        self._used = True
        response = Response(status_code=204)
        response.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict")
        return response

    def _is_of_another_user(self, request: HTTPConnection) -> bool:
        if request.client is None:
            return False
        rows = list[list[str]]()
        for table in _SOCKETS:
            with suppress(OSError):
                rows += [line.split() for line in table.read_text().splitlines()[1:]]
        return is_of_another(rows, request.client.port, self._port, os.getuid())


def is_of_another(rows: Sequence[Sequence[str]], client: int, port: int, uid: int) -> bool:
    """Whether the other end of a connection is not known to belong to a user, or to root.

    Args:
        rows: the kernel's table of sockets. If it does not even show that `port` listens, it says nothing of connections.
        client, port: the ports of the client and of this site.
    """
    sockets = [(row[1].rpartition(":")[2], row[2].rpartition(":")[2], row[3], int(row[7])) for row in rows]
    theirs, ours = f"{client:04X}", f"{port:04X}"
    owners = {owner for here, there, state, owner in sockets if (here, there, state) == (theirs, ours, _CONNECTED)}
    is_known = any((here, state) == (ours, _LISTENS) for here, _, state, _ in sockets)
    return is_known and (not owners or not owners <= {uid, 0})


def _same(secret: str, own: str) -> bool:
    return compare_digest(secret.encode(errors="replace"), own.encode())
