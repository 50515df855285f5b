"""What measures a player and the referee, as a test sets it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.players.fairness import OwnTime


@dataclass
class Witness:
    """A witness that reports what the test sets, of a player with few or many threads."""

    used: float = 3.0
    delay: float = 0.0
    ready: bool = False
    stuck: bool = False
    few: bool = True
    watched: int = 0
    asked_if_ready: int = 0

    def grow(self, *, delay: float = 0.0, used: float = 0.0) -> None:
        self.delay += delay
        self.used += used

    def cpu(self) -> float:
        return self.used

    def watch(self, *, many: bool = False) -> bool:
        self.watched += many or self.few
        return many or self.few

    def stood(self) -> float:
        return self.delay

    def is_ready(self) -> bool:
        self.asked_if_ready += 1
        return self.ready

    def is_stuck(self) -> bool:
        return self.stuck


class Own(OwnTime):
    """A referee that was delayed for as long as the test says."""

    def __init__(self) -> None:
        self.latest = self.delay = 0.0
        self.other_work = self.still = 0.0
        self.count = 0

    def delayed(self) -> float:
        return self.delay

    def awake(self) -> float:
        return self.other_work

    def stops(self) -> int:
        return self.count
