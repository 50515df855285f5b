"""Timed matches with the whole referee: players are started and asked once, then the match begins.

The measured time ends with the last step. The end of the record (a digest, a sync, perhaps compression) is measured
separately, because it occurs once per match and not per request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter
from typing import Final

from benchmarks.setting import WrongError
from benchmarks.work import SEED, Work, entrants
from referee.contract.clock import Clock, TimeControl
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.match import loop
from referee.players.table import Contender, seat_players
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox
from referee.saved.record import Recorder, header_line

PATIENT: Final = TimeControl(first=60.0, answer=60.0, total=None)
"""For requests that are not timed."""
_PATIENCE: Final = 60
"""Multiplies the limits, so that a busy machine spoils no match; all clocks run as usual."""


@dataclass(frozen=True, slots=True)
class Run:
    """A match that was played; times in seconds.

    Attributes:
        steps: the time from the first request to the last step.
        ended: the time of the end of the record.
        whole: the whole time, including the start and the end of the players.
        charged: the sum for all players; players that answer concurrently are charged for the same time.
    """

    steps: float
    ended: float
    whole: float
    charged: float
    saved: Path


class Timed(Recorder):
    """A recorder that notes when the match ends, and when the record is complete."""

    stopped: float = 0.0
    done: float = 0.0

    def end(self, outcome: Outcome, final: Position) -> None:
        """Ends the record, and notes the times."""
        self.stopped = perf_counter()
        super().end(outcome, final)
        self.done = perf_counter()


async def whole(work: Work, level: Level = Level.NONE, *, others: Sequence[Contender] | None = None) -> Run:
    """Play a work's match, or one of other players from its beginning, and save it. Opening the level is not measured.

    Raises:
        WrongError: the work's match did not end as expected.
    """
    game = work.game
    with open_sandbox(level) as sandbox:
        entered = perf_counter()
        state = work.start()
        time = patient(game.time)
        header = header_line(
            game, time, entrants(game, work.seats, work.places),
            rng_seed=SEED, setup=work.setup, created="2026-01-01T00:00:00+00:00", referee="",
        )  # fmt: skip
        recorder = Timed(Path(mkdtemp(dir=work.folder.parent)) / "match.jsonl.gz", header)
        clocks = [Clock(time) for _ in range(state.seats)]
        try:
            contenders = others or [Contender(bot, "game") for bot in work.contenders()]
            async with seat_players(sandbox, game, contenders) as players:
                first = state.requests()[0]
                for seat in range(work.seats):
                    await players[seat].ask(first._replace(seat=seat), Clock(PATIENT))
                began = perf_counter()
                outcome = await loop.play(state, players, clocks, recorders=[recorder])
        finally:
            recorder.close()
        left = perf_counter()
    if others is None and outcome != work.outcome:
        raise WrongError(f"{game.title}: the match did not end as it does by the rules alone: {outcome}")
    charged, ended = sum(clock.used for clock in clocks), recorder.done - recorder.stopped
    return Run(recorder.stopped - began, ended, left - entered, charged, recorder.path)


def patient(time: TimeControl) -> TimeControl:
    """Limits of the same kind that never run out."""
    total = None if time.total is None else time.total * _PATIENCE
    return TimeControl(time.first * _PATIENCE, time.answer * _PATIENCE, total, time.kind)
