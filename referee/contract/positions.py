"""Positions, and what a game says about its maps, the boards on which `referee check` tests bots, and its contests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from typing_extensions import override

from referee.errors import SetupError

Position: TypeAlias = dict[str, Any]
"""A moment of a match as JSON, complete enough to play on from it. A setup has the same form."""


@dataclass(frozen=True, slots=True)
class MapFacts:
    """What is known of a map: name, description, a starting place (x, y) for each seat, and the field drawn as text.

    A map is for as many players as it has starting places. Where players stand nowhere, `(0, seat)` will do.
    """

    name: str
    description: str
    size: int
    starts: Sequence[tuple[int, int]]
    rounds: int
    rows: Sequence[str]
    symmetry: str = "none"
    counts: Mapping[str, int] = field(default_factory=dict)


class Maps(ABC):
    """The maps of a game. Documents are parsed TOML; the referee reads and writes the files."""

    default: str
    built_in: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    """Documents by name of maps that have no files."""

    @abstractmethod
    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. Raises: SetupError."""

    @abstractmethod
    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from, every key written out and all random choices made.

        The same arguments give the same position on every version of Python.

        Args:
            rounds: of the match; None for what the map says.
            rotate: seat s starts on place (s + `rotate`) mod `seats`, both counted from 0.

        Raises:
            SetupError: the map cannot be read, is not for so many players, or has no room for what is drawn.
        """

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a map, one sentence each; empty for a good map. Raises: SetupError."""
        self.facts(document)
        return ()

    def generate(self, *, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
        """A fair map as TOML text. Raises: SetupError."""
        raise SetupError("this game cannot generate maps: write one by hand, like those that `referee map show` lists")


class OnlyMap(Maps):
    """The maps of a game that has none: a single one without a file, from which the game starts by itself.

    It is for all numbers of players, and its document is empty.
    """

    default = "usual"
    built_in: Mapping[str, Mapping[str, Any]] = {default: {}}

    def __init__(self, position: Callable[[Position, int], Position], seats: range) -> None:
        """Make it.

        Args:
            position: the first position from a setup and a seed. The setup has the key `players`, an empty object for each
                seat, and `rounds` if the user said how many. Raises: SetupError.
            seats: the possible numbers of players.
        """
        self._position, self._seats = position, seats

    @override
    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        most = self._seats.stop - 1
        rounds = self.setup(document, seats=most, rng_seed=0).get("rounds")
        return MapFacts(
            name=self.default,
            description="the game's own start",
            size=0,
            starts=[(0, seat) for seat in range(most)],
            rounds=rounds if isinstance(rounds, int) else 0,
            rows=(),
        )

    @override
    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        setup: Position = {"players": [{} for _ in range(seats)]}
        return self._position(setup if rounds is None else {**setup, "rounds": rounds}, rng_seed)


NO_MAPS: Final = OnlyMap(lambda setup, _rng_seed: setup, range(1))
"""Stands for the maps of a game that has none."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A position on which `referee check` tests bots. The bot under test plays seat 0, to the end of the match.

    Attributes:
        title: what the position tests, in a few words: "a tiny board".
        setup: the position; its rounds say how often the bot is asked.
        bystanders: the answer of all other seats, by the name of the request; its lines are joined by line feeds.
    """

    title: str
    setup: Position
    bystanders: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Contest:
    """What contests of a game are like, as a new `tournament.toml` says it; every organiser may change it.

    Attributes:
        order: whether the table is in the order of places or of the game's own points.
        seatings: how a group is seated, as in `[match]`.
        everyone: whether all bots play in a single match, as far as the game has seats for them.
    """

    order: Literal["places", "points"] = "places"
    seatings: Literal["rotations", "all", "one"] = "rotations"
    everyone: bool = False


USUAL_CONTEST: Final = Contest()
"""A round robin of groups, each from all seats, in the order of places."""
