"""A referee that a test stops: it plays one match of `thinks`, prints the bot's log, and prints how the match ended.

Arguments: the folder of the bots, the pipe that tells the bot to continue, the limit of an answer in seconds.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import trio

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.fairness import HostStalled
from referee.players.table import Contender, seat_players
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.program import Program

bots, pipe, limit = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])


class Prints:
    """A tap that prints the log of the bot."""

    def sent(self, data: bytes) -> None: ...

    def received(self, data: bytes) -> None: ...

    def logged(self, data: bytes) -> None:
        print(data.decode(), end="", flush=True)


class Ends:
    """Records how the match ended, and the longest time that the referee was away during one answer."""

    reason = ""
    late = 0.0

    def record(self, steps: Sequence[Step]) -> None:
        self.late = max(self.late, *(answer.late for step in steps for answer in step.answers))

    def end(self, outcome: Outcome, final: Position) -> None:
        self.reason = outcome.reason


async def main() -> None:
    setup = {"size": 4, "rounds": 1, "field": ["...."] * 4, "pythons": [{"cells": [[0, 0]]}, {"cells": [[2, 0]]}]}
    clocks = [Clock(TimeControl(45.0, limit, None)) for _ in range(2)]
    program = [sys.executable, "-S", "-s", "-E", "-B", str(bots / "thinks.py")]

    first, second = (Program("thinks", argv, bots) for argv in ([*program, pipe], program))
    seats = [Contender(first, tap=Prints()), Contender(second)]
    async with seat_players(BareSandbox(), GAME, seats) as players:
        ends = Ends()
        try:
            outcome = await loop.play(GAME.start(setup, 7), players, clocks, recorders=[ends])
        except HostStalled as stalled:
            print(json.dumps({"reason": ends.reason, "seat": stalled.seat, "stall": asdict(stalled.stall)}))
            return
    disqualified = [ranked.disqualified for ranked in outcome.ranking]
    print(json.dumps({"disqualified": disqualified, "used": clocks[0].slowest, "late": ends.late}))


trio.run(main)
