"""`scripts/pictures`: the pictures of the README are those that it makes. `scripts/ratings`: no bot and no map is left out."""

from __future__ import annotations

import re
import tomllib

import pictures
import pytest
import ratings

from referee import bots, games
from referee.files import mapfiles

MADE = pictures.pictures()
CUPS = list(ratings.cups())


@pytest.mark.parametrize("name", MADE)
def test_a_picture_is_up_to_date(name):
    assert (pictures.FOLDER / name).read_text(encoding="utf-8") == MADE[name], "run scripts/pictures"


@pytest.mark.parametrize("name", MADE)
def test_a_picture_loads_nothing(name):
    text = MADE[name].replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|href|@import|@font-face|<script", text)
    assert set(re.findall(r"url\((.)", text)) <= {"#"}


def test_every_picture_is_in_the_readme():
    readme = (pictures.ROOT / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in pictures.FOLDER.iterdir()} == set(MADE)
    assert all(f"(referee/docs/pictures/{name})" in readme for name in MADE)


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
