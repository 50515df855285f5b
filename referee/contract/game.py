"""The contract between the referee and a game: the game asks, the referee answers.

1. A `State` is one match in progress. It lists the requests that are due now and takes one answer for each, in the same
   order. It knows no process and no clock, and its only source of chance is its own seeded generator.
2. An answer is either an action, which the game's codec made from the player's bytes, or a `Fault`. A fault is a value: the
   players' layer makes it and the rules say what it costs. It is never raised.
3. An *invalid* answer cannot be parsed: the codec raises `InvalidReply`, which becomes a fault. An *illegal* answer is parsed,
   but the rules refuse it: an event. An exception means that the referee or the user made a mistake.
4. Positions and events are JSON objects, exactly as in saved games (saved-games.md): one vocabulary for rules, files, views
   and other programs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from referee.contract.clock import TimeControl
from referee.contract.frame import Control, Frame, SeatLine
from referee.contract.positions import NO_MAPS, USUAL_CONTEST, Contest, Maps, OnlyMap, Position, Trial
from referee.contract.programs import Policy as Policy
from referee.contract.programs import Programs as Programs
from referee.contract.programs import Request as Request
from referee.contract.ranking import Outcome
from referee.contract.training import Training
from referee.text.words import recall_name

CONTRACT: Final = 1
"""The version of this contract. It increases when games have to change."""
Obs = TypeVar("Obs")
Act = TypeVar("Act")

tuple_of: Final = tuple.__new__
"""Makes a named tuple from all its fields, in order: unchecked, in a third of the constructor's time, for hot paths."""
Event: TypeAlias = dict[str, Any]
"""Something that happened, as JSON: `event` names it, and `seat` is the seat, if it is about one."""


class FaultKind(StrEnum):
    """The kinds of failure to answer (protocol.md, What is a violation)."""

    TIMEOUT = "timeout"
    EXIT = "exit"
    OVERFLOW = "overflow"
    INVALID = "invalid"
    SANDBOX = "sandbox"


FaultName: TypeAlias = Literal["timeout", "exit", "overflow", "invalid", "sandbox"]
"""The same words, as files have them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no usable answer: the kind, and what happened, in words.

    The kinds are `timeout`, `exit`, `overflow`, `invalid` and `sandbox`, and each is equal to its word: `kind == "timeout"`.
    """

    kind: FaultKind
    detail: str


def disqualified(seat: int, fault: Fault) -> Event:
    """The event of a seat that is disqualified for a fault."""
    return {"event": "disqualified", "seat": seat, "why": str(fault.kind), "detail": fault.detail}


