"""The contract between the referee and a game: the game asks, the referee answers.

1. A `State` is one match in progress. It lists the requests that are due now and is handed one answer for each, in the
   same order; it knows no process, no clock and no chance but its own seeded generator.
2. An answer is either an action that the game's codec made from the player's bytes, or a `Fault`: what went wrong is a
   value that the player layer makes and the game prices. It never travels as an exception.
3. *Invalid* is what cannot be parsed (the codec raises `InvalidReply`, the player layer makes it a fault). *Illegal* is
   what is parsed and refused by the rules: an event. An exception means that we or the user are at fault.
4. Positions and events are JSON objects, the very ones that a saved game holds (saved-games.md), so that there is
   one vocabulary for rules, files, views and other programs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from referee.clock import TimeControl
from referee.errors import SetupError
from referee.frame import Frame, Sheet
from referee.names import recall_name
from referee.ranking import Outcome

Obs = TypeVar("Obs")
Act = TypeVar("Act")
ActOut = TypeVar("ActOut", covariant=True)

Position: TypeAlias = dict[str, Any]
"""All that is needed to go on from a moment of a match, as JSON; a setup is the same thing."""

Event: TypeAlias = dict[str, Any]
"""Something that happened, as JSON: `event` names it, and where one seat is concerned `seat` says which."""


class FaultKind(StrEnum):
    """The ways to fail at answering (protocol.md, What is a violation)."""

    TIMEOUT = "timeout"
    EXIT = "exit"
    OVERFLOW = "overflow"
    INVALID = "invalid"
    SANDBOX = "sandbox"


FaultName: TypeAlias = Literal["timeout", "exit", "overflow", "invalid", "sandbox"]
"""The same as files have them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why no usable answer came: the kind, and in plain words what was seen."""

    kind: FaultKind
    detail: str


Lifetime: TypeAlias = Literal["game", "turn"]
"""Whether one process of a bot plays the whole match, or each turn gets a fresh one; the words of manifests and headers."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """What is known of a player before it is asked anything; a saved game's header has it.

    Attributes:
        name: the bot's, for games that do not ask.
        lifetime: how long a process of it lives.
        house: whether it only fills up the seats, and is not ranked.
        given: whether the name is one that the user gave it for this match; it then goes before what the player answers
            wherever people look.
    """

    name: str
    lifetime: Lifetime = "game"
    house: bool = False
    given: bool = False


class Request(NamedTuple, Generic[Obs]):
    """A question to one seat. The observation may be a view of the state: it holds until the next `advance`."""

    seat: int
    ask: str
    observation: Obs


class Policy(Protocol[Obs, ActOut]):
    """A player that needs no process: a program in the game's own language, or one of the house's. Pure and quick."""

    @property
    def name(self) -> str:
        """What it answers when it is asked for its name."""

    def decide(self, request: Request[Obs]) -> ActOut:
        """The action in answer to a request other than `getName`."""


class Answer(NamedTuple, Generic[Act]):
    """What came back for a request.

    `text` is the answer as a saved game writes it, None with a fault; `elapsed` the wall seconds charged to the player;
    `cpu` the CPU seconds that its process used, None where nobody measured them; `late` the seconds that were
    subtracted, because the player could not run or the referee could not look.
    """

    seat: int
    action: Act | Fault
    text: str | None
    elapsed: float
    cpu: float | None = None
    late: float = 0.0


class Step(NamedTuple):
    """One requests/advance cycle, as observers get it: `number` from 1, `round` 0 while names are asked."""

    number: int
    round: int
    ask: str
    answers: Sequence[Answer[Any]]
    events: Sequence[Event]


class State(ABC, Generic[Obs, Act]):
    """One match in progress: no I/O, no clock, no chance but its own seeded generator."""

    seats: int
    """How many seats there are."""

    @property
    @abstractmethod
    def round(self) -> int:
        """The round of the requests that are due: 0 while names are asked."""

    @abstractmethod
    def requests(self) -> Sequence[Request[Obs]]:
        """The requests that are due now; empty when, and only when, the match is over."""

    @abstractmethod
    def advance(self, actions: Sequence[Act | Fault]) -> Sequence[Event]:
        """Take one action or fault for each due request, in the same order; returns what happened."""

    def follow(self, events: Sequence[Event]) -> None:
        """Let chance fall in the next `advance` as these recorded events say, wherever the rules allow it.

        So a match that was played with another generator can be followed; its events are a stranger's and may be anything.
        Whoever calls compares the events that `advance` returns.
        """

    def outcome(self) -> Outcome | None:
        """How the match ended, None while it goes on."""
        return None if self.requests() else self.current_result()

    @abstractmethod
    def current_result(self) -> Outcome:
        """The ranking as it is now, with the reason `interrupted` while the match goes on."""

    @abstractmethod
    def position(self) -> Position:
        """This moment as JSON: the same form as a setup, sharing nothing with the state."""

    @abstractmethod
    def draw(self) -> Frame:
        """What a view shows of this moment."""


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of the closing table that is added up from events: what one event adds for its own seat."""

    title: str
    of: Callable[[Event], int]


@dataclass(frozen=True, slots=True)
class MapFacts:
    """What is known of a map: its name and description, the places to start (x, y) a seat, and the field drawn as text."""

    name: str
    description: str
    size: int
    starts: Sequence[tuple[int, int]]
    rounds: int
    rows: Sequence[str]
    symmetry: str = "none"
    counts: Mapping[str, int] = field(default_factory=dict)


