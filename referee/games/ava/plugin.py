"""What the referee knows of ava: the tail-biting snakes on a large field, ranked by length. Rules in README.md beside this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.clock import TimeControl
from referee.game import Entrant, Game, Position
from referee.games.ava.programs import PROGRAMS
from referee.tailbite.maps import Sizes, TailBiteMaps
from referee.tailbite.position import about_steps, read_position
from referee.tailbite.ranking import by_score
from referee.tailbite.rules import TailBite
from referee.tailbite.sight import Sight
from referee.tailbite.trials import trials
from referee.tailbite.view import COLUMNS, tell
from referee.tailbite.wire import Codec, encode, format_action

SEATS: Final = range(2, 5)
CODEC: Final = Codec(repeats=1)


def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> TailBite:
    """A match from a position; who plays makes no difference.

    Raises:
        SetupError: the position breaks a rule of the game; the message names the key.
    """
    return TailBite(by_score, read_position(setup, SEATS), rng_seed)


GAME: Final[Game[Sight, str]] = Game(
    name="ava",
    title="AVA",
    summary="two to four snakes bite each other's tails off; the longest wins",
    rules_version=1,
    seats=SEATS,
    start=start,
    encode=encode,
    decode=CODEC.decode,
    format=format_action,
    recall=CODEC.recall,
    time=TimeControl(first=15.0, answer=1.0, total=120.0),
    maps=TailBiteMaps("ava", SEATS, Sizes(size=25, length=10, steps=1000)),
    columns=COLUMNS,
    tell=tell,
    trials=trials,
    steps=about_steps,
    programs=PROGRAMS,
)
