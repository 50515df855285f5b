"""Bytes in, lines out, with a cap on everything, and the bytes of a request. Pure: no I/O, no clock.

1. A reply is a fixed number of lines, each ended by a line feed. A line that exceeds the cap without a line feed is a violation
   immediately. Bytes after the last line feed are unasked output (protocol.md).
2. `LineBuffer.room` says how much may be read next: the lines that are missing, and a byte that shows whether more output
   follows. So no reply ends where a read ends by chance, and a reader never holds more than that.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from referee.contract.game import Game, Lifetime, Request
from referee.errors import InvalidReply, UsageError
from referee.text.words import counted


class Breach(Enum):
    """What can be wrong with the form of a reply."""

    OVERFLOW = "overflow"
    EXTRA = "extra"


class LineBuffer:
    """Collects the lines of one reply: `count` lines of at most `cap` bytes each.

    Attributes:
        rest: the unfinished line, or after a breach the bytes that caused it.
    """

    __slots__ = ("_cap", "_count", "lines", "rest")

    def __init__(self, count: int, cap: int) -> None:
        self.lines: list[bytes] = []
        self.rest = b""
        self._count = count
        self._cap = cap

    @property
    def room(self) -> int:
        """The most bytes to read next (theory, point 2)."""
        return room_for(self._count - len(self.lines), self._cap) - len(self.rest)

    @property
    def complete(self) -> bool:
        """Whether all lines have arrived."""
        return len(self.lines) == self._count

    def feed(self, data: bytes) -> Breach | None:
        """Take bytes in the order of arrival. Returns what is wrong with the reply, or None."""
        data = self.rest + data
        while not self.complete:
            line, feed, data = data.partition(b"\n")
            if len(line) > self._cap:
                self.rest = line
                return Breach.OVERFLOW
            if not feed:
                self.rest = line
                return None
            self.lines.append(line)
        self.rest = data
        return Breach.EXTRA if data else None


def room_for(lines: int, cap: int) -> int:
    """The bytes of so many lines with their line feeds, and one more."""
    return lines * (cap + 1) + 1


def encode_request(game: Game[Any, Any], request: Request[Any], lifetime: Lifetime) -> bytes:
    """The bytes of a request for a process of this lifetime. One that lives for a turn is not asked for its name."""
    if lifetime == "turn" and game.encode_turn is not None and request.ask != "getName":
        return game.encode_turn(request)
    return game.encode(request)


def decode_answer(game: Game[Any, Any], ask: str, text: str) -> Any:
    """The action in an answer that was given as text, as a process would write it.

    Raises:
        InvalidReply: no process could write this answer. UsageError: it is not a text.
    """
    if not isinstance(text, str):
        raise UsageError(f"an answer must be a text, not {type(text).__name__}")
    lines = text.split("\n")
    most = game.reply_lines(ask)
    if len(lines) > most and lines[-1] == "":  # the line feed at the end
        lines.pop()
    if len(lines) != most:
        raise InvalidReply(f"expected {counted(most, 'line')}, got {len(lines)}")
    data = [line.encode(errors="replace") for line in lines]
    if max(map(len, data)) > game.reply_cap:
        raise InvalidReply(f"a line of more than {game.reply_cap} bytes")
    return game.decode(ask, data)
