"""A player that is one process for a whole match: it is asked over its pipes, and what it says is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import trio

from referee.clock import Clock
from referee.errors import InvalidReply
from referee.game import Answer, Fault, FaultKind, Game, Request
from referee.players.base import Player
from referee.players.process import Launch, Process
from referee.players.stream import END_OF_OUTPUT, Dialogue, Tap
from referee.wire import Log


class ProcessPlayer(Player):
    """One process for one match: a fault ends it, and whom a fault has ended must not be asked again.

    Make it with `start`, end it with `end`; `table.seated` does both for all seats of a match.
    """

    def __init__(self, game: Game[Any, Any], seat: int, process: Process, tap: Tap | None) -> None:
        self._seat = seat
        self._process = process
        self._dialogue = Dialogue(process.stdin, process.stdout, cap=game.reply_cap, tap=tap, over=process.is_over)
        self._encode, self._decode, self._reply_lines = game.encode, game.decode, game.reply_lines

    @classmethod
    @trio.lowlevel.enable_ki_protection
    def start(
        cls,
        launch: Launch,
        game: Game[Any, Any],
        seat: int,
        nursery: trio.Nursery,
        *,
        tap: Tap | None = None,
        hear: Callable[[bytes], None] | None = None,
    ) -> ProcessPlayer:
        """Start the program; `tap` gets the bytes of its dialogue, the rest is as in `Process.start`.

        Raises:
            BotError: the program cannot be started; one line that says what to do.
        """
        return cls(game, seat, Process.start(launch, nursery, hear=hear), tap)

    @property
    def log(self) -> Log:
        """What it wrote to stderr."""
        return self._process.log

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """See `Player.ask`."""
        ask = request.ask
        lines, elapsed = await self._dialogue.exchange(self._encode(request), self._reply_lines(ask), clock)
        if not isinstance(lines, Fault):
            try:
                action = self._decode(ask, lines)
            except InvalidReply as wrong:
                lines = Fault(FaultKind.INVALID, str(wrong))
            else:
                line = lines[0] if len(lines) == 1 else b"\n".join(lines)
                return Answer(self._seat, action, line.removesuffix(b"\r").decode(errors="replace"), elapsed)
        if lines.kind is FaultKind.EXIT:
            how = await self._process.how_it_ended()
            lines = Fault(FaultKind.EXIT, how + lines.detail.removeprefix(END_OF_OUTPUT))
        await self.end(grace=0)
        return Answer(self._seat, lines, None, elapsed)

    async def end(self, *, grace: float) -> None:
        """See `Player.end`."""
        self._dialogue.close()  # before the numbers of its descriptors can be somebody else's
        await self._process.end(grace=grace)

    def last_words(self, count: int) -> list[str]:
        """The last lines of stderr that hold more than blanks."""
        return self.log.last_lines(count)
