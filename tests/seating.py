"""Contenders of a match from their programs, and taps for their logs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.players.stream import Tap
from referee.players.table import Contender


class Deaf:
    """A tap that does nothing."""

    def sent(self, data: bytes) -> None: ...

    def received(self, data: bytes) -> None: ...

    def logged(self, data: bytes) -> None: ...


class Hears(Deaf):
    """A tap that gives what a player writes to stderr to a function."""

    def __init__(self, hear: Callable[[bytes], object]) -> None:
        self.hear = hear

    def logged(self, data: bytes) -> None:
        self.hear(data)


class Keeps(Deaf):
    """A tap that keeps what passes."""

    def __init__(self) -> None:
        self.passed: list[tuple[str, bytes]] = []

    def sent(self, data: bytes) -> None:
        self.passed.append(("sent", data))

    def received(self, data: bytes) -> None:
        self.passed.append(("received", data))


def contenders(
    who: Sequence[Any], *, lifetimes: Sequence[Any] | None = None, taps: Sequence[Tap | None] | None = None
) -> list[Contender]:
    """A contender for each program, policy, person or fault."""
    none = [None] * len(who)
    return [Contender(*parts) for parts in zip(who, lifetimes or none, taps or none, strict=True)]
