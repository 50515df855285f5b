"""Whose browser it is: the token that the command prints becomes a cookie, once.

The command line of the browser that is opened shows the token to every user of the machine. A browser sends the cookie to all
servers of 127.0.0.1, because cookies do not know ports: a link to a page of another user gives it away. So both count only on a
connection whose other end belongs to our user, or to root, as the kernel says (/proc/net/tcp).
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from socket import inet_aton
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from referee.web.answers import Refusal
from referee.web.guard import cookie

_SOCKETS: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENS, _CONNECTED = "0A", "01"
_DIGITS: Final = len("0100007F:1F40")


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
        is_known = scheme.lower() == "bearer" and _same(token.strip(), self.token)
        is_known = is_known or _same(cookie(request, self._cookie), self._secret)
        return True if is_known and not self._is_of_another_user(request) else None

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
        for table in _SOCKETS:  # each takes the kernel some milliseconds, and most browsers are in the first
            with suppress(OSError):
                rows += [line.split() for line in table.read_text().splitlines()[1:]]
            if not is_of_another(rows, request.client, self._port, os.getuid()):
                return False
        return True


def is_of_another(rows: Sequence[Sequence[str]], client: tuple[str, int], port: int, uid: int) -> bool:
    """Whether the other end of a connection is not known to belong to a user, or to root.

    Args:
        rows: the kernel's table of sockets. If it does not even show that `port` listens, it says nothing of connections.
        client: the IPv4 address and the port of the client. port: that of this site.
    """
    # An address of IPv6 ends like that of IPv4 that it stands for.
    sockets = [(row[1][-_DIGITS:], row[2][-_DIGITS:], row[3], int(row[7])) for row in rows]
    theirs, ours = _as_in_table(*client), _as_in_table("127.0.0.1", port)
    owners = {owner for here, there, state, owner in sockets if (here, there, state) == (theirs, ours, _CONNECTED)}
    is_known = any((here, state) == (ours, _LISTENS) for here, _, state, _ in sockets)
    return is_known and (not owners or not owners <= {uid, 0})


def _as_in_table(host: str, port: int) -> str:
    return f"{int.from_bytes(inet_aton(host), sys.byteorder):08X}:{port:04X}"


def _same(secret: str, own: str) -> bool:
    return compare_digest(secret.encode(errors="replace"), own.encode())
