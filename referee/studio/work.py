"""The process of a job: `python -m referee.studio.work KIND`. See `jobs.py` for what it reads and writes."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from importlib import import_module
from typing import Any, Final, TypeAlias

import trio

from referee.errors import RefereeError, ungrouped

KINDS: Final = {
    "match": "referee.studio.playing",
    "ask": "referee.studio.asking",
    "check": "referee.studio.checking",
    "compare": "referee.studio.comparing",
    "page": "referee.studio.rendering",
}
"""Where the work of each kind is: `work(request, channel) -> result`."""


class Channel:
    """The studio, as a job sees it.

    Attributes:
        heard: a function that gets what the studio says after the request.
    """

    heard: Callable[[dict[str, Any]], None]

    def __init__(self) -> None:
        self.heard = lambda _line: None

    def tell(self, kind: str, **what: Any) -> None:
        """Report something that happened."""
        _put({"event": kind, **what})


Work: TypeAlias = Callable[[dict[str, Any], Channel], Awaitable[Any]]


def main() -> None:
    """Do one job."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work: Work = import_module(KINDS[sys.argv[1]]).work
    try:
        result = ungrouped(lambda: trio.run(_run, work))
    except RefereeError as failed:
        _put({"error": str(failed)})
    except OSError as failed:
        _put({"error": f"{failed.filename or 'the machine'}: {failed.strerror or failed}"})
    else:
        if result is not None:
            _put({"result": result})


async def _run(work: Work) -> Any:
    """Work on the request, until it is done or the studio has closed stdin."""
    channel, lines, results = Channel(), _lines(), list[Any]()
    request = await anext(lines)
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            async for line in lines:
                channel.heard(line)
            nursery.cancel_scope.cancel()

        nursery.start_soon(listen)
        results.append(await work(request, channel))
        nursery.cancel_scope.cancel()
    return results[0] if results else None


async def _lines() -> AsyncGenerator[dict[str, Any], None]:
    """What the studio says."""
    stdin, rest = trio.lowlevel.FdStream(os.dup(0)), bytearray()
    while True:
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield json.loads(line)
        if not (part := await stdin.receive_some()):
            return
        rest += part


def _put(document: dict[str, Any]) -> None:
    # One write, so that lines are whole; stdout of bots and compilers is elsewhere.
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
