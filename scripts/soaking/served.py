"""An arena that runs in processes of its own: started, reached by HTTP, killed part by part, ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote, urlencode

from referee.arena.accounts import Accounts
from referee.arena.settings import FILE, ArenaFiles, template
from referee.arena.state import now
from referee.arena.supervisor import PARTS
from referee.errors import RefereeError
from soaking.looking import children

COMMAND: Final = (sys.executable, "-m", "referee", "arena")
PATIENCE: Final = 60.0
"""Seconds that an answer, and a start, may take."""
AGAIN: Final = 0.25
"""Seconds between two tries of a start while processes of a killed supervisor are still ending."""


def made(folder: Path, game: str, seats: int, settings: Mapping[str, str]) -> ArenaFiles:
    """The folder of a new arena.

    Args:
        settings: lines for tables of `arena.toml`, by the name of the table.
    """
    folder.mkdir()
    text = template("Soak", game, [], seats)
    for table, lines in settings.items():
        text = text.replace(f"[{table}]", f"[{table}]\n{lines}\n#", 1)
    (folder / FILE).write_text(text, encoding="utf-8")
    return ArenaFiles(folder)


def joined(files: ArenaFiles, names: list[str]) -> dict[str, str]:
    """The keys of new authors, by their names."""
    with closing(Accounts(files.accounts, now=now)) as accounts:
        return {name: accounts.join(accounts.invite(name, "author", None, PATIENCE, "a soak"))[1] for name in names}


def pause(seconds: float) -> None:
    """Leave the processor to the processes of the arena."""
    time.sleep(seconds)  # noqa: TID251 - they work beside this one


class Served:
    """An arena that runs.

    Attributes:
        pid: of its supervisor. port: of its site. refused: how often a start had to be tried again.
    """

    def __init__(self, files: ArenaFiles, log: IO[bytes], *, jobs: int, env: Mapping[str, str]) -> None:
        """Start it on a free port.

        Raises:
            RefereeError: it cannot be started.
        """
        self.files, self.refused = files, 0
        self._log, self._jobs, self._env, self.port = log, jobs, env, 0
        self.start()

    def start(self) -> None:
        """Start it, on the port that it had.

        Raises:
            RefereeError: it cannot be started.
        """
        options = [str(self.files.root), f"--port={self.port}", f"--jobs={self._jobs}", "--json"]
        until = time.monotonic() + PATIENCE
        while True:
            self._process = subprocess.Popen(
                [*COMMAND, "run", *options],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, env=self._env,
            )  # fmt: skip
            assert self._process.stdout is not None
            with self._process.stdout as said:
                line = said.readline()
            if line:
                break
            if self._process.wait() != 2 or time.monotonic() > until:
                log = Path(self._log.name).read_text(encoding="utf-8", errors="replace").splitlines()
                raise RefereeError(f"the arena does not start: {' '.join(log[-1:])}")
            self.refused += 1
            pause(AGAIN)
        self.pid = self._process.pid
        self.port = int(json.loads(line)["url"].rpartition(":")[2])

    def parts(self) -> dict[str, int]:
        """The processes of its parts, by their names."""
        processes = list(children(self.pid))
        return {part: pid for part in PARTS for pid, words in processes if f"referee.arena.{part}".encode() in words}

    def kill(self, part: str) -> bool:
        """Kill a part or the `supervisor`, which is started again. Returns False if it is just being started."""
        pid = self.pid if part == "supervisor" else self.parts().get(part)
        if pid is None:
            return False
        os.kill(pid, signal.SIGKILL)
        if part == "supervisor":
            self._process.wait()
            self.start()
        return True

    def end(self) -> int:
        """End it, and return its exit code; kill it if it does not end."""
        if self._process.poll() is None:
            self._process.terminate()
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def get(self, path: str) -> tuple[int, bytes] | None:
        """The status and the body of an answer; None if nobody answers."""
        with suppress(OSError, HTTPException), self._connection() as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        return None

    def upload(
        self, key: str, bot: str, file: str, data: bytes, *, halfway: Any = None
    ) -> tuple[int, dict[str, Any]] | None:
        """Upload a bot once.

        Args:
            halfway: called when half of it is sent.

        Returns:
            The status and the document of the answer; None if nobody answers, or a site that is just ending.
        """
        with suppress(OSError, HTTPException), self._connection() as connection:
            connection.putrequest("POST", f"/api/v1/bots/{quote(bot)}/versions?{urlencode({'file': file})}")
            connection.putheader("Authorization", f"Bearer {key}")
            connection.putheader("Content-Length", str(len(data)))
            connection.endheaders(data[: len(data) // 2])
            if halfway is not None:
                halfway()
            connection.send(data[len(data) // 2 :])
            answer = connection.getresponse()
            said = answer.read()
            return (answer.status, json.loads(said)) if answer.status < 500 else None
        return None

    def _connection(self) -> closing[HTTPConnection]:
        return closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE))
