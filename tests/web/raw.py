"""A client of a site that sends what it is told to, byte for byte, and can be as rude as it likes."""

import json
import socket
from contextlib import suppress
from typing import Any, Final, NamedTuple

PATIENCE: Final = 30.0
"""Seconds until a server that does not answer is a failure; only a hang takes so long."""


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Why a request was refused."""
        return self.json["error"]["code"]

    @property
    def tag(self) -> str | None:
        """The ETag of a program's text."""
        return self.headers.get("etag")

    @property
    def session(self) -> str:
        """The cookie that it sets, as a browser sends it back."""
        return self.headers["set-cookie"].partition(";")[0]


def parsed(data: bytes) -> Reply:
    """The first answer in what a server sent."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        whole = b""
        while body and (size := int(body.partition(b"\r\n")[0], 16)):
            rest = body.partition(b"\r\n")[2]
            whole, body = whole + rest[:size], rest[size + 2 :]
        body = whole
    return Reply(int(first.split()[1]), headers, body)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def rest(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    data = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            data += part
    return data


def exchange(port: int, data: bytes) -> bytes:
    """All that a server answers to these bytes, until it closes the connection."""
    with connect(port) as connection:
        with suppress(ConnectionError):  # it has read enough; its answer may be there
            connection.sendall(data)
        return rest(connection)


class Client:
    """A program that talks to a site, by its token.

    Attributes:
        origin: of the site. headers: what it sends with each request.
    """

    def __init__(self, port: int, token: str | None) -> None:
        self.port, self.origin = port, f"http://127.0.0.1:{port}"
        self.headers = {"Host": f"127.0.0.1:{port}", "Origin": self.origin, "Connection": "close"}
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, value: Any = None, *, body: bytes = b"", **headers: str | None) -> Reply:
        """Send a request with a value as JSON, or with a body; a header that is None is left out (`sec_fetch_site=None`)."""
        if value is not None:
            body, headers = json.dumps(value).encode(), {"content_type": "application/json", **headers}
        named = {key.lower(): text for key, text in self.headers.items()}
        named |= {key.replace("_", "-"): text for key, text in headers.items()}
        if body or method not in ("GET", "HEAD"):
            named.setdefault("content-length", str(len(body)))
        lines = "".join(f"{key}: {text}\r\n" for key, text in named.items() if text is not None)
        return parsed(
            exchange(self.port, f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "surrogateescape") + body)
        )

    def get(self, path: str, **headers: str | None) -> Reply:
        return self.call("GET", path, **headers)

    def post(self, path: str, value: Any, **headers: str | None) -> Reply:
        return self.call("POST", path, value, **headers)
