"""What a program wrote, up to a fixed size: its first bytes say what went wrong, and its last bytes how it ended. Pure."""

from __future__ import annotations

from typing import Final

KEPT_LOG_BYTES: Final = 32 * 1024
"""Bytes kept of either end of a player's stderr."""


class Log:
    """The first and the last bytes of a program's output, and how many bytes there were."""

    __slots__ = ("_first", "_kept", "_last", "total")

    def __init__(self, kept: int = KEPT_LOG_BYTES) -> None:
        """`kept` bytes, at least one, are kept of either end."""
        self.total = 0
        self._kept = kept
        self._first, self._last = bytearray(), bytearray()

    def add(self, data: bytes) -> None:
        """Take bytes in the order of arrival."""
        self.total += len(data)
        room = self._kept - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        del self._last[: -self._kept]

    def both_ends(self) -> bytes:
        """Both ends, with a line between them that says how much is missing."""
        missing = self.total - len(self._first) - len(self._last)
        return bytes(self._first) + (b"\n[%d bytes left out]\n" % missing if missing else b"") + self._last

    def last_lines(self, count: int) -> list[str]:
        """The last lines as text, without blank lines."""
        lines = [line.rstrip() for line in self.both_ends().decode(errors="replace").splitlines()]
        return [line for line in lines if line][-count:]
