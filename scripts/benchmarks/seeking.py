"""The time in which a replay reaches a position of a saved game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.figures import Spread, spread
from referee.record import load
from referee.replay import Replay


@dataclass(frozen=True, slots=True)
class Seeks:
    """Seconds to reach positions all over a match.

    Attributes:
        opened: to read the file and start a replay.
        fresh: to a position, each with a new replay.
        kept: the same, in mixed order, with a replay that has seen the whole match.
    """

    steps: int
    opened: float
    fresh: Spread
    kept: Spread


def seeks(path: Path, count: int) -> Seeks:
    """Go to `count` evenly spread positions, including the last one."""
    began = perf_counter()
    record = load(path)
    walked = Replay(record)
    opened = perf_counter() - began
    steps = len(walked.steps)
    goals = sorted({round(k * steps / count) for k in range(1, count + 1)})
    fresh = [_seek(Replay(record), goal) for goal in goals]
    walked.state_at(steps)
    kept = [_seek(walked, goal) for goal in [*goals[1::2], *goals[::2][::-1]]]
    return Seeks(steps, opened, spread(fresh), spread(kept))


def _seek(replay: Replay, goal: int) -> float:
    began = perf_counter()
    replay.state_at(goal)
    return perf_counter() - began
