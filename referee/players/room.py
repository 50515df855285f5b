"""How many programs of a match may be started and run at once, where each answer takes a process of its own.

As many as there are processors to run on: more of them would only wait for each other, and pay for it with their own time.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio


class Room:
    """Places for programs that run; who wants one waits for it, first come, first served."""

    def __init__(self, places: int | None = None) -> None:
        """So many places; None for one a processor."""
        self._count = len(os.sched_getaffinity(0)) if places is None else places
        self._places = trio.CapacityLimiter(self._count)
        self._one_at_a_time = trio.Lock()

    @asynccontextmanager
    async def beside_others(self) -> AsyncIterator[None]:
        """One place."""
        async with self._places:
            yield

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """All places: everybody else has left by then. Not for who has a place already."""
        held: list[object] = []
        async with self._one_at_a_time:  # two of them would each hold what the other waits for
            try:
                for _ in range(self._count):
                    place = object()
                    await self._places.acquire_on_behalf_of(place)
                    held.append(place)
                yield
            finally:
                for place in held:
                    self._places.release_on_behalf_of(place)
