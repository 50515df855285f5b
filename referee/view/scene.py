"""A moment of a match as the views show it: the board's frame and what the referee knows beside it. No trio, no rich.

1. A `Scene` is a value: all that a page is drawn from, whether the match is under way or was saved.
2. A `Director` follows a match under way. It is told of every step and must cost next to nothing there, so it only keeps
   the step; the board is drawn and events are put into words when a scene is asked for. The clocks are the match's own.
3. Steps wait in a queue of `KEPT`: at thousands of steps a second, events older than that are never told. They would have
   passed unread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from referee.clock import Clock
from referee.frame import Frame
from referee.game import Entrant, Fault, Game, Position, State, Step
from referee.names import numbered, row_name, shown_name
from referee.ranking import Outcome

FAULT: Final = "fault"
"""The kind of a told line that no event made: a player failed, and plays on."""
KEPT: Final = 256
LINES: Final = 40
"""Told lines that a scene holds: more than the tallest usual terminal has room for beside a board."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event in words: its round, its seat (None without one), its name as `kind`, and the game's line for it."""

    round: int
    seat: int | None
    kind: str
    text: str
    step: int


@dataclass(frozen=True, slots=True)
class SeatTime:
    """One seat's time in seconds: used so far, left of the bank and the bank's size (None: no bank), the last answer's."""

    used: float = 0.0
    left: float | None = None
    total: float | None = None
    last: float | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What a page is drawn from.

    Attributes:
        frame: the board and the seats' lines.
        heading: what is being shown, in a few words.
        told: the last events in words, oldest first.
        times: one for each seat. `ranks`: the rank of each seat now, None for one that is not ranked.
        step: how many steps have been taken, of `steps` in all (None if unknown).
        speed: steps a second, 0 as fast as possible; `paused` whether it stands still.
        follow: the seat that the view follows, None for the seat to move.
        over: the reason when the match is over.
        mark: the step whose told line stands out, and `kind` the kind of events that n and N go to.
    """

    frame: Frame
    heading: str = ""
    told: Sequence[Told] = ()
    times: Sequence[SeatTime] = ()
    ranks: Sequence[float | None] = ()
    step: int = 0
    steps: int | None = None
    speed: float = 0.0
    paused: bool = False
    follow: int | None = None
    over: str | None = None
    mark: int | None = None
    kind: str | None = None


def telling(game: Game[Any, Any], step: Step, names: Sequence[str]) -> Iterable[Told]:
    """What of a step is worth a line: faults that no event tells of, and its events, in order.

    A fault that disqualifies is an event. Where a game lets a player go on that failed, the lost answer would pass unseen.
    """
    out = [event["seat"] for event in step.events if event["event"] == "disqualified"]
    for seat, action, *_ in step.answers:
        if isinstance(action, Fault) and seat not in out:
            text = f"{names[seat]} fails: {action.kind}, {action.detail}"
            yield Told(step.round, seat, FAULT, text, step.number)
    for event in step.events:
        if words := game.tell(event, names):
            yield Told(step.round, event.get("seat"), event["event"], words, step.number)


def called(frame: Frame, entrants: Sequence[Entrant]) -> Frame:
    """The frame with the names that people read, no two alike.

    The name that the user gave comes first, then the one that the player answered, then the bot's own. No name can imitate the
    cells of a table. Saved games and rankings keep the names that were answered.

    Args:
        frame: all seats of a match, in order. `player K` and an empty name count as no answer.
        entrants: one a seat; none at all leaves the names as they were answered.
    """
    if not entrants:
        return frame
    names: dict[int, str] = {}
    for given in (True, False):  # names that the user gave stay as they are
        for line, entrant in zip(frame.seats, entrants, strict=True):
            if entrant.given is given:
                answered, own = row_name(line.name), row_name(entrant.name)
                unnamed = answered in ("", shown_name("", line.seat))
                name = own if given or (unnamed and own) else answered
                names[line.seat] = numbered(shown_name(name, line.seat), names.values())
    return replace(frame, seats=[replace(line, name=names[line.seat]) for line in frame.seats])


def pointed(frame: Frame) -> Sequence[int]:
    """The seats to point at as those to move; none where it tells nothing, since all that still play are due at once."""
    playing = [line.seat for line in frame.seats if line.disqualified is None]
    return () if len(playing) > 1 and set(playing) <= set(frame.to_move) else frame.to_move


def ranks_of(outcome: Outcome, seats: int) -> list[float | None]:
    """The rank of each of so many seats, None for one that the ranking does not list."""
    ranks = {line.seat: line.rank for line in outcome.ranking}
    return [ranks.get(seat) for seat in range(seats)]


@dataclass(slots=True)
class Director:
    """Follows a match under way: `step` on every step, `scene` when somebody looks.

    Attributes:
        state: read, never advanced. Views run between two steps, when it stands still.
        clocks: those that the match charges, one a seat; only read.
        entrants: for the names that are shown (`called`).
    """

    game: Game[Any, Any]
    state: State[Any, Any]
    clocks: Sequence[Clock]
    entrants: Sequence[Entrant] = ()
    taken: int = 0
    _last: list[float | None] = field(init=False)
    _new: deque[Step] = field(init=False)
    _told: deque[Told] = field(init=False)

    def __post_init__(self) -> None:
        self._last = [None] * len(self.clocks)
        self._new = deque(maxlen=KEPT)
        self._told = deque(maxlen=LINES)

    def step(self, step: Step) -> None:
        """Note a step. An observer of the match: no drawing, no words."""
        self.taken = step.number
        self._new.append(step)
        for answer in step.answers:
            self._last[answer.seat] = answer.elapsed

    def end(self, outcome: Outcome, final: Position) -> None:
        """The match is over. The state has the result."""

    def scene(self, *, speed: float = 0.0, paused: bool = False, follow: int | None = None) -> Scene:
        """The moment as it is now."""
        frame = called(self.state.draw(), self.entrants)
        names = [line.name for line in frame.seats]
        while self._new:
            self._told.extend(telling(self.game, self._new.popleft(), names))
        outcome = self.state.outcome()
        return Scene(
            frame=frame,
            heading=self.game.title,
            told=tuple(self._told),
            times=[
                SeatTime(clock.used, clock.left(), clock.control.total, last)
                for clock, last in zip(self.clocks, self._last, strict=True)
            ],
            ranks=ranks_of(outcome or self.state.current_result(), len(self.clocks)),
            step=self.taken,
            speed=speed,
            paused=paused,
            follow=follow,
            over=outcome.reason if outcome is not None else None,
        )
