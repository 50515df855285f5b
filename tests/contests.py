"""A match of SnakeCore with one program between two honest ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import trio
from seating import Hears, contenders

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Fault, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.process_player import ProcessPlayer
from referee.players.table import seat_players

SEATS, CULPRIT, ROUNDS = 3, 1, 3
PATIENT: Final = TimeControl(first=45.0, answer=45.0, total=None)
"""For players that must not time out, however busy the machine is."""
IMPATIENT: Final = TimeControl(first=45.0, answer=0.3, total=None)
"""For players that never answer an action."""


class Tally:
    """An observer that counts the answers and the faults of each player."""

    def __init__(self, players: Sequence[ProcessPlayer]) -> None:
        self.answers: Counter[int] = Counter()
        self.faults: dict[int, Fault] = {}
        self._players = players

    def step(self, step: Step) -> None:
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                assert answer.seat not in self.faults, "asked again after a fault"
                assert self._players[answer.seat]._process.ended, (
                    "a fault ends the process before anybody else is asked"
                )
                self.faults[answer.seat] = answer.action
            else:
                self.answers[answer.seat] += 1


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

    @property
    def name(self) -> str:
        """The culprit's name in the ranking."""
        return next(ranked.name for ranked in self.outcome.ranking if ranked.seat == CULPRIT)

    def assert_others_did_not_suffer(self) -> None:
        """Checks that the match went on to its end and that the honest players answered every request."""
        assert (self.outcome.reason, self.outcome.rounds) == ("rounds", ROUNDS)
        assert set(self.tally.faults) <= {CULPRIT}
        assert [ranked.seat for ranked in self.outcome.ranking if ranked.disqualified] == list(self.tally.faults)
        honest = set(range(SEATS)) - {CULPRIT}
        assert {seat: self.tally.answers[seat] for seat in honest} == dict.fromkeys(honest, 1 + ROUNDS)


def setup(size: int, rounds: int = ROUNDS) -> Position:
    """An empty field, on which players can only wait."""
    pythons = [{"cells": [[2 * seat, 0]]} for seat in range(SEATS)]
    return {"size": size, "rounds": rounds, "field": ["." * size] * size, "pythons": pythons}


async def contest(
    sandbox: Any,
    culprit: Any,
    honest: Any,
    *,
    time: TimeControl = PATIENT,
    pondering: bool = True,
    size: int = 8,
    ready: str = "",
) -> Played:
    """Plays the match.

    Args:
        time: the time control of the culprit.
        ready: when to wait for a culprit that logs `ready` after something that shows in no other way: `before` the first
            request, or `behind` its first action.
    """
    is_ready = trio.Event()

    def hear(data: bytes) -> None:
        if b"ready\n" in data:
            is_ready.set()

    async def pace(step: Step) -> None:
        if ready == "behind" and step.answers[0].seat == CULPRIT and step.ask == "getAction":
            await is_ready.wait()

    clocks = [Clock(time if seat == CULPRIT else PATIENT) for seat in range(SEATS)]
    programs = [culprit if seat == CULPRIT else honest for seat in range(SEATS)]
    taps = [Hears(hear) if seat == CULPRIT and ready else None for seat in range(SEATS)]
    async with seat_players(sandbox, GAME, contenders(programs, taps=taps), pondering=pondering) as players:
        tally = Tally(players)
        if ready == "before":
            await is_ready.wait()
        pids = [player._process.cell.pid for player in players]
        state = GAME.start(setup(size), 7)
        outcome = await loop.play(state, players, clocks, observers=[tally.step], pace=pace if ready else None)
    return Played(outcome, tally, players[CULPRIT], pids)
