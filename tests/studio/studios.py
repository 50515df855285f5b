"""A studio that runs, and what tests ask it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from web.raw import PATIENCE, Client, Reply, connect

COMMAND: Final = (sys.executable, "-m", "referee")
OVER: Final = ("done", "failed")


class Studio(Client):
    """A studio in a process of its own.

    Attributes:
        url: what the command printed. folder: what it shows. environ: the environment, with folders of its own.
    """

    def __init__(self, process: subprocess.Popen[str], url: str, folder: Path, environ: dict[str, str]) -> None:
        parts = urlsplit(url)
        assert parts.port is not None
        super().__init__(parts.port, parts.fragment)
        self.process, self.url, self.folder, self.environ = process, url, folder, environ

    def start(self, path: str, value: Any) -> dict[str, Any]:
        reply = self.post(f"/api/v1/{path}", value)
        assert reply.status == 202, reply.json
        return reply.json

    def ask(self, method: str, path: str, value: Any = None, **headers: str) -> Reply:
        return self.call(method, f"/api/v1/{path}", value, **headers)

    def match_of(self, file: str) -> str:
        """The id of a saved game in the folder."""
        return next(match["id"] for match in self.get("/api/v1/matches").json["matches"] if match.get("file") == file)

    def until(self, path: str, condition: Callable[[Any], Any]) -> Any:
        """What is at an address once it is as wanted; it is asked for after each event."""
        with self.following() as events:
            while not condition(state := self.get(path).json):
                next(events)
        return state

    def played(self, match: dict[str, Any]) -> dict[str, Any]:
        """A match once it is over."""
        return self.until(f"/api/v1/matches/{match['id']}", lambda state: state["state"] in OVER)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of the same user in the same folder."""
        return subprocess.run(
            [*COMMAND, *words], cwd=self.folder, env=self.environ, capture_output=True, text=True, check=False
        )

    @contextmanager
    def following(self) -> Iterator[Iterator[dict[str, Any]]]:
        """What happens from now on: events as JSON with their `kind` and `number`."""
        with connect(self.port) as connection:
            headers = "".join(f"{key}: {text}\r\n" for key, text in self.headers.items() if key != "Connection")
            connection.sendall(f"GET /api/v1/events HTTP/1.1\r\n{headers}\r\n".encode())
            file = connection.makefile("rb")
            while file.readline() != b"\r\n":
                pass
            while b"retry" not in file.readline():
                pass
            yield _events(file)


def _events(file: Any) -> Iterator[dict[str, Any]]:
    number, kind = 0, ""
    for line in file:  # sizes of chunks and empty lines are no fields
        name, _, value = line.decode().strip().partition(": ")
        if name == "id":
            number = int(value)
        elif name == "event":
            kind = value
        elif name == "data":
            yield {**json.loads(value), "kind": kind, "number": number}


@contextmanager
def opened(folder: Path, home: Path, *words: str) -> Iterator[Studio]:
    """The studio of a folder, until the block ends.

    Args:
        home: for the history, caches and temporary folders. words: another command that opens it.
    """
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache")}
    environ = {**os.environ, **own, "TMPDIR": str(home / "tmp")}
    with subprocess.Popen(
        [*COMMAND, *(words or ("studio", str(folder))), "--no-browser", "--json"],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = json.loads(process.stdout.readline())
            assert line == {"url": line["url"], "pid": process.pid}
            yield Studio(process, line["url"], folder, environ)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
