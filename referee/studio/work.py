"""The process of a job: `python -m referee.studio.work KIND`, KIND a function of `tasks`. See `jobs` for its input and output."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from importlib import import_module
from typing import Any

import trio

from referee.errors import RefereeError, ungrouped


class Channel:
    """The studio, as a job sees it.

    Attributes:
        listener: gets what the studio sends after the request.
    """

    listener: Callable[[dict[str, Any]], None]

    def __init__(self) -> None:
        self.listener = lambda _message: None

    def tell(self, kind: str, **fields: Any) -> None:
        """Report something that happened."""
        _put({"event": kind, **fields})

    def say(self, line: str) -> None:
        """Take a line for people at a terminal: pages show none."""


def main() -> None:
    """Do one job."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what the code of games prints is no message
    work = getattr(import_module("referee.studio.tasks"), sys.argv[1])
    try:
        ungrouped(lambda: trio.run(_run, work))
    except RefereeError as failed:
        _put({"error": str(failed)})
    except OSError as failed:
        _put({"error": f"{failed.filename or 'the machine'}: {failed.strerror or failed}"})


async def _run(work: Callable[[dict[str, Any], Channel], Awaitable[Any]]) -> None:
    """Work on the request, until it is done or the studio has closed stdin."""
    channel, messages = Channel(), _messages()
    request = await anext(messages)
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            async for message in messages:
                channel.listener(message)
            nursery.cancel_scope.cancel()

        nursery.start_soon(listen)
        _put({"result": await work(request, channel)})
        nursery.cancel_scope.cancel()


async def _messages() -> AsyncGenerator[dict[str, Any], None]:
    """What the studio sends."""
    stdin, rest = trio.lowlevel.FdStream(os.dup(0)), bytearray()
    while True:
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield json.loads(line)
        if not (part := await stdin.receive_some()):
            return
        rest += part


def _put(document: dict[str, Any]) -> None:
    # One write, so that lines are whole; stdout of games, bots and compilers is elsewhere.
    assert sys.__stdout__ is not None
    sys.__stdout__.write(json.dumps(document) + "\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    main()
