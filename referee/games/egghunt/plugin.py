"""The plug-in of the Easter egg hunt: `GAME`, assembled from the modules of this package. The rules are in README.md."""

from __future__ import annotations

from referee.contract.clock import TimeControl
from referee.contract.game import Game
from referee.contract.positions import Contest
from referee.games.egghunt import wire
from referee.games.egghunt.actions import controls, effects
from referee.games.egghunt.house import house
from referee.games.egghunt.maps import MAPS
from referee.games.egghunt.position import MAX_SEATS, steps
from referee.games.egghunt.rules import Decision, EggHunt, start
from referee.games.egghunt.training import TRAINING
from referee.games.egghunt.trials import trials
from referee.games.egghunt.view import COLUMNS, tell

GAME: Game[EggHunt, Decision] = Game(
    name="egghunt",
    title="Easter egg hunt",
    summary="players that see two cells far look for eggs, and fight if they meet",
    rules_version=1,
    seats=range(1, MAX_SEATS + 1),
    start=start,
    encode=wire.encode,
    decode=wire.decode,
    format=wire.format_action,
    time=TimeControl(first=5.0, answer=5.0, total=None),
    maps=MAPS,
    columns=COLUMNS,
    tell=tell,
    effects=effects,
    reply_lines=wire.REPLY_LINES.__getitem__,
    reply_cap=wire.REPLY_CAP,
    trials=trials,
    together=True,
    lifetimes=("turn", "game"),
    encode_turn=wire.encode_turn,
    house=house,
    steps=steps,
    remembering=wire.remembering,
    forgotten=wire.forgotten,
    controls=controls,
    training=lambda: TRAINING,
    contest=Contest(order="points", seatings="one", everyone=True),
)
