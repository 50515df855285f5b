"""The process of the site: it serves a socket that it gets, and ends with its parent."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from arena.web.lab import Lab

pytestmark = pytest.mark.machine
PATIENCE = 60
"""Seconds until a site that does not answer is a failure; only a hang takes so long."""


class Site:
    """A running site, and its address."""

    def __init__(self, root: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
            command = [sys.executable, "-P", "-m", "referee.arena.web", str(root), str(listener.fileno())]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(listener.fileno(),)
            )
        assert self.process.stdin is not None
        served = {"origins": [f"http://127.0.0.1:{self.port}"], "proxy": False, "tls": None}
        self.process.stdin.write(json.dumps(served).encode() + b"\n")
        self.process.stdin.flush()

    def say(self, *parts: bytes) -> bytes:
        """Send bytes, and return all that comes until the site closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as client:
            for part in parts:
                client.sendall(part)
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while more := client.recv(65536):
                answer += more
            return answer

    def get(self, path: str, *more: str) -> bytes:
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close", *more, "", ""]
        return self.say("\r\n".join(lines).encode())

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stderr):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Site]:
    lab = Lab(tmp_path / "arena")
    lab.user("ann")
    lab.close()
    site = Site(lab.files.root)
    yield site
    site.end()


def test_a_client_that_leaves_in_an_upload_leaves_nothing_and_it_ends_with_its_parent(
    running: Site, tmp_path: Path
) -> None:
    lab = Lab(tmp_path / "arena")
    user = lab.site.accounts.user("ann")
    assert user is not None
    key = lab.site.accounts.new_key(user, "test")
    head = (
        f"POST /api/v1/bots/b/versions?file=b.py HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n"
        f"Authorization: Bearer {key}\r\nContent-Length: 1000\r\n\r\n"
    )
    assert running.get("/").startswith(b"HTTP/1.1 200")
    running.say(head.encode(), b"half")
    whole = running.say(
        head.replace("1000", "8").encode().replace(b"Content", b"Connection: close\r\nContent"), b"print(1)"
    )
    assert b" 202 " in whole.splitlines()[0]
    assert [path.name for path in lab.files.inbox.iterdir()] == ["1.py"]
    lab.close()
    with socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE) as stream:
        stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n\r\n".encode())
        assert b"text/event-stream" in stream.recv(65536)
        assert running.process.stdin is not None
        running.process.stdin.close()
        assert running.process.wait(PATIENCE) == 0
