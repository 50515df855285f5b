"""The plug-in of a game of tail-biting snakes. Its arguments are what differs between the two games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from referee.contract.clock import TimeControl
from referee.contract.game import Entrant, Game
from referee.contract.positions import Position
from referee.tailbite.controls import controls
from referee.tailbite.language import Language
from referee.tailbite.maps import Sizes, TailBiteMaps
from referee.tailbite.position import SEATS, read_position, steps
from referee.tailbite.ranking import Ranking
from referee.tailbite.rules import TailBite
from referee.tailbite.sight import Sight
from referee.tailbite.training import TRAINING
from referee.tailbite.trials import trials
from referee.tailbite.view import COLUMNS, effects, tell
from referee.tailbite.wire import decode, encode


def tail_biting(
    *, name: str, title: str, summary: str, usual: Sizes, ranking: Ranking, repeats: int, programs: Language
) -> Game[Sight, str]:
    """Create a game's plug-in. `repeats` is how often an answer may contain a letter at most."""

    def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> TailBite:
        # The entrants are ignored.
        return TailBite(ranking, read_position(setup), rng_seed)

    return Game(
        name=name,
        title=title,
        summary=summary,
        rules_version=1,
        seats=SEATS,
        start=start,
        encode=encode,
        decode=partial(decode, repeats),
        time=TimeControl(first=15.0, answer=1.0, total=120.0),
        maps=TailBiteMaps(name, usual),
        columns=COLUMNS,
        tell=tell,
        effects=effects,
        trials=trials,
        steps=steps,
        programs=programs,
        controls=controls,
        training=lambda: TRAINING,
    )
