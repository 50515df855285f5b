"""The rules of a game in-process: its maps, and positions in which answers are played by hand."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

from typing_extensions import override

from referee import games
from referee.contract import game as contract
from referee.contract.frame import Frame
from referee.contract.game import Entrant, Event, State
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.contract.training import Training
from referee.errors import UsageError
from referee.files import mapfiles
from referee.players.wire import decode_answer
from referee.text.amounts import whole
from referee.text.words import counted


@dataclass(frozen=True, slots=True)
class Request:
    """What a seat is asked.

    Attributes:
        seat: the seat, from 0.
        ask: the name of the request, such as "getAction".
        text: what a process that plays the whole match reads, line by line. One for a single turn does not get the first line.
    """

    seat: int
    ask: str
    text: str


class Game:
    """A game: its rules and its maps.

    >>> game = referee.Game("snakecore")
    >>> game.title, game.seats, "arena" in game.maps
    ('SnakeCore', range(1, 9), True)

    Attributes:
        name: the name, as `--game` takes it.
        title: the game's name for people.
        summary: the game in one line.
        seats: the possible numbers of players.
        default_map: the map of matches that name none.
    """

    def __init__(self, name: str | None = None) -> None:
        """Find a game.

        Args:
            name: the game's name, such as "snakecore", which is also the default.

        Raises:
            UsageError: there is no such game; the message lists the games.
        """
        self._game = games.find(name)
        self.name = self._game.name
        self.title = self._game.title
        self.summary = self._game.summary
        self.seats = self._game.seats
        self.default_map = self._game.maps.default

    @property
    def maps(self) -> list[str]:
        """The names of the maps that come with the referee."""
        return mapfiles.names(self._game)

    @property
    def _training(self) -> Training | None:
        return None if self._game.training is None else self._game.training()

    def start(
        self,
        map: str | Path | None = None,  # noqa: A002
        *,
        seats: int | None = None,
        seed: int | None = None,
        rounds: int | None = None,
        rotate: int = 0,
        names: Sequence[str] = (),
    ) -> Board:
        """A board at the beginning of a match.

        >>> board = referee.Game("snakecore").start("duel", seats=2, seed=7, names=["Ann", "Ben"])
        >>> board.round, board.turn, board.names
        (1, 0, ['Ann', 'Ben'])

        Args:
            map: the name of a map, or a `.toml` file. None is the game's default map, or the smallest map that has enough
                starting places.
            seats: the number of bots. None is four, or fewer if the map has fewer starting places.
            seed: the seed of everything random. None is a random seed; `Board.seed` tells which.
            rounds: the number of rounds; None is the map's.
            rotate: how many starting places each seat moves on.
            names: a name for each seat; those left out are `player 1`, `player 2` and so on.

        Raises:
            UsageError: there is no such map.
            SetupError: the map or the numbers do not fit.
            InvalidReply: a name is longer than 32 characters, or has control characters.
        """
        seed, rotate = seed_of(seed), whole("rotate", rotate)
        seats = None if seats is None else whole("seats", seats)
        rounds = None if rounds is None else whole("rounds", rounds)
        on, document = mapfiles.choose_map(self._game, None if map is None else str(map), seats=seats or 0)
        with mapfiles.about(on):
            count = mapfiles.usual_players(self._game, document) if seats is None else seats
            setup = mapfiles.setup(self._game, document, seats=count, rng_seed=seed, rounds=rounds, rotate=rotate)
        return self.board(setup, seed=seed, names=names)

    def board(self, position: Mapping[str, Any], *, seed: int | None = None, names: Sequence[str] = ()) -> Board:
        """A board with a drawn position.

        >>> board = referee.Game("snakecore").board(
        ...     {
        ...         "size": 4,
        ...         "rounds": 9,
        ...         "field": ["....", ".b..", "...R", "...."],
        ...         "pythons": [{"cells": [[0, 1]]}, {"cells": [[3, 3]]}],
        ...     }
        ... )
        >>> [event["event"] for event in board.push("R")]
        ['eat']

        Args:
            position: a position as `Board.position` returns it. The `Positions` chapter of the game's rules defines it.
            seed, names: see `Game.start`.

        Raises:
            SetupError: the position breaks a rule of the game; the message says where.
        """
        seed = seed_of(seed)
        if not isinstance(position, Mapping):
            raise UsageError(
                f"a position must be a dictionary, as Board.position() returns it, not {type(position).__name__}"
            )
        board = Board(self, self._game.start(dict(position), seed), seed)
        while (due := board._state.requests()) and due[0].ask == "getName":
            board.push(*[names[request.seat] if request.seat < len(names) else "" for request in due])
        return board

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name

    @override
    def __hash__(self) -> int:
        return hash(self.name)

    @override
    def __repr__(self) -> str:
        return f"referee.Game({self.name!r})"


class Board:
    """A position from which you can play on. It is made by `Game.start` and `Game.board`, and by matches and saved games.

    `str(board)` is the board as text. A notebook shows it as a picture. Boards with the same position are equal.

    >>> board = referee.Game("viper").start(seed=3, seats=2)
    >>> while board.outcome() is None:
    ...     events = board.push(board.legal_actions()[0])
    >>> board.outcome().reason
    'steps'

    Attributes:
        game: the `Game`.
        seed: the seed of everything random.
        seats: how many seats there are.
    """

    def __init__(self, game: Game, state: State[Any, Any], seed: int, entrants: Sequence[Entrant] = ()) -> None:
        """Internal: boards are made by `Game`, `Match` and `SavedGame`. `entrants` have the names that people see."""
        self.game = game
        self.seed = seed
        self.seats = state.seats
        self._state = state
        self._entrants = entrants

    @property
    def round(self) -> int:
        """The round that is being played, from 1; 0 while names are asked."""
        return self._state.round

    @property
    def requests(self) -> list[Request]:
        """The requests that are due now, one for each seat that must answer; empty if the match is over."""
        return requests_of(self.game._game, self._state)

    @property
    def turn(self) -> int | None:
        """The seat to move; None if the match is over, or if several seats move at the same time."""
        due = self._state.requests()
        return due[0].seat if len(due) == 1 else None

    @property
    def names(self) -> list[str]:
        """The players' names, one for each seat."""
        return [line.name for line in self._frame().seats]

    @property
    def scores(self) -> list[float]:
        """The points so far, one for each seat."""
        training = self.game._training
        if training is None:
            return [line.score for line in self._frame().seats]
        return list(training.points(self._state))

    def legal_actions(self, seat: int | None = None) -> list[str]:
        """The answers that the rules carry out now. Those that they would skip or replace are left out.

        >>> board = referee.Game("snakecore").start("duel", seats=2, seed=7)
        >>> board.legal_actions()
        ['U', 'L', 'D', 'R', 'N']

        Bots can give more answers than these: in `viper` and `ava` also several letters, here one; in `ants` and `egghunt` also a
        memory, here empty, and in `ants` other hues than 1 and 2.

        Args:
            seat: the seat, from 0; None for the seat to move.

        Raises:
            UsageError: this seat does not act now, or the game's answers cannot be listed.
        """
        due = [request.seat for request in self._state.requests() if request.ask != "getName"]
        actor = self.turn if seat is None else seat
        if actor is None or actor not in due:
            raise UsageError(f"the seats that act now are {due}: name one of them" if due else "no seat acts now")
        training = self.game._training
        if training is None:
            raise UsageError(f"the answers of {self.game.title} cannot be listed: its rules say what they are")
        return list(compress(training.answers, training.allowed(self._state, actor)))

    def push(self, *answers: str) -> list[Event]:
        """Play the answers to all requests that are due, and return what happened.

        Args:
            answers: an answer to each of `requests`, in their order, as a bot writes it; several lines are joined by line feeds.

        Returns:
            The events, as JSON objects like those in saved games; the game's rules list them. `describe` puts them into words.

        Raises:
            InvalidReply: a text is not an answer. The board does not change.
            UsageError: another number of answers is due.
        """
        due = self._state.requests()
        if not due:
            raise UsageError("the match is over: no answer is due")
        if len(answers) != len(due):
            raise UsageError(f"{counted(len(due), 'answer')} must be given, not {len(answers)}")
        game = self.game._game
        actions = [decode_answer(game, request.ask, text) for request, text in zip(due, answers, strict=True)]
        return list(self._state.advance(actions))

    def copy(self) -> Board:
        """A board of its own with the same position, to look ahead. The same answers have the same random events on both.

        For other random events, as in a fair Monte Carlo search: `board.game.board(board.position(), seed=…)`.
        """
        return Board(self.game, deepcopy(self._state), self.seed, self._entrants)

    def __copy__(self) -> Board:
        return self.copy()

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.game, self.position()) == (other.game, other.position())

    def outcome(self) -> Outcome | None:
        """The result: `reason`, `rounds` and `ranking`; None while the match goes on."""
        return self._state.outcome()

    def position(self) -> Position:
        """The position as JSON, complete enough to play on from it: `Game.board`, `play(setup=…)`, `referee play --setup`."""
        return self._state.position()

    def describe(self, events: Sequence[Event]) -> list[str]:
        """Events in plain words; those that are not worth a line are left out."""
        names, tell = self.names, self.game._game.tell
        return [words for event in events if (words := tell(event, names))]

    def svg(self) -> str:
        """The board as an SVG picture, with the players' points beside it."""
        from referee.export.svg import picture

        return picture(self._frame())

    def _repr_html_(self) -> str:
        return self.svg()

    @override
    def __str__(self) -> str:
        from referee.terminal.text import frame_text

        return frame_text(self._frame()).rstrip("\n")

    @override
    def __repr__(self) -> str:
        return f"<referee.Board of {self.game.name}, {self._frame().title}>"

    def _frame(self) -> Frame:
        from referee.moments.scene import draw_with_names

        return draw_with_names(self._state, self._entrants)


def seed_of(seed: int | None) -> int:
    """The seed that a caller names; a random one for None. Raises: UsageError: it is no whole number."""
    return secrets.randbelow(2**31) if seed is None else whole("seed", seed)


def requests_of(game: contract.Game[Any, Any], state: State[Any, Any]) -> list[Request]:
    """The due requests of a state."""
    return [
        Request(request.seat, request.ask, game.encode(request).decode(errors="replace"))
        for request in state.requests()
    ]
