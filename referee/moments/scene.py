"""A moment of a match as the views show it: the frame of the board, and times, ranks and events.

1. A `Scene` is a value with everything that a page shows, for live matches and saved ones.
2. A `Director` follows a live match. It must not delay the match, so it only keeps each step. It draws the board and
   describes the events when a scene is needed. It reads the clocks of the match.
3. Steps wait in a queue of `KEPT`. At thousands of steps per second, older events are dropped, which are too fast to read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.contract.clock import Clock
from referee.contract.frame import Frame, Mark, SeatLine
from referee.contract.game import Entrant, Game, State, Step
from referee.contract.ranking import Outcome
from referee.errors import MISTAKE, GameError
from referee.moments.evidence import Evidence
from referee.moments.sentences import Sentence, sentences
from referee.moments.timeline import SeatTime
from referee.text.words import numbered, row_name, shown_name

KEPT: Final = 256
LINES: Final = 40
"""The most events of a scene, more than a usual terminal has lines."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the people who play are shown beside the board.

    Attributes:
        seat: that of the person to answer; None if it is nobody's turn.
        heading: whose turn it is, in words.
        choices: the keys, and what they would do.
        rows: the lines for choices, at least as many as there are.
        left: seconds of the person's limit that are left; None without one.
    """

    seat: int | None
    heading: str
    choices: Sequence[tuple[Sequence[str], str]] = ()
    rows: int = 0
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What a page is drawn from.

    Attributes:
        frame: the board and the lines of the seats.
        heading: a title in a few words.
        events: the last events in words, oldest first.
        times: one for each seat. ranks: the current rank of each seat, None if it is not ranked.
        step: the number of steps so far. steps: the number in all, None if unknown.
        speed: steps per second, 0 for full speed. paused: whether the match waits.
        follow: the seat that the view follows, None for the seat to move.
        over: the reason for the end of the match, None before it.
        turn: the turn of the people who play; None if only programs do.
        mark: the step whose event is highlighted.
        evidence: the last move of the followed seat, or of the last step. inspected: whether it comes before other parts.
        points: the scores of each seat at samples of the whole match (`seats.Points`); none in a live match.
    """

    frame: Frame
    heading: str = ""
    events: Sequence[Sentence] = ()
    times: Sequence[SeatTime] = ()
    ranks: Sequence[float | None] = ()
    step: int = 0
    steps: int | None = None
    speed: float = 0.0
    paused: bool = False
    follow: int | None = None
    over: str | None = None
    turn: Turn | None = None
    mark: int | None = None
    evidence: Evidence | None = None
    inspected: bool = False
    points: Sequence[Sequence[float]] = ()

    @property
    def part(self) -> float:
        """How much of the match has been played, from 0 to 1; 1 if the number of steps is unknown."""
        return self.step / self.steps if self.steps else 1.0


def draw_with_names(state: State[Any, Any], entrants: Sequence[Entrant], viewer: int | None = None) -> Frame:
    """The frame of a state, with the names that people read (`with_names`).

    Args:
        viewer: the seat of the person who looks, who does not see the secrets of others; None for spectators.

    Raises:
        GameError: no view can show what the game drew.
    """
    frame = state.draw() if viewer is None else state.draw_for(viewer)
    if why := wrong_frame(frame, state.seats):
        raise GameError(f"{MISTAKE} in {type(state).__module__}: {why}")
    return with_names(frame, entrants)


def wrong_frame(frame: object, seats: int) -> str | None:
    """Why no view can show what a game drew; None if nothing is wrong. Of cells, the first of each row is looked at."""
    if not isinstance(frame, Frame):
        return f"`draw` returned {frame!r:.80} instead of a `Frame`"
    try:
        marks = [*(row[0] for row in frame.cells if row), *(mark for mark, _ in frame.legend)]
        texts = [text for line in frame.seats if isinstance(line, SeatLine) for text in (line.name, *line.figures)]
        texts += [frame.title, *frame.figures]
        parts = ((str, texts), (Mark, marks), (SeatLine, frame.seats), (int, frame.to_move))
        for kind, values in parts:
            if other := [value for value in values if not isinstance(value, kind)]:
                return f"its frame has {other[0]!r:.80} where a {kind.__name__} belongs"
    except (TypeError, ValueError) as wrong:
        return f"a part of its frame is no list: {wrong}"
    if (lines := [line.seat for line in frame.seats]) != list(range(seats)):
        return f"its frame has lines for the seats {lines} instead of 0 to {seats - 1}, in order"
    lengths = sorted({len(row) for row in frame.cells})
    return f"the rows of its frame have different lengths: {lengths}" if len(lengths) > 1 else None


