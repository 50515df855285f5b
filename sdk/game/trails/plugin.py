"""The plug-in: `GAME`, assembled from the modules of this package."""

from __future__ import annotations

from referee.gamekit import Game, TimeControl
from trails import wire
from trails.maps import MAPS
from trails.rules import MOST_SEATS, TOGETHER, Match, start
from trails.view import tell

GAME: Game[Match, str] = Game(
    name="trails",
    title="Trails",
    summary="leave a wall behind you, and do not run into one",
    rules_version=1,  # increase it when the same answers would give another match
    seats=range(2, MOST_SEATS + 1),
    start=start,
    encode=wire.encode,
    decode=wire.decode,
    time=TimeControl(first=5.0, answer=1.0, total=60.0),
    maps=MAPS,
    tell=tell,
    together=TOGETHER,
    contract=1,
)
