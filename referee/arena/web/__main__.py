"""The process of an arena's site: `python -P -m referee.arena.web ROOT FD`. The supervisor starts it, and no user.

It gets the listening socket as descriptor FD, and one line of JSON on stdin: the `origins` of the site; `proxy`, whether it is
behind a proxy; `tls`, the files of the certificate and of its key, or null. It ends when stdin closes.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import Any, Final

from referee.arena.settings import ArenaFiles
from referee.arena.state import now
from referee.arena.web.app import application
from referee.arena.web.programs import Editor
from referee.arena.web.site import Site
from referee.errors import RefereeError
from referee.text.documents import json_of
from referee.web import server

MOST_CONNECTIONS: Final = 1500
SHARE: Final = 0.75
"""The share of the connections that one address may have, such as that of a school. A proxy may have all of them."""
MOST_FILES: Final = 2048


async def serve(root: Path, listener: server.Listener, options: dict[str, Any]) -> None:
    """Serve the arena in a folder until a signal comes or stdin closes.

    Raises:
        UsageError: its files cannot be used.
    """
    site = Site(ArenaFiles(root), origins=options["origins"], now=now, behind_proxy=options["proxy"])
    asyncio.get_running_loop().add_reader(0, _end_with_stdin)
    try:
        await server.serve(application(site, Editor(site)), listener, ending=site.events.close, tls=options["tls"])
    finally:
        site.close()


def _end_with_stdin() -> None:
    if not os.read(0, 4096):
        asyncio.get_running_loop().remove_reader(0)
        os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve the arena of the command line."""
    root, descriptor = sys.argv[1:]
    if not (line := sys.stdin.readline()).endswith("\n"):
        return  # the supervisor has ended
    os.umask(0o077)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    options, connections = json_of(line), min(MOST_CONNECTIONS, most - 200)
    each = None if options["proxy"] else int(connections * SHARE)
    listener = server.Listener(socket.socket(fileno=int(descriptor)), connections, each)
    try:
        asyncio.run(serve(Path(root), listener, options))
    except RefereeError as wrong:
        print(f"referee: {wrong}", file=sys.stderr)
        sys.exit(wrong.exit_code)


if __name__ == "__main__":
    main()