class Maps(ABC):
    """What a game knows about its maps. Documents are parsed TOML; reading and writing files is the referee's."""

    default: str

    @abstractmethod
    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. Raises: SetupError."""

    @abstractmethod
    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from, everything random resolved. Raises: SetupError."""

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a readable map, one sentence each; empty when all is well. Raises: SetupError."""
        self.facts(document)
        return ()

    def generate(self, *, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
        """A fair map as TOML text. Raises: SetupError."""
        raise SetupError(
            "this game's maps are not generated: write one by hand, like those that `referee map show` lists"
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """A position on which bots are tried out (`referee check`): the bot under trial plays seat 0, to the match's end.

    Attributes:
        title: what it tries, in a few words: "a tiny board".
        setup: where it starts; the rounds in it say how often the bot is asked.
        bystanders: what all other seats answer, by the name of the request: its lines joined by line feeds.
    """

    title: str
    setup: Position
    bystanders: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """A program that came in another form: its text in the game's own language, and what was changed on the way."""

    text: str
    notes: Sequence[str]


class Programs(Protocol):
    """Programs in a game's own language, which the referee runs itself. Bytes and names come in; files are the referee's."""

    suffix: str
    """How their files end, with the dot."""

    def compile(self, source: bytes, file: str) -> Policy[Any, Any]:
        """Read a program. Raises: ProgramError: with file, line and column."""

    def show(self, source: bytes, file: str) -> Sequence[Sheet]:
        """Draw a program. Raises: ProgramError."""

    def explain(self, source: bytes, file: str, request: Request[Any]) -> Sequence[Sheet]:
        """What the program decides on a request, and why, part by part. Raises: ProgramError."""

    def import_program(self, source: bytes, file: str) -> ImportedProgram:
        """Read a program that was written for another server. Raises: ProgramError."""


class Start(Protocol[Obs, Act]):
    """How a game makes a state."""

    def __call__(self, setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> State[Obs, Act]:
        """A state from a setup and a seed; `entrants` one a seat, none where nobody knows them. Raises: SetupError."""


@dataclass(frozen=True, slots=True)
class Game(Generic[Obs, Act]):
    """The plug-in: each game's folder exports one, called GAME.

    Attributes:
        name: the folder's name, as `--game` takes it.
        title: the name for people; `summary` says the game in one line.
        rules_version: goes up when the same answers would give another game.
        seats: how many players there can be.
        start: a state from a setup, a seed and who plays. Raises: SetupError.
        encode: the bytes of a request. `decode`: the action in its answer lines (without line feeds), raising InvalidReply.
        format: an action as a saved game writes it, its lines joined by line feeds.
        reply_lines: how many lines answer a request of this name; `reply_cap`: longest line in bytes.
        together: whether several seats can be due at the same moment.
        lifetimes: how long a process may live, first what holds for bots that do not say.
        encode_turn: the whole input of a process that lives for one turn; its output, of `reply_cap` bytes at the most, is
            what `decode` gets, however many lines it has. Only for games that allow that lifetime.
        time: the usual limits.
        maps: what the game knows about its maps.
        columns: figures of the closing table.
        tell: an event in one line of plain words, given the seats' names; None for what is not worth a line.
        main: whether commands without `--game` mean this one.
        trials: positions on which a bot is tried out, the simplest first: the extremes that the rules allow; none where
            `referee check` only plays matches.
        house: a player for a seat that nobody took, by the seat and the match's seed; None where all seats are taken.
            Such seats are those that `Maps.setup` adds to the ones it was asked for, behind them.
        programs: the game's own language for players, None without one.
        steps: about how many steps a match from this position has, so that a view can choose its speed; 0: nobody knows.
        remembering: an action with the memory that another one leaves, with none for None: the rules act upon both alike.
            A fault that costs an answer and not the seat stands for the action that counts in its place. None where
            no answer holds a memory that a later request gives back.
        forgotten: a position in which a seat remembers nothing; equal to what it was where the seat remembered nothing.
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
    maps: Maps
    format: Callable[[Act], str] = str
    columns: Sequence[Column] = ()
    tell: Callable[[Event, Sequence[str]], str | None] = lambda _event, _names: None
    reply_lines: Callable[[str], int] = lambda _ask: 1
    reply_cap: int = 1024
    main: bool = False
    trials: Callable[[], Sequence[Trial]] = tuple
    together: bool = False
    lifetimes: Sequence[Lifetime] = ("game",)
    encode_turn: Callable[[Request[Obs]], bytes] | None = None
    house: Callable[[int, int], Policy[Obs, Act]] | None = None
    programs: Programs | None = None
    steps: Callable[[Position], int] = lambda _position: 0
    remembering: Callable[[Act | Fault, Act | None], Act | Fault] | None = None
    forgotten: Callable[[Position, int], Position] = lambda position, _seat: position

    def recall(self, ask: str, answer: str, events: Sequence[Event]) -> Act | str:
        """The action that a saved answer stands for; for `getName` the name.

        Args:
            answer: as `format` writes it.
            events: of that step. A name in cp1251 cannot be told from the answer, so its event has it.

        Raises:
            InvalidReply: the text is no answer, or the event's name cannot have come from it.
        """
        if ask == "getName":
            return recall_name(answer, events[0].get("name") if events else None)
        data = answer.encode(errors="replace")
        return self.decode(ask, [data] if self.reply_lines(ask) == 1 else data.split(b"\n"))
