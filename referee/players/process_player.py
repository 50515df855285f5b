"""A player that is one process for the whole match.

Without pondering, the program is stopped from its answer until its next request. It runs until its first request, so that
it can start up; otherwise its first answer would pay for that. Output is unasked if it is there when a
request is about to be written. Output that was blocked while the program was stopped arrives when it resumes, and counts
as an answer to that request: a program that answers twice is then one request behind, and harms only itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import trio
from typing_extensions import override

from referee.contract.clock import Clock
from referee.contract.game import Answer, Fault, FaultKind, Game, Request, tuple_of
from referee.errors import InvalidReply
from referee.players.base import Player
from referee.players.brief_wait import NAP, SHORT_NAP
from referee.players.fairness import HostStalled, OwnTime
from referee.players.faults import END_OF_OUTPUT
from referee.players.pondering import Pondering
from referee.players.process import Process
from referee.players.stream import Dialogue, Tap
from referee.sandbox import meter
from referee.sandbox.cells.cell import Launch
from referee.sandbox.cells.spawning import ALL_SOCKETS, LOG_SOCKET, Wiring
from referee.sandbox.log import Log
from referee.sandbox.meter import ProcessWitness


class ProcessPlayer(Player):
    """One process for one match. A fault ends it, and then it must not be asked again.

    `table.seat_players` makes it and ends it for all seats of a match.
    """

    @trio.lowlevel.enable_ki_protection
    def __init__(
        self,
        launch: Launch,
        game: Game[Any, Any],
        seat: int,
        *,
        pondering: Pondering,
        own: OwnTime,
        tap: Tap | None = None,
    ) -> None:
        """Start the program. Call `settle` next. `tap` gets all bytes that it reads and writes.

        Args:
            pondering: the pondering of this match. own: the referee's own delays.

        Raises:
            BotError: the program cannot be started; one line that says what to do.
        """
        self._seat = seat
        self._process = process = Process(launch, hear=None if tap is None else tap.logged, wiring=wiring_of(game))
        self.log: Log = process.log
        self._ponderers = pondering
        self._pondering = pondering.allowed
        self._witness: ProcessWitness | None = None
        self._dialogue = Dialogue(
            process.stdin, process.stdout, cap=game.reply_cap, tap=tap, over=process.is_over, own=own,
            starved=pondering.stop, nap=SHORT_NAP if game.together else NAP,
            turns=None if self._pondering else (process.resume, process.pause),
        )  # fmt: skip
        self._put = self._dialogue.at_once
        self._begun = False
        self._encode, self._decode, self._reply_lines = game.encode, game.decode, game.reply_lines

    @override
    async def settle(self, nursery: trio.Nursery) -> None:
        await self._process.settle(nursery)
        self._ponderers.join(self._process)
        if (pid := self._process.cell.pid) is not None:
            self._witness = ProcessWitness(pid)
            self._dialogue.seen_by(self._witness)

    def at_once(
        self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None
    ) -> Answer[Any] | None:
        """The answer, if it comes without parking; never a fault, since ending a player takes time."""
        if meanwhile is not None and not self._pondering:  # now: the player must not run meanwhile
            meanwhile()
            meanwhile = None
        _, ask, _ = request
        reply = self._put(self._encode(request), self._reply_lines(ask), clock, meanwhile)
        if reply is not None:
            dialogue = self._dialogue
            judged = self._judge(ask, reply, dialogue.elapsed, dialogue.cpu, 0.0)
            if isinstance(judged, Answer):
                return judged
            dialogue.refuse(judged)
        self._begun = True
        return None

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """Wait for the answer. Raises: HostStalled: the machine is too busy to judge fairly. The caller still ends the player."""
        if not self._begun and (answer := self.at_once(request, clock)) is not None:
            return answer
        self._begun = False
        with self._ponderers.due(self._process):
            exchange = await self._dialogue.in_time(self._reply_lines(request.ask), clock)
        reply, elapsed, cpu, late, stall = exchange
        judged = reply if isinstance(reply, Fault) else self._judge(request.ask, reply, elapsed, cpu, late)
        if isinstance(judged, Answer):
            return judged
        if stall is not None:
            raise HostStalled(self._seat, stall)
        if judged.kind is FaultKind.EXIT:
            how = await self._process.how_it_ended()
            judged = self._process.verdict() or Fault(FaultKind.EXIT, how + judged.detail.removeprefix(END_OF_OUTPUT))
        await self.end(grace=0)
        return Answer(self._seat, judged, None, elapsed, cpu, late)

    def _judge(self, ask: str, reply: list[bytes], took: float, cpu: float | None, late: float) -> Answer[Any] | Fault:
        try:
            action = self._decode(ask, reply)
        except InvalidReply as wrong:
            return Fault(FaultKind.INVALID, str(wrong))
        self._process.catch_up()  # its log up to this answer belongs to this step
        line = reply[0] if len(reply) == 1 else b"\n".join(reply)
        text = line.removesuffix(b"\r").decode("utf-8", "replace")
        return tuple_of(Answer, (self._seat, action, text, took, cpu, late))

    @override
    async def end(self, *, grace: float) -> None:
        self._dialogue.close()  # before its descriptor numbers are reused
        self._ponderers.leave(self._process)
        if self._witness is not None:
            self._witness.close()
        await self._process.end(grace=grace)

    @override
    def memory_peak(self) -> int | None:
        pid = self._process.cell.pid
        return None if pid is None else meter.memory_peak(pid)


def wiring_of(game: Game[Any, Any]) -> Wiring:
    """Which streams of a game's players are sockets."""
    return ALL_SOCKETS if game.together else LOG_SOCKET
