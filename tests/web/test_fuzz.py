"""Malformed requests: the server answers or hangs up, and stays."""

import random
import socket
from contextlib import suppress

import pytest
from web.raw import connect, exchange, parsed
from web.serving import served

pytestmark = pytest.mark.machine
CASES = 300


def malformed(rng: random.Random, port: int) -> bytes:
    """A request that is not one."""
    base = f"Host: 127.0.0.1:{port}\r\nAuthorization: mine\r\nOrigin: http://127.0.0.1:{port}\r\n"
    method = rng.choice(["GET", "POST", "PUT", "A" * 300, "", "\0", "PRI"])
    path = rng.choice(["/", "*", "http://", "/%", "/\xff", "?", "/things", "/events", "/../..", "/%00"])
    version = rng.choice(["1.1", "1.0", "0.9", "2.0", "9.9", "x"])
    coding = rng.choice(["chunked", "gzip", "chunked, chunked", "identity"])
    chunk = rng.choice(["zz", "-1", "f" * 16, "5", "0", "5;x=y"])
    length = rng.choice(["-1", "1", "9" * 20, "a", "1, 1"])
    upgrade = rng.choice(["websocket", "h2c", "x"])
    last = rng.choice(["-1", "0", "9" * 17, "x"])
    head = f"{method} {path} HTTP/{version}\r\n{base}"
    return rng.choice(
        [
            rng.randbytes(rng.randrange(1, 400)),
            b"GET / HTTP/1.1\r\n" + rng.randbytes(60) + b"\r\n\r\n",
            b"\r\n" * rng.randrange(1, 30),
            f"{head}\r\n".encode("latin-1"),
            f"{head}Transfer-Encoding: {coding}\r\n\r\n{chunk}\r\n".encode("latin-1") + rng.randbytes(20),
            f"{head}Content-Length: {length}\r\n\r\n".encode("latin-1") + rng.randbytes(3),
            f"{head}Upgrade: {upgrade}\r\nConnection: Upgrade\r\nHTTP2-Settings: !!\r\n\r\n".encode("latin-1"),
            f"{head}Last-Event-ID: {last}\r\n\r\n".encode("latin-1"),
            f"{head}Expect: 100-continue\r\nContent-Length: 20\r\n\r\n".encode("latin-1") + rng.randbytes(20),
            head.encode("latin-1") + b"".join(b"X-%d: y\r\n" % number for number in range(150)) + b"\r\n",
        ]
    )


def test_the_server_survives_malformed_requests() -> None:
    rng = random.Random(1)
    with served() as site:
        for number in range(CASES):
            with connect(site.port) as connection, suppress(ConnectionError, TimeoutError):
                connection.settimeout(0.02)
                connection.sendall(malformed(rng, site.port))
                if number % 2:
                    connection.shutdown(socket.SHUT_WR)
                if number % 3:
                    connection.recv(100)
                if number % 5 == 0:  # the end comes as a reset
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            assert site.poll() is None
        request = (
            f"GET /things HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nAuthorization: mine\r\nConnection: close\r\n\r\n"
        )
        assert parsed(exchange(site.port, request.encode())).status == 200
        site.terminate()
        _, err = site.communicate()
        assert err == "", "no request is a bug"
