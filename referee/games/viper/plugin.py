"""What the referee knows of viper: up to four tail-biting snakes, ranked by who is left. Rules in README.md beside this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.clock import TimeControl
from referee.game import Entrant, Game, Position
from referee.games.viper.programs import PROGRAMS
from referee.tailbite.maps import Sizes, TailBiteMaps
from referee.tailbite.position import about_steps, read_position
from referee.tailbite.ranking import by_survival
from referee.tailbite.rules import TailBite
from referee.tailbite.sight import Sight
from referee.tailbite.trials import trials
from referee.tailbite.view import COLUMNS, tell
from referee.tailbite.wire import Codec, encode, format_action

SEATS: Final = range(2, 5)
CODEC: Final = Codec(repeats=2)


def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> TailBite:
    """A match from a position; who plays makes no difference.

    Raises:
        SetupError: the position breaks a rule of the game; the message names the key.
    """
    return TailBite(by_survival, read_position(setup, SEATS), rng_seed)


GAME: Final[Game[Sight, str]] = Game(
    name="viper",
    title="ViPER",
    summary="up to four snakes bite each other's tails off; the last that is left or the longest wins",
    rules_version=1,
    seats=SEATS,
    start=start,
    encode=encode,
    decode=CODEC.decode,
    format=format_action,
    recall=CODEC.recall,
    time=TimeControl(first=15.0, answer=1.0, total=120.0),
    maps=TailBiteMaps("viper", SEATS, Sizes(size=21, length=8, steps=500)),
    columns=COLUMNS,
    tell=tell,
    trials=trials,
    steps=about_steps,
    programs=PROGRAMS,
)
