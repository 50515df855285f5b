"""Processes that work for a site: the jobs of a studio, the parts of an arena.

1. A process gets lines of JSON on its stdin: its request first, perhaps more later. A job answers in lines of JSON on stdout.
2. It ends when its stdin closes, so no process is left when its site is killed. Signals of a terminal are for the site alone.
3. It runs on trio. Whoever starts it may run on any event loop.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import anyio
import trio
from anyio.abc import Process

from referee.errors import ungrouped

Message: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class Channel:
    """The site, as its process sees it. `listener` gets what the site sends after the request."""

    listener: Callable[[Message], None] = lambda _message: None

    def tell(self, kind: str, **fields: Any) -> None:
        """Report something that happened."""
        self.write({"event": kind, **fields})

    def say(self, line: str) -> None:
        """Take a line for people at a terminal: pages show none."""

    def write(self, message: Message) -> None:
        """Write a line of JSON, in one write, so that it is whole. The stdout of games, bots and compilers is elsewhere."""
        assert sys.__stdout__ is not None
        sys.__stdout__.write(json.dumps(message) + "\n")
        sys.__stdout__.flush()


def run(work: Callable[[Message], Awaitable[None]], hear: Callable[[Message], None] = lambda _message: None) -> None:
    """Run this process for a site: work on the request, until it is done or stdin closes.

    Args:
        hear: gets each later message.

    Raises:
        What `work` raises.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ungrouped():
        trio.run(_until_closed, work, hear)


async def _until_closed(work: Callable[[Message], Awaitable[None]], hear: Callable[[Message], None]) -> None:
    messages = _messages()
    if (request := await anext(messages, None)) is None:
        return
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            async for message in messages:
                hear(message)
            nursery.cancel_scope.cancel()

        nursery.start_soon(listen)
        await work(request)
        nursery.cancel_scope.cancel()


async def _messages() -> AsyncGenerator[Message, None]:
    """What the site sends."""
    stdin, rest = trio.lowlevel.FdStream(os.dup(0)), bytearray()
    while True:
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield json.loads(line)
        if not (part := await stdin.receive_some()):
            return
        rest += part


async def end(process: Process, seconds: float) -> None:
    """Let a process end what it has started, or kill it with its session after so many seconds."""
    with anyio.CancelScope(shield=True):
        assert process.stdin is not None
        await process.stdin.aclose()
        with anyio.move_on_after(seconds):
            await process.wait()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        await process.aclose()
