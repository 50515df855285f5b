"""The plug-in of viper: two to four tail-biting snakes, ranked by survival. The rules are in README.md."""

from __future__ import annotations

from typing import Final

from referee.contract.game import Game
from referee.games.viper.programs import PROGRAMS
from referee.tailbite.maps import Sizes
from referee.tailbite.plugin import tail_biting
from referee.tailbite.ranking import by_survival
from referee.tailbite.sight import Sight

GAME: Final[Game[Sight, str]] = tail_biting(
    name="viper",
    title="ViPER",
    summary="two to four snakes bite each other's tails off; the last snake left or the longest wins",
    usual=Sizes(size=21, length=8, steps=500),
    ranking=by_survival,
    repeats=2,
    programs=PROGRAMS,
)
