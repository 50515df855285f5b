"""The plug-in of SnakeCore: `GAME`, assembled from the modules of this package. The rules are in README.md."""

from __future__ import annotations

from referee.contract.clock import TimeControl
from referee.contract.game import Game
from referee.games.snakecore import wire
from referee.games.snakecore.maps import MAPS
from referee.games.snakecore.position import MAX_SEATS
from referee.games.snakecore.rules import SnakeCore, start, steps
from referee.games.snakecore.training import TRAINING
from referee.games.snakecore.trials import trials
from referee.games.snakecore.view import COLUMNS, controls, effects, tell

GAME: Game[SnakeCore, str] = Game(
    name="snakecore",
    title="SnakeCore",
    summary="pythons gather blocks, bite blocks off each other and deliver to reactors",
    rules_version=1,
    seats=range(1, MAX_SEATS + 1),
    start=start,
    encode=wire.encode,
    decode=wire.decode,
    time=TimeControl(first=15.0, answer=1.0, total=120.0),
    maps=MAPS,
    columns=COLUMNS,
    tell=tell,
    effects=effects,
    trials=trials,
    steps=steps,
    controls=controls,
    training=lambda: TRAINING,
)
