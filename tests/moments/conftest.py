"""A toy match, which the tests of the terminal use too."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from referee.contract.clock import Clock, TimeControl
from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Answer, Entrant, Event, Game, Request, State, Step
from referee.contract.ranking import Outcome, rank
from referee.errors import SavedGameError
from referee.moments.scene import Scene
from referee.moments.sentences import Sentence
from referee.moments.timeline import SeatTime

FLOOR, WALL, GOAL = Mark("  ", Tone.EMPTY), Mark("##", Tone.WALL), Mark("RR", Tone.GOAL)
ITEM, POWER = Mark("()", Tone.ITEM), Mark("<>", Tone.POWER)
LEGEND = ((Mark("1>", Tone.HEAD, 0), "a head"), (ITEM, "food"), (WALL, "wall"))
TIME = TimeControl(first=15.0, answer=1.0, total=120.0)


class Walk(State[None, str]):
    """Seats go to the right in turn, each in its row; every fifth step has a jump, every seventh step a song."""

    seats = 0

    def __init__(self, seats: int, steps: int, taken: int = 0) -> None:
        self.seats, self.steps, self.taken = seats, steps, taken

    @property
    def round(self) -> int:
        return self.taken // self.seats + 1

    def requests(self) -> Sequence[Request[None]]:
        return [] if self.taken >= self.steps else [Request(self.taken % self.seats, "getAction", None)]

    def advance(self, actions: Sequence[Any]) -> Sequence[Event]:
        seat = self.taken % self.seats
        self.taken += 1
        events: list[Event] = [{"event": "move", "seat": seat}]
        if self.taken % 5 == 0:
            events.append({"event": "jump", "seat": seat})
        if self.taken % 7 == 0:
            events.append({"event": "sing", "seat": seat})
        return events

    def outcome(self) -> Outcome | None:
        return self._ranking("rounds") if self.taken >= self.steps else None

    def current_result(self) -> Outcome:
        return self.outcome() or self._ranking("interrupted")

    def position(self) -> dict[str, Any]:
        return {"taken": self.taken}

    def draw(self) -> Frame:
        size = max(self.seats, 8)
        cells = [[FLOOR] * size for _ in range(size)]
        for seat in range(self.seats):
            cells[seat][self._went(seat) % size] = Mark(f"{seat + 1}>", Tone.HEAD, seat)
        lines = [SeatLine(s, f"bot {s + 1}", self._went(s), (str(s),), None) for s in range(self.seats)]
        due = [request.seat for request in self.requests()]
        return Frame(f"round {self.round}", cells, ("size",), lines, due, LEGEND)

    def _went(self, seat: int) -> int:
        return (self.taken + self.seats - 1 - seat) // self.seats

    def _ranking(self, reason: str) -> Outcome:
        names = [f"bot {seat + 1}" for seat in range(self.seats)]
        scores = [self._went(seat) for seat in range(self.seats)]
        return Outcome(reason, self.round, rank(scores, [None] * self.seats, names))


def tell(event: Event, names: Sequence[str]) -> str | None:
    return None if event["event"] == "move" else f"{names[event['seat']]} {event['event']}s"


GAME: Any = Game(
    name="walk",
    title="The walk",
    summary="",
    rules_version=1,
    seats=range(1, 9),
    start=lambda setup, seed: Walk(2, 100),
    encode=lambda request: b"",
    decode=lambda ask, lines: "",
    format=str,
    time=TIME,
    maps=SimpleNamespace(default=""),  # type: ignore[arg-type]
    columns=(),
    tell=tell,
)


def play(state: Walk, number: int) -> Step:
    """Play one step of a walk; the answer takes `number` ms, and no clock is charged."""
    request = state.requests()[0]
    played = state.round
    events = state.advance(["R"])
    return Step(number, played, request.ask, [Answer(request.seat, "R", "R", number / 1000)], events)


def clocks(seats: int) -> list[Clock]:
    """The clocks of a match."""
    return [Clock(TIME) for _ in range(seats)]


@dataclass
class SavedWalk:
    """A saved walk. `asked` has the arguments of `state_at`; step `broken_at` does not follow from the rules."""

    seats: int = 2
    length: int = 100
    broken_at: int | None = None
    game: Any = GAME
    time: TimeControl = TIME
    entrants: Sequence[Entrant] = ()
    title: str = "A against B"
    proven: int = 0
    asked: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        state = Walk(self.seats, self.length)
        self.steps = [play(state, number) for number in range(1, self.length + 1)]

    def state_at(self, k: int) -> Walk:
        self.asked.append(k)
        if self.broken_at is not None and k >= self.broken_at:
            raise SavedGameError("walk.jsonl", 1 + self.broken_at, "broken")
        return Walk(self.seats, self.length, k)


def board(width: int, height: int, seats: int, names: Sequence[str] = ()) -> Frame:
    """A frame with walls, items and, for each seat, a snake of three cells in its row, as far as there is room."""
    cells = [[FLOOR] * width for _ in range(height)]
    for x in range(width):
        cells[0][x] = cells[-1][x] = WALL
    for seat in range(seats):
        y = (2 * seat + 1) % height
        for x, mark in enumerate((Mark(f"{seat + 1}_", Tone.TAIL, seat), Mark(f"{seat + 1}.", Tone.BODY, seat),
                                  Mark(f"{seat + 1}>", Tone.HEAD, seat, strong=seat == 1))):  # fmt: skip
            if x + 1 < width:
                cells[y][x + 1] = mark
    if width > 6 and height > 4:
        cells[2][4], cells[2][5], cells[2][6] = ITEM, POWER, GOAL
    lines = [
        SeatLine(
            s, names[s] if s < len(names) else f"bot {s + 1}", 10**s, (str(s), "12"), "timeout" if s == 3 else None
        )
        for s in range(seats)
    ]
    return Frame("round 12 of 300", cells, ("length", "energy"), lines, [0] if seats else [], LEGEND)


def moment(frame: Frame, **more: Any) -> Scene:
    """A scene of a frame with times, ranks and event lines."""
    seats = len(frame.seats)
    events = (
        [Sentence(n, n % seats, "bite", f"{frame.seats[n % seats].name} bites", n) for n in range(1, 13)]
        if seats
        else []
    )
    times = [SeatTime(s, 120.0 - 30 * s, 120.0, 0.01 * s or None) for s in range(seats)]
    values: dict[str, Any] = {"events": events, "times": times, "ranks": range(1, seats + 1), "step": 47, "speed": 8.0}
    return Scene(frame, "A against B", **(values | more))


@pytest.fixture(scope="session")
def toy() -> SimpleNamespace:
    """The toy match: `Walk`, `GAME`, `TIME`, `SavedWalk`, `play`, `clocks`, and frames and scenes of any size."""
    return SimpleNamespace(
        Walk=Walk, GAME=GAME, TIME=TIME, SavedWalk=SavedWalk, play=play, clocks=clocks, board=board, moment=moment,
        FLOOR=FLOOR, WALL=WALL, GOAL=GOAL, ITEM=ITEM, POWER=POWER,
    )  # fmt: skip
