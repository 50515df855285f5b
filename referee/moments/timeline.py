"""The seats' clocks at any step of a saved match, and the events around it.

1. The charged times are added up once, and the beginnings of rounds are noted. After that a moment takes a few binary
   searches, so that long matches are as quick as short ones.
2. A step of a saved match is untrusted until `Replay.state_at` has played it: its seats may not exist and its events may be
   anything. So only played steps are described; `seek` plays those that it describes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from referee.contract.game import Fault, Step
from referee.errors import SavedGameError
from referee.moments.sentences import FAULT, Sentence, sentences
from referee.saved.replay import Replay

LOOK_BACK: Final = 2000
"""The most steps before a moment in which `last_sentences` looks for events."""


@dataclass(frozen=True, slots=True)
class SeatTime:
    """A seat's time in seconds: used so far, left of the total (None without one), the total, and that of the last answer."""

    used: float = 0.0
    left: float | None = None
    total: float | None = None
    last: float | None = None


class Timeline:
    """Times and events of a saved match. `k` is the number of a step that `Replay.state_at` has played."""

    def __init__(self, saved: Replay) -> None:
        self.saved = saved
        self.seats = seats = saved.state_at(0).seats
        self._at = [array("l") for _ in range(seats)]
        self._used = [array("d") for _ in range(seats)]
        self._took = [array("d") for _ in range(seats)]
        self._rounds = array("l")
        played: int | None = None
        used = [0.0] * seats
        by_cpu = saved.time.kind == "cpu"
        for k, step in enumerate(saved.steps, start=1):
            if step.round != played:
                self._rounds.append(k - 1)
                played = step.round
            for answer in step.answers:
                if (seat := answer.seat) < seats:
                    used[seat] += answer.cpu if by_cpu and answer.cpu is not None else answer.elapsed
                    self._at[seat].append(k)
                    self._used[seat].append(used[seat])
                    self._took[seat].append(answer.elapsed)

    def times(self, k: int) -> list[SeatTime]:
        """The times of the seats after step `k`."""
        total = self.saved.time.total
        times = []
        for at, charged, took in zip(self._at, self._used, self._took, strict=True):
            answers = bisect_right(at, k)
            used = charged[answers - 1] if answers else 0.0
            left = None if total is None else max(0.0, total - used)
            times.append(SeatTime(used, left, total, took[answers - 1] if answers else None))
        return times

    def round_from(self, k: int, *, forward: bool) -> int:
        """The step before the next round after step `k`, or before the last one without `forward`; otherwise an end."""
        if forward:
            index = bisect_right(self._rounds, k)
            return self._rounds[index] if index < len(self._rounds) else len(self.saved.steps)
        index = bisect_left(self._rounds, k)
        return self._rounds[index - 1] if index else 0

    def move_from(self, k: int, seat: int, *, forward: bool) -> int | None:
        """The nearest step after step `k`, or before it without `forward`, in which this seat was asked; None without one."""
        at = self._at[seat]
        index = bisect_right(at, k) if forward else bisect_left(at, k) - 1
        return at[index] if 0 <= index < len(at) else None

    def limit(self, k: int, seat: int) -> float:
        """The seconds that this seat had for its answer in step `k`."""
        time = self.saved.time
        answers = bisect_left(self._at[seat], k)
        own = time.answer if answers else time.first
        if time.total is None or time.kind == "cpu":
            return own
        return min(own, max(0.0, time.total - (self._used[seat][answers - 1] if answers else 0.0)))

    def last_sentences(self, k: int, names: Sequence[str], most: int) -> list[Sentence]:
        """The last events up to step `k`, at most `most`, oldest first."""
        steps = range(k, max(0, k - LOOK_BACK), -1)
        newest_first = (event for step in steps for event in reversed(self.sentences_in(step, names)))
        return list(islice(newest_first, most))[::-1]

    def seek(self, k: int, names: Sequence[str], kind: str | None, *, forward: bool) -> Sentence | None:
        """The nearest event after step `k`, or before it without `forward`; of this kind, if it is not None.

        Of several events in a step it is the first. Its `step` is the k of that step.

        Raises: SavedGameError: a step up to it does not follow from the rules.
        """
        steps = self.saved.steps
        for index in range(k, len(steps)) if forward else range(k - 2, -1, -1):
            # The names of events are compared without trusting the step; only steps with a match are played.
            if _may_tell(steps[index], kind):
                if forward and index >= self.saved.proven:
                    self.saved.state_at(index + 1)
                for event in self.sentences_in(index + 1, names):
                    if kind is None or event.kind == kind:
                        return event
        return None

    def kinds(self, names: Sequence[str]) -> list[str]:
        """The kinds of events that `seek` can go to, in the order of their first event. It plays those not yet played."""
        kinds: dict[str, None] = {}
        with suppress(SavedGameError):  # later steps do not follow from the rules
            for k in range(1, len(self.saved.steps) + 1):
                if k > self.saved.proven:
                    self.saved.state_at(k)
                kinds |= dict.fromkeys(event.kind for event in self.sentences_in(k, names))
        return list(kinds)

    def sentences_in(self, k: int, names: Sequence[str]) -> list[Sentence]:
        """The events of step `k` in words."""
        # The numbers in the file are not trusted.
        return [replace(event, step=k) for event in sentences(self.saved.game, self.saved.steps[k - 1], names)]


def _may_tell(step: Step, kind: str | None) -> bool:
    if kind is not None and kind != FAULT:
        return any(event.get("event") == kind for event in step.events)
    return (kind is None and bool(step.events)) or any(isinstance(answer.action, Fault) for answer in step.answers)
