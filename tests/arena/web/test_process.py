"""The process of the site: it serves a socket that it gets, and ends with its parent."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from arena.web.lab import Lab
from web.raw import PATIENCE, Client, connect, rest
from web.serving import Served

from referee.arena.web import __main__ as part

pytestmark = pytest.mark.machine


@contextmanager
def served(root: Path, port: int = 0) -> Iterator[Served]:
    """The site of an arena at a port, or at any, until the block ends."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        command = [sys.executable, "-P", "-m", "referee.arena.web", str(root), str(listener.fileno())]
        pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = Served(command, **pipes, pass_fds=(listener.fileno(),))
        process.port = listener.getsockname()[1]
    with process:
        assert process.stdin is not None
        options = {"origins": [f"http://127.0.0.1:{process.port}"], "proxy": False, "tls": None}
        process.stdin.write(json.dumps(options) + "\n")
        process.stdin.flush()
        try:
            yield process
        finally:
            process.kill()


def test_a_client_that_leaves_in_an_upload_leaves_nothing_and_it_ends_with_its_parent(lab: Lab) -> None:
    with served(lab.files.root) as site:
        author = Client(site.port, lab.keys["ann"])
        assert author.get("/").status == 200
        upload = "/api/v1/bots/b/versions?file=b.py"
        head = f"POST {upload} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nAuthorization: Bearer {lab.keys['ann']}\r\n"
        with connect(site.port) as half:
            half.sendall(f"{head}Content-Length: 1000\r\n\r\nhalf".encode())
            half.shutdown(socket.SHUT_WR)
            rest(half)
        assert author.call("POST", upload, body=b"print(1)").status == 202
        assert [path.name for path in lab.files.inbox.iterdir()] == ["1.py"]
        with connect(site.port) as stream:
            stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode())
            assert b"text/event-stream" in stream.recv(65536)
            assert site.stdin is not None
            site.stdin.close()
            assert site.wait(PATIENCE) == 0


@pytest.mark.parametrize(("proxy", "share"), [(False, 0.75), (True, None)])
def test_one_address_leaves_connections_to_others_unless_it_is_the_proxy(
    monkeypatch: pytest.MonkeyPatch, *, proxy: bool, share: float | None
) -> None:
    made = list[Any]()
    with socket.socket() as listening:
        monkeypatch.setattr("sys.argv", ["web", "cup", str(os.dup(listening.fileno()))])
    monkeypatch.setattr("sys.stdin", StringIO(json.dumps({"proxy": proxy}) + "\n"))
    monkeypatch.setattr("asyncio.run", lambda serving: serving.close())
    monkeypatch.setattr("os.umask", lambda _mask: None)
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    monkeypatch.setattr("referee.web.server.Listener", lambda own, *limits: made.extend((own.close(), *limits)))
    part.main()
    _, connections, each = made
    assert each == (share and int(connections * share))