def with_names(frame: Frame, entrants: Sequence[Entrant]) -> Frame:
    """The frame with the names that people read, all different.

    A name that the user chose comes first, then the player's answer, then the bot's name. No name can imitate the cells of a
    table. Saved games and rankings keep the names that were answered.

    Args:
        frame: all seats of a match, in order. `player K` and an empty name count as no answer.
        entrants: one for each seat, or none, which leaves the names as they were answered.
    """
    if not entrants:
        return frame
    names: dict[int, str] = {}
    for by_user in (True, False):  # names that the user chose are not numbered
        for line, entrant in zip(frame.seats, entrants, strict=True):
            if entrant.given is by_user:
                answer, own = row_name(line.name), row_name(entrant.name)
                unnamed = answer in ("", shown_name("", line.seat))
                name = own if by_user or (unnamed and own) else answer
                names[line.seat] = numbered(shown_name(name, line.seat), names.values())
    return replace(frame, seats=[replace(line, name=names[line.seat]) for line in frame.seats])


def seats_to_mark(frame: Frame) -> Sequence[int]:
    """The seats to mark as those to move; none if all players move at the same moment."""
    playing = [line.seat for line in frame.seats if line.disqualified is None]
    return () if len(playing) > 1 and set(playing) <= set(frame.to_move) else frame.to_move


def ranks_of(outcome: Outcome, seats: int) -> list[float | None]:
    """The rank of each seat, None if it is not ranked."""
    ranks = {line.seat: line.rank for line in outcome.ranking}
    return [ranks.get(seat) for seat in range(seats)]


class Director:
    """Follows a live match: `step` notes a step, `scene` shows the current moment.

    Attributes:
        state: the match, only read, between two steps.
        clocks: the clocks of the match, one for each seat, only read.
        entrants: the players, for their names (`with_names`).
        last_step: the number of the last step, 0 before the first one.
    """

    def __init__(
        self, game: Game[Any, Any], state: State[Any, Any], clocks: Sequence[Clock], entrants: Sequence[Entrant] = ()
    ) -> None:
        self.game, self.state, self.clocks, self.entrants = game, state, clocks, entrants
        self.last_step = 0
        self._last: list[float | None] = [None] * len(clocks)
        self._new: deque[Step] = deque(maxlen=KEPT)
        self._events: deque[Sentence] = deque(maxlen=LINES)

    def step(self, step: Step) -> None:
        """Note a step, as an observer of the match."""
        self.last_step = step.number
        self._new.append(step)
        for answer in step.answers:
            self._last[answer.seat] = answer.elapsed

    def scene(self, viewer: int | None = None) -> Scene:
        """The current moment.

        Args:
            viewer: the seat of the person who looks, who does not see the secrets of others before the end; None for spectators.
        """
        outcome = self.state.outcome()
        frame = draw_with_names(self.state, self.entrants, None if outcome is not None else viewer)
        names = [line.name for line in frame.seats]
        while self._new:
            self._events.extend(sentences(self.game, self._new.popleft(), names))
        return Scene(
            frame=frame,
            heading=self.game.title,
            events=tuple(self._events),
            times=[
                SeatTime(clock.used, clock.left(), clock.control.total, last)
                for clock, last in zip(self.clocks, self._last, strict=True)
            ],
            ranks=ranks_of(outcome or self.state.current_result(), len(self.clocks)),
            step=self.last_step,
            over=outcome.reason if outcome is not None else None,
        )
