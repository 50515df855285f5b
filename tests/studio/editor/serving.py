"""A studio that tests start, and its API."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 60.0
"""Seconds; only a hang takes so long."""


class Response(NamedTuple):
    """A response: its status, its JSON, and its ETag."""

    status: int
    body: Any
    tag: str | None


class Served:
    """A studio, or an editor, that runs."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process, self.url = process, url
        self.origin, _, self.token = url.rpartition("#")
        self.root = "/".join(self.origin.split("/")[:3])

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Ask the API; the names of headers have `_` for `-`."""
        connection = http.client.HTTPConnection(self.root.removeprefix("http://"), timeout=PATIENCE)
        sent = {"Authorization": f"Bearer {self.token}", "Origin": self.root, "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, f"/api/v1/{path}", None if body is None else json.dumps(body), sent)
        response = connection.getresponse()
        content = json.loads(response.read() or "null")
        connection.close()
        return Response(response.status, content, response.getheader("ETag"))

    def match(self, file: str) -> str:
        """The id of a saved game in the folder."""
        return next(match["id"] for match in self.ask("GET", "matches").body["matches"] if match.get("file") == file)


@contextmanager
def served(*words: str | Path, home: Path) -> Iterator[Served]:
    """A command that serves pages, until the block ends; `home` has its history."""
    command = [sys.executable, "-m", "referee", *map(str, words), "--port", "0", "--no-browser", "--json"]
    environment = {"XDG_STATE_HOME": str(home), "XDG_CACHE_HOME": str(home), "HOME": str(home), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            line = process.stdout.readline()
            assert line, process.stderr.read().decode()
            yield Served(process, json.loads(line)["url"])
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)
