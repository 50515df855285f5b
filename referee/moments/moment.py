"""A saved match from its first moment to its last, as everything that shows it whole needs it: pages, pictures, tables, words.

Each moment is a step of the saved game: moment 0 is the setup, moment k comes after step k.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from referee.contract.frame import Frame
from referee.contract.game import Request, Step
from referee.contract.ranking import Outcome
from referee.moments.scene import draw_with_names, ranks_of
from referee.moments.sentences import Sentence
from referee.moments.timeline import SeatTime, Timeline
from referee.saved.replay import Replay


class Moment(NamedTuple):
    """One moment of a saved match.

    Attributes:
        at: the number of steps so far. step: the last of them; None at the setup.
        frame: the board and the lines of the seats, with the names that people read.
        events: the events of the last step in words.
        times: the time of each seat so far.
        result: the current result.
        over: the reason for the end of the match, `interrupted` if it was broken off; None before it.
        requests: those of the next step, valid until the next moment is made.
    """

    at: int
    step: Step | None
    frame: Frame
    events: Sequence[Sentence]
    times: Sequence[SeatTime]
    result: Outcome
    over: str | None
    requests: Sequence[Request[Any]]

    @property
    def ranks(self) -> Sequence[float | None]:
        """The current rank of each seat; None if it is not ranked."""
        return ranks_of(self.result, len(self.frame.seats))


def moment(timeline: Timeline, at: int, names: Sequence[str] | None = None) -> Moment:
    """One moment. The next one is quick, a jump may take milliseconds.

    Args:
        names: what events call the seats; None for the names that people read.

    Raises:
        SavedGameError: a step up to it does not follow from the rules. UsageError: there is no such step.
    """
    saved = timeline.saved
    state = saved.state_at(at)
    frame = draw_with_names(state, saved.entrants)
    step = saved.steps[at - 1] if at else None
    events = [] if step is None else timeline.sentences_in(at, names or [line.name for line in frame.seats])
    result = state.current_result()
    over = result.reason if at == len(saved.steps) else None
    return Moment(at, step, frame, events, timeline.times(at), result, over, state.requests())


def moments(saved: Replay, names: Sequence[str] | None = None) -> Iterator[Moment]:
    """All moments in order; `names` as in `moment`. Raises: SavedGameError: a step does not follow from the rules."""
    timeline = Timeline(saved)
    for at in range(len(saved.steps) + 1):
        yield moment(timeline, at, names)