Lifetime: TypeAlias = Literal["game", "turn"]
"""Whether one process plays the whole match, or each turn gets a fresh one. Manifests and headers use the same words."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """What is known of a player before the match. It is saved in the header.

    Attributes:
        name: the bot's name, for games that do not ask for one.
        lifetime: how long its processes live.
        house: whether it only fills a seat and is not ranked.
        given: whether the user or a tournament chose the name. If so, people see it instead of the player's answer.
    """

    name: str
    lifetime: Lifetime = "game"
    house: bool = False
    given: bool = False


class Answer(NamedTuple, Generic[Act]):
    """The answer to a request.

    Attributes:
        text: the answer as it is saved; None for a fault.
        elapsed: the seconds charged to the player.
        cpu: the CPU seconds that its process used; None if not measured.
        late: the seconds not charged, because the player could not run or the referee could not look.
    """

    seat: int
    action: Act | Fault
    text: str | None
    elapsed: float
    cpu: float | None = None
    late: float = 0.0


class Step(NamedTuple):
    """One cycle of requests and `advance`: `number` counts from 1, `round` is 0 while names are asked."""

    number: int
    round: int
    ask: str
    answers: Sequence[Answer[Any]]
    events: Sequence[Event]


class State(ABC, Generic[Obs, Act]):
    """One match in progress (theory, point 1)."""

    seats: int
    """How many seats there are."""

    @property
    @abstractmethod
    def round(self) -> int:
        """The round of the due requests; 0 while names are asked."""

    @abstractmethod
    def requests(self) -> Sequence[Request[Obs]]:
        """The requests that are due now; empty if and only if the match is over."""

    @abstractmethod
    def advance(self, actions: Sequence[Act | Fault]) -> Sequence[Event]:
        """Apply one action or fault for each due request, in the same order. Returns what happened."""

    def foresee(self, actions: Sequence[Act | Fault]) -> Sequence[Event]:
        """What `advance` would return; the state does not change.

        The random choices are those that `advance` would make, so showing them to a player gives them away.
        """
        return deepcopy(self).advance(actions)

    def follow(self, events: Sequence[Event]) -> None:
        """Make the random choices of the next `advance` as these recorded events say, if the rules allow them.

        This replays a match that was played with another generator. The events are untrusted: the caller compares them with
        those that `advance` returns.
        """

    def outcome(self) -> Outcome | None:
        """The result; None while the match goes on."""
        return None if self.requests() else self.current_result()

    @abstractmethod
    def current_result(self) -> Outcome:
        """The result so far. While the match goes on, its reason is `interrupted`."""

    @abstractmethod
    def position(self) -> Position:
        """This moment as JSON, in the form of a setup; shares no data with the state."""

    def draw(self) -> Frame:
        """This moment as views show it; by default, a table of the seats without a board."""
        ranking = sorted(self.current_result().ranking, key=lambda ranked: ranked.seat)
        lines = [SeatLine(seat.seat, seat.name, seat.score, (), seat.disqualified) for seat in ranking]
        due = [request.seat for request in self.requests()]
        return Frame(f"round {self.round}" if self.round else "names", (), (), lines, due, ())

    def draw_for(self, seat: int) -> Frame:
        """This moment as a person who plays in a seat may see it; by default, all of it."""
        return self.draw()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the closing table: `of` says what an event adds to the figure of its seat."""

    title: str
    of: Callable[[Event], int]


class Effect(NamedTuple):
    """What a step meant for one seat: why its points changed, what else it lost, or why its turn came to nothing.

    Attributes:
        seat: the seat, from 0.
        kind: `points`, gained or lost; `loss`, of something that is worth points later; `nothing`, a turn without a use.
        what: a few words: the source of the points ("deliveries"), what was lost ("blocks bitten off by rivals"; for an
            amount of 1 the first word loses its s), or what the seat did in the turn ("waited").
        amount: the points, negative if they were lost; how much was lost; 1 for a turn.
        event: the event of the step that shows it; None if none does.
        rival: the other seat that took part; None without a rival.
    """

    seat: int
    kind: Literal["points", "loss", "nothing"]
    what: str
    amount: float = 1
    event: Event | None = None
    rival: int | None = None


