"""A request and its reply, apart from reading and writing: what passes the pipes goes in, the result comes out.

`stream.Dialogue` reads and writes; the rules that it follows are there.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.contract.game import Fault
from referee.players import faults
from referee.players.fairness import Stall, Watch
from referee.players.wire import LineBuffer


class Exchange(NamedTuple):
    """The result of a request. Times are in seconds.

    Attributes:
        reply: the lines of the reply without line feeds, or what went wrong.
        elapsed: the wall time to charge.
        cpu: the CPU time that the player used; None if it was not measured.
        late: the time not charged, because the player could not run or the referee could not look.
        stall: the stall, if the machine is too busy to judge the player; the reply is then a timeout.
    """

    reply: list[bytes] | Fault
    elapsed: float
    cpu: float | None = None
    late: float = 0.0
    stall: Stall | None = None


class Begun(NamedTuple):
    """An exchange that did not end immediately.

    Attributes:
        unsent: the rest of the request. chunk: the first bytes of the reply.
        started: when the request was written. cpu: the player's CPU clock then.
    """

    unsent: bytes
    chunk: bytes
    started: float
    cpu: float


class Waiting:
    """An exchange for which the task parks. Its owner looks, reads, writes, and reports each read and write.

    Attributes:
        unsent: the rest of the request.
    """

    __slots__ = ("_answer", "_buffer", "_cap", "_late", "_result", "_watch", "unsent")

    def __init__(self, begun: Begun, lines: int, cap: int, watch: Watch) -> None:
        """Take over what has begun. The reply has `lines` lines of at most `cap` bytes."""
        self.unsent = begun.unsent
        self._result: Exchange | None = None
        self._answer: Exchange | None = None  # complete, while a part of the request is unsent
        self._buffer = LineBuffer(lines, cap)
        self._cap = cap
        self._watch = watch
        self._late = False
        if watch.clock.limit <= 0:  # nothing is left of the total
            watch.look()
            self._time_out(begun.chunk)
        elif begun.chunk:
            self.received(begun.chunk)

    @property
    def room(self) -> int:
        """The most bytes to read next."""
        return self._buffer.room

    def look(self) -> Exchange | None:
        """The result, without the CPU time. If there is none yet, look at the player, before the next read."""
        if self._result is None:
            self._late = self._watch.look() <= 0
            if not self._late and (stall := self._watch.stall()) is not None:
                self._time_out(self._buffer.rest, stall)
        return self._result

    def received(self, data: bytes) -> None:
        """Take output."""
        buffer = self._buffer
        if (breach := buffer.feed(data)) is not None:
            self._watch.look()
            self._result = self._charge(faults.broken(breach, buffer, self._cap))
        elif buffer.complete:
            if self._watch.answered():
                self._answer = self._charge(buffer.lines)
                self.sent(0)
            else:
                self._time_out(buffer.rest)
        elif self._late and b"\n" not in data:
            self._time_out(buffer.rest)

    def nothing_received(self) -> bool:
        """Note that there is nothing to read now. Returns whether the exchange goes on."""
        if self._late:
            self._time_out(self._buffer.rest)
        elif self._watch.is_spent():
            self._result = self._charge(faults.spent(self._watch.clock))
        return self._result is None

    def ended(self) -> None:
        """Note that the output or the process has ended and all output has been read."""
        self._result = self._answer or self._charge(faults.ended(self._buffer.rest))

    def sent(self, count: int) -> None:
        """Note that this many more bytes of the request are written, or dropped."""
        self.unsent = self.unsent[count:]
        if not self.unsent:
            self._result = self._answer

    def _time_out(self, partial: bytes, stall: Stall | None = None) -> None:
        self._result = self._charge(faults.late(self._watch, self.unsent, partial), stall)

    def _charge(self, reply: list[bytes] | Fault, stall: Stall | None = None) -> Exchange:
        stopwatch = self._watch.stopwatch
        return Exchange(reply, stopwatch.charged, None, stopwatch.stolen, stall)
