"""Live events: a site publishes, and each open page follows (Server-Sent Events).

1. Events have ascending ids. A browser that lost its connection names the last one that it has (`Last-Event-ID`) and gets what
   came after it. If that is no longer kept, it gets the event `reset` first: its page then asks for everything anew.
2. A follower that does not keep up is dropped, and comes back by point 1. So nobody waits for a slow reader, and memory is
   bounded.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from starlette.requests import Request
from starlette.responses import StreamingResponse

from referee.web.answers import Refusal

KEPT: Final = 512
"""Events that are kept for followers that come back."""
BEHIND: Final = 256
"""Events that a follower may be behind."""
FOLLOWERS: Final = 64
"""The most open streams of a site by default."""
BEAT: Final = 15.0
"""Seconds after which a silent stream sends a comment, so that both ends notice a broken connection."""


class Event(NamedTuple):
    """Something that happened, ready to be sent."""

    id: int
    text: str


class Events:
    """What a site publishes, and who follows it."""

    def __init__(self, followers: int = FOLLOWERS) -> None:
        """Begin without events; `followers` is the most open streams."""
        self._most = followers
        self._last = 0
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._followers: set[MemoryObjectSendStream[Event]] = set()

    def publish(self, kind: str, document: Any) -> None:
        """Send an event to all followers."""
        self._last += 1
        data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        event = Event(self._last, f"id: {self._last}\nevent: {kind}\ndata: {data}\n\n")
        self._kept.append(event)
        for follower in list(self._followers):
            try:
                follower.send_nowait(event)
            except anyio.WouldBlock:
                self._drop(follower)

    def close(self) -> None:
        """End all streams."""
        self._most = 0
        for follower in list(self._followers):
            self._drop(follower)

    def follow(self, request: Request) -> StreamingResponse:
        """The stream for a request.

        Raises:
            Refusal: there are too many streams already.
        """
        if len(self._followers) >= self._most:
            raise Refusal("too_many", "too many pages follow this site: close some of them", retry_after=30)
        said = request.headers.get("last-event-id", "")
        since = int(said) if said.isdecimal() and len(said) < 16 else None
        return StreamingResponse(self._stream(since), media_type="text/event-stream")

    async def _stream(self, since: int | None) -> AsyncIterator[str]:
        send, receive = anyio.create_memory_object_stream[Event](BEHIND)
        self._followers.add(send)
        try:
            yield "retry: 1000\n\n"
            if since is not None and since != self._last:
                first = self._kept[0].id if self._kept else self._last + 1
                if not first - 1 <= since <= self._last:
                    yield f"id: {self._last}\nevent: reset\ndata: {{}}\n\n"
                else:
                    for event in [event for event in self._kept if event.id > since]:
                        yield event.text
            while True:
                with anyio.move_on_after(BEAT):
                    try:
                        event = await receive.receive()
                    except anyio.EndOfStream:
                        return
                    yield event.text
                    continue
                yield ": still here\n\n"
        finally:
            self._drop(send)

    def _drop(self, follower: MemoryObjectSendStream[Event]) -> None:
        self._followers.discard(follower)
        follower.close()
