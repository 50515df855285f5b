"""The plug-in of Ants: `GAME`, assembled from the modules of this package. The rules are in README.md."""

from __future__ import annotations

from referee.contract.clock import TimeControl
from referee.contract.game import Game
from referee.games.ants import wire
from referee.games.ants.field import Ant
from referee.games.ants.maps import MAPS
from referee.games.ants.position import SEATS
from referee.games.ants.rules import Action, start, steps
from referee.games.ants.training import TRAINING
from referee.games.ants.trials import trials
from referee.games.ants.view import COLUMNS, effects, tell

GAME: Game[Ant | None, Action | str] = Game(
    name="ants",
    title="Ants",
    summary="teams of ants carry food to their hills, guided by smells and a few bytes of memory",
    rules_version=1,
    seats=SEATS,
    start=start,
    encode=wire.encode,
    decode=wire.decode,
    format=wire.format_action,
    time=TimeControl(first=5.0, answer=0.5, total=None),
    maps=MAPS,
    columns=COLUMNS,
    tell=tell,
    effects=effects,
    trials=trials,
    steps=steps,
    remembering=wire.remembering,
    forgotten=wire.forgotten,
    training=lambda: TRAINING,
)
