"""The plug-in of ava: tail-biting snakes on a large field, ranked by length. The rules are in README.md."""

from __future__ import annotations

from typing import Final

from referee.contract.game import Game
from referee.games.ava.programs import PROGRAMS
from referee.tailbite.maps import Sizes
from referee.tailbite.plugin import tail_biting
from referee.tailbite.ranking import by_score
from referee.tailbite.sight import Sight

GAME: Final[Game[Sight, str]] = tail_biting(
    name="ava",
    title="AVA",
    summary="two to four snakes bite each other's tails off; the longest wins",
    usual=Sizes(size=25, length=10, steps=1000),
    ranking=by_score,
    repeats=1,
    programs=PROGRAMS,
)
