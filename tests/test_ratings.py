"""`scripts/ratings`: its tournaments leave out no sample bot and no map. The figures are not tested."""

from __future__ import annotations

import tomllib

import pytest
import ratings

from referee import bots, games
from referee.files import mapfiles

CUPS = list(ratings.cups())


@pytest.mark.parametrize("game", [game.name for game in games.every()])
def test_every_map_is_played(game):
    played = [name for cup in CUPS if cup.game == game for name in cup.maps]
    assert sorted([*played, *ratings.OMITTED.get(game, ())]) == mapfiles.names(games.find(game))


@pytest.mark.parametrize("cup", CUPS, ids=lambda cup: cup.key)
def test_every_sample_bot_takes_part_with_a_fixed_seed(cup):
    settings = tomllib.loads(cup.settings())
    assert sorted(settings["bots"]) == sorted(bots.samples(cup.game))
    assert 2 <= cup.seats <= len(settings["bots"])
    assert settings["run"]["rng_seed"] == 1