class Start(Protocol[Obs, Act]):
    """Makes a state."""

    def __call__(self, setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> State[Obs, Act]:
        """A state from a setup and a seed; `entrants` are one for each seat, or none if unknown. Raises: SetupError."""


@dataclass(frozen=True, slots=True)
class Game(Generic[Obs, Act]):
    """A game as a plug-in: each game's folder exports one, called GAME.

    Attributes:
        name: as `--game` takes it: that of the folder, or of the entry point.
        title: the name for people; `summary` says the game in one line.
        rules_version: increases when the same answers would give another game.
        seats: the possible numbers of players.
        start: a function that makes a state from a setup, a seed and the entrants. Raises: SetupError.
        encode: the bytes of a request. `decode`: the action in its answer lines (without line feeds). Raises: InvalidReply.
        format: an action as it is saved, its lines joined by line feeds.
        reply_lines: how many lines answer a request of this name. `reply_cap`: the longest line in bytes.
        together: whether several seats can be due at the same moment, so that no player may put the referee to sleep.
        lifetimes: the possible lifetimes of a process, the default first.
        encode_turn: the whole input of a process that lives for one turn. Its whole output, at most `reply_cap` bytes, is what
            `decode` gets. Only for games that allow that lifetime.
        time: the default limits.
        maps: the game's maps; without them there is only the game's own start (`OnlyMap`).
        columns: its own columns of the closing table.
        tell: an event of the game's own in one line of plain words, given the seats' names; None for an event not worth a line.
        effects: what a step meant for each seat, for `referee explain`. It gets the step with its answers as text, and the
            points by seat before and after it (0 for a seat that is not ranked). The effects of a seat with the kind
            `points` add up to the difference. Without it, nothing is known but that difference.
        trials: positions on which `referee check` tests a bot, the simplest first; may be empty.
        house: a function that makes a player for an empty seat, from the seat and the match's seed; None without a house.
            `Maps.setup` adds such seats after those that it was asked for.
        programs: the game's own language for players; None without such a language.
        steps: roughly how many steps a match from this position has, for the speed of views; 0 if unknown.
        remembering: the first action with the memory of the second, or with none; for games in which an answer holds a memory
            that a later request gives back. A fault that costs only the answer stands for the action that replaces it.
        forgotten: a position in which a seat's memory is empty.
        controls: what a person in a seat that is asked for an action can do, given the seats' names; None if nobody can play.
        training: how programs learn the game (`referee.env`); None for a game that no program can learn there.
        contest: what a new `tournament.toml` of this game says.
        contract: the version of this contract for which the game was written.
    """

    name: str
    title: str
    summary: str
    rules_version: int
    seats: range
    start: Start[Obs, Act]
    encode: Callable[[Request[Obs]], bytes]
    decode: Callable[[str, Sequence[bytes]], Act]
    time: TimeControl
    maps: Maps = NO_MAPS
    format: Callable[[Act], str] = str
    columns: Sequence[Column] = ()
    tell: Callable[[Event, Sequence[str]], str | None] = lambda _event, _names: None
    effects: Callable[[Step, Sequence[float], Sequence[float]], Iterable[Effect]] = lambda _step, _before, _after: ()
    reply_lines: Callable[[str], int] = lambda _ask: 1
    reply_cap: int = 1024
    trials: Callable[[], Sequence[Trial]] = tuple
    together: bool = False
    lifetimes: Sequence[Lifetime] = ("game",)
    encode_turn: Callable[[Request[Obs]], bytes] | None = None
    house: Callable[[int, int], Policy[Obs, Act]] | None = None
    programs: Programs | None = None
    steps: Callable[[Position], int] = lambda _position: 0
    remembering: Callable[[Act | Fault, Act | None], Act | Fault] | None = None
    forgotten: Callable[[Position, int], Position] = lambda position, _seat: position
    controls: Callable[[Any, int, Sequence[str]], Sequence[Control]] | None = None
    training: Callable[[], Training] | None = None
    contest: Contest = USUAL_CONTEST
    contract: int = 1

    def __post_init__(self) -> None:
        """A game without maps has one all the same."""
        if self.maps is NO_MAPS:
            only = OnlyMap(lambda setup, rng_seed: self.start(setup, rng_seed).position(), self.seats)
            object.__setattr__(self, "maps", only)

    def recall(self, ask: str, answer: str, events: Sequence[Event]) -> Act | str:
        """The action that a saved answer, or one of a `Control`, means; for `getName`, the name.

        Args:
            answer: the answer as `format` writes it.
            events: the events of that step. A name in cp1251 is not in the answer, but in its event.

        Raises:
            InvalidReply: the text is not an answer, or does not fit the name in the event.
        """
        if ask == "getName":
            return recall_name(answer, events[0].get("name") if events else None)
        data = answer.encode(errors="replace")
        return self.decode(ask, [data] if self.reply_lines(ask) == 1 else data.split(b"\n"))
