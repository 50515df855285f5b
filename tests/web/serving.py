"""Serves the small site in a process of its own: `python -m web.serving IDLE UNREAD CONNECTIONS` prints its port."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from web.raw import PATIENCE

TESTS = Path(__file__).parents[1]


class Served(subprocess.Popen[str]):
    """A process that serves on `port`."""

    port: int


@contextmanager
def served(*, idle: float = 5.0, unread: int = 10_000, connections: int = 400) -> Iterator[Served]:
    """The small site with these limits, until the block ends."""
    command = [sys.executable, "-m", "web.serving", str(idle), str(unread), str(connections)]
    with Served(command, cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.port = int(process.stdout.readline())
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def main() -> None:
    """Serve until a signal comes, whose number becomes the exit code."""
    from web.sites import Site

    from referee.web import server

    server.IDLE, server.UNREAD, server.CONNECTIONS = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])  # type: ignore[misc]
    with server.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        site = Site(port)
        print(port, flush=True)
        sys.exit(asyncio.run(server.serve(site.app, listener, ending=site.events.close)))


if __name__ == "__main__":
    main()
