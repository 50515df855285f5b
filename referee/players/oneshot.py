"""A player that is one process for each turn: the request is its whole input, and its whole output is the answer.

1. The program is prepared once and spawned for every request (`Launch`). The set-up is not charged: the clock starts when the
   program runs. It stops when the answer is complete: with the last line that the game reads, at the end of the output, or when
   the program has ended. In a cell, that is the end of the cell.
2. The end of the program itself counts. Everything that it wrote is in the pipe by then. Other processes that hold its output
   open are ended with it.
3. One deadline covers reading the request and the answer. It moves by the time that was stolen from the program, as in
   `stream.py`: a parked task wakes up to look at the program and at itself. An answer that is found late is late.
4. After the answer, a second deadline covers the end: `END_LIMIT`, in the same time. No total counts it, so interpreters that
   end slowly cost their bots nothing; and it is short and the same for all, so nobody can hold up a match for long. A program
   that takes too much time from a player that is due, or that others take too much from, is ended without a fault.
5. Output cannot be unasked; there can only be too much of it. A program need not read its request. But its output is an answer
   only if the program ends well: a status other than zero, a signal, or no output at all is an `exit`.
6. A fault ends the process, which would have ended anyway. The player plays on.
7. The CPU time of an ended program can be read until its pid is released. A cell releases it immediately. So in a cell of level
   full, the CPU time of an answer is known only if the answer was complete before the program ended.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from select import EPOLLIN, EPOLLOUT, epoll
from time import perf_counter
from typing import Any, ClassVar, Final

import trio

from referee.contract.clock import END_LIMIT, LATE_END, Clock, TimeControl
from referee.contract.game import Answer, Fault, FaultKind, Game, Lifetime, Request
from referee.errors import InvalidReply, out_of
from referee.players import faults
from referee.players.base import Player, own_name
from referee.players.exchange import Exchange
from referee.players.fairness import Exhausted, HostStalled, OwnTime, Watch
from referee.players.pondering import Pondering
from referee.players.process import Process, exit_words
from referee.players.process_player import wiring_of
from referee.players.stream import Tap
from referee.players.wire import encode_request
from referee.sandbox.cells.cell import Launch
from referee.sandbox.log import Log
from referee.sandbox.meter import ProcessWitness
from referee.text.words import quote

_END: Final = TimeControl(END_LIMIT, END_LIMIT, None)


class OneShotPlayer(Player):
    """One process for each request. A fault of one process does not affect the next.

    `table.seat_players` makes it, settles it, and ends it.
    """

    lifetime: ClassVar[Lifetime] = "turn"

    def __init__(
        self,
        launch: Launch,
        game: Game[Any, Any],
        seat: int,
        *,
        places: trio.CapacityLimiter,
        pondering: Pondering,
        own: OwnTime,
        tap: Tap | None = None,
    ) -> None:
        """Create the player; it starts nothing yet.

        Args:
            places: the limit of programs of this match that run at once; waiting for a place is not charged.
            pondering: the pondering of this match. own: the referee's own delays.
            tap: gets all bytes that its processes read and write.
        """
        self._launch, self._game, self._seat, self._places = launch, game, seat, places
        self._pondering, self._own = pondering, own
        self._tap = tap
        self._nursery: trio.Nursery | None = None
        self._process: Process | None = None
        self.log: Log = Log()

    async def settle(self, nursery: trio.Nursery) -> None:
        """Start the program once and end it before it is asked, to see that it starts. Its output is dropped."""
        self._nursery = nursery
        async with self._places:
            try:
                await self._spawn(Log()).settle(nursery)
            finally:
                await self.end(grace=0)

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """Start a process for this turn and wait for its answer. `getName` starts none: the name is the bot's.

        Raises:
            BotError: the program started before the match, but cannot be started now.
            Void: the machine is too busy to judge the player, or cannot start another process.
        """
        if request.ask == "getName":
            return own_name(self._game, self._seat, self._launch.name)
        data = encode_request(self._game, request, "turn")
        async with self._places:
            turn = await self._turn(request.ask, data, clock)
        if turn.stall is not None:
            raise HostStalled(self._seat, turn.stall)
        return self._answer(request.ask, turn)

    async def end(self, *, grace: float) -> None:
        """End the process of a turn in progress."""
        if self._process is not None:
            await self._process.end(grace=grace)

    @trio.lowlevel.enable_ki_protection
    def _spawn(self, log: Log, tap: Tap | None = None) -> Process:
        """Start a process, safe from Ctrl-C in between."""
        process = self._process = Process(
            self._launch, hear=None if tap is None else tap.logged, log=log, wiring=wiring_of(self._game)
        )
        return process

    async def _turn(self, ask: str, data: bytes, clock: Clock) -> Exchange:
        limit = clock.limit
        if limit <= 0:  # nothing is left of the total
            return Exchange(Fault(FaultKind.TIMEOUT, clock.why(limit)), 0.0)
        assert self._nursery is not None
        try:
            try:
                process = self._spawn(self.log, self._tap)
                await process.settle(self._nursery)
            except OSError as failed:
                if lacking := out_of(failed):
                    raise Exhausted(lacking) from failed
                raise
            lines, cap = self._game.reply_lines(ask), self._game.reply_cap
            with closing(_Dialogue(process, data, lines, cap, self._tap)) as dialogue:
                return await dialogue.hold(clock, self._own, self._pondering)
        finally:
            await self.end(grace=0)

    def _answer(self, ask: str, turn: Exchange) -> Answer[Any]:
        action: Any = turn.reply
        text = None
        if not isinstance(turn.reply, Fault):
            try:
                action = self._game.decode(ask, turn.reply)
                lines = turn.reply[: self._game.reply_lines(ask)]
                text = b"\n".join(lines).removesuffix(b"\r").decode(errors="replace")
            except InvalidReply as wrong:
                action = Fault(FaultKind.INVALID, str(wrong))
        return Answer(self._seat, action, text, turn.elapsed, turn.cpu, turn.late)


class _Dialogue:
    """The dialogue with the process of one turn."""

    def __init__(self, process: Process, request: bytes, lines: int, cap: int, tap: Tap | None) -> None:
        self._process, self._unsent, self._lines, self._cap, self._tap = process, request, lines, cap, tap
        self._output = bytearray()
        self._writes = self._listens = True
        pid = process.cell.pid
        self._witness = None if pid is None else ProcessWitness(pid)

    def close(self) -> None:
        """Close the descriptors of the measurements."""
        if self._witness is not None:
            self._witness.close()

    async def hold(self, clock: Clock, own: OwnTime, pondering: Pondering) -> Exchange:
        """Hold it from beginning to end, and charge the time."""

        def watch(clock: Clock, starved: Callable[[], bool]) -> Watch:
            cpu = 0.0 if self._witness is None else self._witness.cpu()
            return Watch(clock, perf_counter(), cpu, self._witness, own, now=perf_counter, starved=starved)

        with closing(epoll()) as ready:
            ready.register(self._process.cell.end, EPOLLIN)
            ready.register(self._process.stdout, EPOLLIN)
            ready.register(self._process.stdin, EPOLLOUT)
            with pondering.due(self._process):
                turn = await self._until_answered(watch(clock, pondering.stop), ready)
            if isinstance(turn.reply, Fault):
                return turn
            return await self._until_ended(turn, watch(Clock(_END), lambda: False), ready, pondering)

    async def _until_answered(self, watch: Watch, ready: epoll) -> Exchange:
        """Wait for the answer (theory, points 1 and 3). The program may still run, and fail, after it."""
        while True:
            late = watch.look() <= 0
            stall = watch.stall()
            over = self._exchange(ready)
            fault = self._failure(over=over)
            if done := over or fault is not None or self._is_complete():
                late, stall = not watch.answered(), None
            if done or late or stall is not None or watch.is_spent():
                break
            await watch.park(trio.lowlevel.wait_readable, ready.fileno())
        used = watch.used()
        if fault is None:
            if watch.is_spent():
                fault, stall = faults.spent(watch.clock), None
            elif late or stall is not None:
                fault = self._late(watch, "too late" if done else "and not ended")
            elif over and not self._process.cell.keeps_its_number:
                used = None  # theory, point 7
        return Exchange(fault or [], watch.stopwatch.charged, used, watch.stopwatch.stolen, None if late else stall)

    async def _until_ended(self, answered: Exchange, watch: Watch, ready: epoll, pondering: Pondering) -> Exchange:
        """Wait for the end after the answer (theory, point 4)."""
        while True:
            late = watch.look() <= 0
            over = self._exchange(ready)
            disturbed = pondering.is_stopping or watch.stopwatch.starved
            if over or disturbed or self._failure(over=False) is not None:
                lines = bytes(self._output.removesuffix(b"\n")).split(b"\n")
                return answered._replace(reply=self._failure(over=over) or lines)
            if late:
                fault = Fault(FaultKind.TIMEOUT, f"it {LATE_END}: {quote(bytes(self._output))}")
                return answered._replace(reply=fault)
            await watch.park(trio.lowlevel.wait_readable, ready.fileno())

    def _exchange(self, ready: epoll) -> bool:
        """Write and read what is possible now. Returns whether the program has ended."""
        if self._writes and not self._write():
            ready.unregister(self._process.stdin)
            self._process.hang_up()
            self._writes = False
        over = self._process.is_over()  # before its output is read: later output comes from other processes
        if self._listens and not self._read():
            ready.unregister(self._process.stdout)
            self._listens = False
        return over

    def _is_complete(self) -> bool:
        """Whether nothing that the game reads can follow: it has all lines, or some and the end of the output."""
        return self._output.count(b"\n") >= self._lines or (not self._listens and bool(self._output))

    def _write(self) -> bool:
        """Write as much as the pipe takes. Returns whether something is left."""
        while self._unsent:
            try:
                sent = os.write(self._process.stdin, self._unsent)
            except BlockingIOError:
                return True
            except ConnectionError:
                self._unsent = b""
                break
            if self._tap is not None:
                self._tap.sent(self._unsent[:sent])
            self._unsent = self._unsent[sent:]
        return False

    def _read(self) -> bool:
        """Read the output that is there, up to one byte more than allowed. Returns whether more may come."""
        while room := self._cap + 1 - len(self._output):
            try:
                data = os.read(self._process.stdout, room)
            except BlockingIOError:
                break
            if not data:
                return False
            if self._tap is not None:
                self._tap.received(data)
            self._output += data
        return True

    def _failure(self, *, over: bool) -> Fault | None:
        """What is wrong with the output, or with the end of a program that is over, whenever it ended."""
        output = bytes(self._output)
        if len(output) > self._cap:
            return Fault(FaultKind.OVERFLOW, f"more than {self._cap} bytes of output: {quote(output)}")
        status = self._process.cell.status() if over else 0
        if status == 0 and (output or not over):
            return None
        how = exit_words(status or 0) + (f"; it had written {quote(output)}" if output else " and wrote nothing")
        return self._process.verdict() or Fault(FaultKind.EXIT, how)

    def _late(self, watch: Watch, how: str) -> Fault:
        late = faults.late(watch, self._unsent, b"")
        addendum = f"; it had written {quote(bytes(self._output))} {how}" if self._output else ""
        return replace(late, detail=late.detail + addendum)
