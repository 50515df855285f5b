"""One dialogue over two pipes: write a request and read the reply, under one absolute deadline.

1. Both ends are non-blocking and are tried first. A player that answers immediately, or soon (`brief_wait`), is served
   without the event loop, which costs several times the pipe itself. Otherwise the task parks. Measured: `poll` on an empty
   pipe 0.4 µs, a read that fails 1.1, reading a CPU clock 0.4.
2. The deadline is set when the first byte is written, and no arriving byte moves it. It covers the write too, so it also
   catches a player that does not read.
3. The deadline moves by the time that was stolen from the player (`clock.Stopwatch`). So a parked task wakes up to look at
   the player and at itself. It looks before it reads: if the read finds the whole answer, everything that kept the referee
   from reading it is in the gap since the previous look.
4. Output is unasked if it can be read before a request is written, or if it follows a reply.
5. An exchange is over when the reply is complete and the request is written. A player that answers before it has read the
   whole request is charged up to its answer. The rest is written under the same deadline, so that the next request does not
   follow half of this one.
6. Closing stdin is not a fault by itself: the rest of the request is dropped, and the end of the output, the end of the process
   or the deadline decides. The end of the process is checked (`over`), because a child may hold the output open; earlier
   output is read first.
7. Before the task parks, the referee does work that remains, `meanwhile`, because it has to wait anyway. The player is not
   charged for this time, however long it is, so that a slow disk makes no player late. Nor is it charged for CPU time that it
   used meanwhile. The same holds for a transcript of the request.
8. A read or a write of a pipe can sleep for 10 s and more, because the player holds the pipe's mutex (`fairness.py`). All else in
   the event loop waits too. So pipes are for a loop in which one clock runs at a time: where several seats are asked at once, or
   several bots are checked, the streams are sockets (`process_player.py`).
9. An answer that is there immediately and took at most `SHORT` is charged without a look at the player.
10. A program that is stopped between its turns is resumed once the request is written, and stopped before its CPU clock is read.
   Otherwise its threads could keep the referee from running in between, and what they compute then would be free.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Final, Protocol

import trio

from referee.contract.clock import Clock
from referee.contract.game import Fault
from referee.players import faults
from referee.players.brief_wait import FIRST, NAP, BriefWait
from referee.players.exchange import Begun, Exchange, Waiting
from referee.players.fairness import OwnTime, Watch
from referee.players.wire import room_for
from referee.sandbox.meter import ProcessWitness

SHORT: Final = 0.001
"""Seconds. For an immediate answer that took no longer, it does not pay to find out whose time it was."""
STILL_THERE: Final = 0.1
"""Seconds between two checks whether a program that answers immediately has ended."""


class Tap(Protocol):
    """Gets the exact bytes of a player as they pass: requests, what it writes to stdout, and what it writes to stderr."""

    def sent(self, data: bytes) -> None: ...

    def received(self, data: bytes) -> None: ...

    def logged(self, data: bytes) -> None: ...


class Dialogue:
    """The referee's ends of a player's stdin and stdout: non-blocking descriptors, which the caller owns and closes.

    Attributes:
        elapsed, cpu: the times of the last reply that `at_once` returned, as in `Exchange`.
    """

    __slots__ = (
        "_answer", "_begun", "_cap", "_cpu", "_in", "_look_again", "_now", "_out", "_over", "_own", "_pause", "_poll",
        "_resume", "_soon", "_starved", "_tap", "_witness", "cpu", "elapsed",
    )  # fmt: skip
    _begun: Begun | Exchange
    _resume: Callable[[], object] | None
    _pause: Callable[[], object] | None

    def __init__(
        self,
        stdin: int,
        stdout: int,
        *,
        cap: int,
        own: OwnTime,
        over: Callable[[], bool],
        starved: Callable[[], bool],
        tap: Tap | None = None,
        turns: tuple[Callable[[], object], Callable[[], object]] | None = None,
        nap: float = NAP,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """A dialogue over these two descriptors.

        Args:
            cap: the most bytes of a line. tap: a function that gets the bytes that pass. over: tells if the process has ended.
            own: what the referee knows of its own delays. starved: see `Watch`. nap: see `brief_wait`.
            turns: two functions, for a program that is stopped between its turns: one resumes it, the other stops it.
        """
        self._in = stdin
        self._out = stdout
        readiness = select.poll()
        readiness.register(stdout, select.POLLIN)
        self._poll: Callable[[int], object] = readiness.poll
        self._cap = cap
        self._tap = tap
        self._over = over
        self._own = own
        self._starved = starved
        self._resume, self._pause = turns or (None, None)
        self._look_again = float("-inf")
        self._now = now
        self._witness: ProcessWitness | None = None
        self._cpu: Callable[[], float] = lambda: 0.0  # until the process is known
        self._soon = BriefWait(stdout, now, nap)
        self._answer: list[bytes] | None = None  # the last one
        self.elapsed = 0.0
        self.cpu: float | None = None

    def seen_by(self, witness: ProcessWitness) -> None:
        """From now on measure the CPU time of the player's process, and how long it could not run."""
        self._witness = witness
        self._cpu = witness.cpu

    def close(self) -> None:
        """Forget the descriptors, because their numbers may soon be reused. A later exchange raises OSError."""
        self._in = self._out = -1
        self._poll = lambda _: True  # so the next exchange reads, and fails

    def at_once(
        self, request: bytes, lines: int, clock: Clock, meanwhile: Callable[[], None] | None = None
    ) -> list[bytes] | None:
        """Begin an exchange. If the reply comes immediately, end it and return its lines.

        None means that the reply has not come, is too long, or went wrong; call `in_time` to end the exchange. `meanwhile` is
        called if that may take longer (theory, point 7).
        """
        if self._poll(0) and self._is_refused():
            return None
        cpu, now = self._cpu, self._now
        before = cpu()
        started = now()
        if started > self._look_again and self._has_ended(started):  # a look costs a system call, so not every time
            return None
        try:
            sent = os.write(self._in, request)
        except BlockingIOError:
            sent = 0
        except ConnectionError:
            sent, request = 0, b""  # theory, point 6
        if self._resume is not None:
            self._resume()
        chunk = self._read_soon(lines) if sent == len(request) else b""
        elapsed = now() - started
        reply = None if elapsed > SHORT or elapsed >= clock.limit else self._complete(chunk, lines)
        if reply is not None and self._pause is not None:
            self._pause()
        used = cpu() - before
        if self._tap is not None:
            self._show(request[:sent], chunk)
        if reply is None:
            if meanwhile is not None:
                meanwhile()
            self._begun = Begun(request[sent:], chunk, now() - elapsed, cpu() - used)  # theory, point 7
            return None
        measured = None if self._witness is None else used
        if used > clock.cpu_limit:
            self._begun = Exchange(faults.spent(clock), elapsed, measured)
            return None
        self.elapsed, self.cpu, self._answer = elapsed, measured, reply
        return reply

    def refuse(self, fault: Fault) -> None:
        """The reply that `at_once` returned is this fault, which `in_time` returns."""
        self._begun = Exchange(fault, self.elapsed, self.cpu)

    async def in_time(self, lines: int, clock: Clock) -> Exchange:
        """End the exchange that `at_once` began."""
        begun = self._begun
        if isinstance(begun, Exchange):
            return begun
        watch = Watch(clock, begun.started, begun.cpu, self._witness, self._own, now=self._now, starved=self._starved)
        reply, elapsed, _, late, stall = await self._result(Waiting(begun, lines, self._cap, watch), watch)
        self._soon.took(elapsed + late)
        if not isinstance(reply, Fault) and self._pause is not None:
            self._pause()
        used = watch.used()
        if used is not None and used > clock.cpu_limit and (stall or not isinstance(reply, Fault)):
            return Exchange(faults.spent(clock), elapsed, used, late)
        if not isinstance(reply, Fault):
            self._answer = reply
        return Exchange(reply, elapsed, used, late, stall)

    async def _result(self, waiting: Waiting, watch: Watch) -> Exchange:
        """Write what is left, read what arrives, park in between."""
        while (result := waiting.look()) is None:
            over = self._over()  # theory, point 6: earlier output is read first
            data = self._read(waiting.room)
            if data:
                waiting.received(data)
            elif over or data is not None:
                waiting.ended()
            elif waiting.nothing_received() and not self._write(waiting):
                if waiting.unsent:
                    await watch.park(trio.lowlevel.wait_writable, self._in)
                else:
                    await watch.park(trio.lowlevel.wait_readable, self._out)
        return result

    def _read(self, room: int) -> bytes | None:
        """The output that can be read now: None if there is none, empty at the end of output."""
        try:
            data = os.read(self._out, room)
        except BlockingIOError:
            return None
        self._show(b"", data)
        return data

    def _write(self, waiting: Waiting) -> bool:
        """Write what the pipe takes of the request. Returns whether less is left."""
        if not waiting.unsent:
            return False
        try:
            sent = os.write(self._in, waiting.unsent)
        except BlockingIOError:
            return False
        except ConnectionError:
            waiting.sent(len(waiting.unsent))  # theory, point 6
            return True
        self._show(waiting.unsent[:sent], b"")
        waiting.sent(sent)
        return True

    def _read_soon(self, lines: int) -> bytes:
        """The output that comes immediately or soon; empty if there is none, or no more."""
        try:
            chunk = os.read(self._out, FIRST)
        except BlockingIOError:
            chunk = self._soon.read() or b""
        if len(chunk) == FIRST:  # a reply must not depend on where a read ends
            with suppress(BlockingIOError):
                chunk += os.read(self._out, max(0, room_for(lines, self._cap) - FIRST))
        return chunk

    def _complete(self, chunk: bytes, lines: int) -> list[bytes] | None:
        """The lines of a complete reply; None if the output is something else."""
        reply = chunk.split(b"\n")
        return reply if len(reply) == lines + 1 and not reply.pop() and len(chunk) <= self._cap + 1 else None

    def _is_refused(self) -> bool:
        """Whether there is output before a request is written."""
        try:
            early = os.read(self._out, self._cap)
        except BlockingIOError:  # where there is a /proc, a player can take back its output
            return False
        if self._resume is not None:
            self._resume()  # it may be about to end
        self._show(b"", early)
        self._begun = Exchange(faults.unasked(early, self._answer) if early else faults.ended(b""), 0.0)
        return True

    def _has_ended(self, now: float) -> bool:
        self._look_again = now + STILL_THERE
        if over := self._over():
            self._begun = Exchange(faults.ended(b""), 0.0)
        return over

    def _show(self, sent: bytes, received: bytes) -> None:
        """Give the tap what has passed, if anything has."""
        if self._tap is not None:
            if sent:
                self._tap.sent(sent)
            if received:
                self._tap.received(received)
