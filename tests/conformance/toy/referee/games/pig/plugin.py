"""The plug-in: Pig as a `Game`."""

from __future__ import annotations

from referee.contract.clock import TimeControl
from referee.contract.game import Game
from referee.games.pig import wire
from referee.games.pig.maps import MAPS
from referee.games.pig.rules import MAX_SEATS, Pig, start
from referee.games.pig.view import tell

GAME: Game[Pig, str] = Game(
    name="pig",
    title="Pig",
    summary="roll a die as often as you dare; a 1 loses what the turn has brought",
    rules_version=1,
    seats=range(2, MAX_SEATS + 1),
    start=start,
    encode=wire.encode,
    decode=wire.decode,
    time=TimeControl(first=15.0, answer=1.0, total=60.0),
    maps=MAPS,
    tell=tell,
)
