"""Live events: a site publishes, and each open page follows (Server-Sent Events).

1. Events have ascending ids. A browser that lost its connection names the last one that it has (`Last-Event-ID`), and a page may
   name the last one before it was made (`?last=`). They get what came after it. If that is no longer kept, they get the event
   `reset` first: a page then asks for everything anew.
2. A follower that does not keep up is dropped, and comes back by point 1. So nobody waits for a slow reader, and memory is
   bounded.
3. A stream ends after `STREAM_TIME`. Its page connects again by point 1, and the site identifies its user again.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from typing import Any, Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from referee.web.answers import Refusal, whole

KEPT_EVENTS: Final = 512
"""Events that are kept for followers that come back."""
MOST_BEHIND: Final = 256
"""Events that a follower may be behind."""
MOST_FOLLOWERS: Final = 64
"""The most open streams of a site by default."""
HEARTBEAT: Final = 15.0
"""Seconds after which a silent stream sends a comment, so that both ends notice a broken connection."""

STREAM_TIME: Final = 600.0
"""Seconds that a stream lasts, and up to `HEARTBEAT` more."""


class Events:
    """What a site publishes, and who follows it.

    Attributes:
        last: the id of the last event.
    """

    def __init__(self, followers: int = MOST_FOLLOWERS, *, each: int = MOST_FOLLOWERS, last: int = 0) -> None:
        """Begin without events.

        Args:
            followers: the most open streams. each: the most from one address.
            last: the id before the first one. A site that restarts gives a higher one than before, so that old followers get
                `reset`.
        """
        self._most, self._each = followers, each
        self.last = last
        self._kept: deque[str] = deque(maxlen=KEPT_EVENTS)
        self._followers: dict[MemoryObjectSendStream[str], str] = {}

    def publish(self, kind: str, document: Any) -> None:
        """Send an event to all followers."""
        self.last += 1
        data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        event = f"id: {self.last}\nevent: {kind}\ndata: {data}\n\n"
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

    def follow(self, request: Request, address: str = "") -> StreamingResponse:
        """The stream for a request from an address.

        Raises:
            Refusal: there are too many streams already.
        """
        if len(self._followers) >= self._most or [*self._followers.values()].count(address) >= self._each:
            raise Refusal("too_many", "too many pages follow this site: close some of them", retry_after=30)
        last = whole(request.headers.get("last-event-id", request.query_params.get("last", "")))
        missed = [] if last is None else self._since(last)
        send, receive = anyio.create_memory_object_stream[str](MOST_BEHIND)
        self._followers[send] = address

        def ended() -> None:
            self._drop(send)
            receive.close()

        return _Following(_stream(missed, receive), ended)

    def _since(self, last: int) -> list[str]:
        """The events after `last`, for a follower that comes back (theory, point 1)."""
        missed = self.last - last
        if 0 <= missed <= len(self._kept):
            return list(self._kept)[len(self._kept) - missed :]
        return [f"id: {self.last}\nevent: reset\ndata: {{}}\n\n"]

    def _drop(self, follower: MemoryObjectSendStream[str]) -> None:
        self._followers.pop(follower, None)
        follower.close()


class _Following(StreamingResponse):
    """A stream that counts from the moment of its request, whether or not a byte of it can be sent."""

    def __init__(self, content: AsyncIterator[str], ended: Callable[[], None]) -> None:
        super().__init__(content, media_type="text/event-stream")
        self._ended = ended

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


async def _stream(missed: Iterable[str], receive: MemoryObjectReceiveStream[str]) -> AsyncIterator[str]:
    yield "".join(["retry: 1000\n\n", *missed])  # to send a chunk costs more than to publish an event
    end = anyio.current_time() + STREAM_TIME
    with suppress(anyio.EndOfStream):
        while anyio.current_time() < end:
            events = [": still here\n\n"]
            with anyio.move_on_after(HEARTBEAT):
                events = [await receive.receive()]
            with suppress(anyio.WouldBlock, anyio.EndOfStream):
                while True:
                    events.append(receive.receive_nowait())
            yield "".join(events)
