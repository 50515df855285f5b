"""A match of one program between two honest ones, all of them isolated."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from seating import contenders

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Fault, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.process_player import ProcessPlayer
from referee.players.table import seated
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import opened
from referee.sandbox.program import Program

SEATS, CULPRIT, ROUNDS = 3, 1, 3
PATIENT: Final = TimeControl(first=45.0, answer=45.0, total=None)
IMPATIENT: Final = TimeControl(first=45.0, answer=0.3, total=None)
"""For players that never answer an action."""
BUSY: Final = TimeControl(first=45.0, answer=45.0, total=0.3, kind="cpu")
"""For programs that compute all the time: on a busy machine, wall time alone would not be their fault."""


class Tally:
    """An observer that counts the answers and the faults of each player."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()
        self.faults: dict[int, Fault] = {}

    def step(self, step: Step) -> None:
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                self.faults[answer.seat] = answer.action
            else:
                self.answers[answer.seat] += 1

    def end(self, outcome: Outcome, final: Position) -> None:
        """Does nothing: `play` returns the outcome."""


@dataclass(frozen=True)
class Played:
    """The result of a match; `pids` are the players' own processes."""

    outcome: Outcome
    tally: Tally
    culprit: ProcessPlayer
    pids: Sequence[int | None]

    @property
    def fault(self) -> Fault | None:
        """The fault of the culprit, if any."""
        return self.tally.faults.get(CULPRIT)

    def assert_others_did_not_suffer(self) -> None:
        """Checks that the match went on to its end and that the honest players answered every request."""
        assert (self.outcome.reason, self.outcome.rounds) == ("rounds", ROUNDS)
        assert set(self.tally.faults) <= {CULPRIT}
        honest = set(range(SEATS)) - {CULPRIT}
        assert {seat: self.tally.answers[seat] for seat in honest} == dict.fromkeys(honest, 1 + ROUNDS)


def setup(size: int) -> Position:
    """An empty field, on which players can only wait."""
    pythons = [{"cells": [[2 * seat, 0]]} for seat in range(SEATS)]
    return {"size": size, "rounds": ROUNDS, "field": ["." * size] * size, "pythons": pythons}


async def contest(
    culprit: Program,
    honest: Program,
    *,
    time: TimeControl = PATIENT,
    pondering: bool = True,
    size: int = 8,
    limits: Limits | None = None,
    level: Level = Level.FULL,
) -> Played:
    """Plays the match; `time` is the time control of the culprit."""
    programs = [culprit if seat == CULPRIT else honest for seat in range(SEATS)]
    clocks = [Clock(time if seat == CULPRIT else PATIENT) for seat in range(SEATS)]
    tally = Tally()
    with opened(level, limits) as sandbox:
        async with seated(sandbox, GAME, contenders(programs), pondering=pondering) as players:
            pids = [player._process.player_pid for player in players]
            outcome = await loop.play(GAME.start(setup(size), 7), players, clocks, observers=[tally])
    return Played(outcome, tally, players[CULPRIT], pids)
