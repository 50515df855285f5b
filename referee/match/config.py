"""What decides how a match goes: who plays in each seat, from which position, and within which limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.bots import Bot
from referee.contract.clock import TimeControl
from referee.contract.game import Game
from referee.contract.positions import Position
from referee.players.human import Person
from referee.players.stream import Tap
from referee.players.table import Contender
from referee.sandbox.limits import Level, Limits


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays in one seat.

    Attributes:
        bot: the bot to start, built, with a lifetime, and with a name that no other seat has. A bot that forfeits has its fault.
        word: the user's word for the bot; empty for a player of the house that nobody named, and for a caller's own policy.
        source: the bot before it was built, for advice about its files; None for `bot`.
        output: the output of its compiler, if the bot forfeits because of that.
    """

    bot: Bot
    word: str = ""
    source: Bot | None = None
    output: Sequence[str] = ()

    @property
    def written(self) -> Bot:
        """The bot as its author wrote it."""
        return self.source or self.bot

    def contender(self, *, person: Person | None = None, tap: Tap | None = None) -> Contender:
        """What the player of this seat is made of."""
        bot = self.bot
        return Contender(person or bot.fault or bot.policy or bot, bot.lifetime, tap)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """Everything that decides how a match goes.

    Attributes:
        setup: the first position, as `Game.start` takes it.
        map: the name of the map that the setup was made from; None for a position of the user's.
        seed: the seed of all chance in the match.
        time: the time limits. memory: the most bytes of a player; None for the default.
        limited: whether the limits for one answer hold for people too, who have no clock otherwise.
        pondering: whether players may run while it is not their turn.
        forfeit: whether a bot that cannot be built or started forfeits, so that the others play.
        saved: the file for the saved game, ending in `.jsonl` or `.jsonl.gz`; None saves nothing.
        synced: whether the file must survive a power failure; not if the caller reads and deletes it.
    """

    game: Game[Any, Any]
    setup: Position
    seed: int
    seats: Sequence[Seat]
    time: TimeControl
    map: str | None = None
    memory: int | None = None
    limited: bool = False
    pondering: bool = True
    isolation: Level = Level.FULL
    forfeit: bool = False
    saved: Path | None = None
    synced: bool = True

    @property
    def bots(self) -> list[Bot]:
        """The bots to start, one for each seat."""
        return [seat.bot for seat in self.seats]

    @property
    def people(self) -> list[int]:
        """The seats in which people play."""
        return [number for number, seat in enumerate(self.seats) if seat.bot.human and seat.bot.fault is None]

    @property
    def limits(self) -> Limits:
        """What a player may use. The CPU limit is higher than anything the clock allows, pondering included."""
        running = len(self.seats) if self.pondering else 1
        # Nobody knows how long programs may ponder while a person thinks.
        endless = self.pondering and bool(self.people)
        return Limits.behind(None if endless else self.time.total, running=running, memory=self.memory)
