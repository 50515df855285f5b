"""PettingZoo's own tests of every environment."""

import warnings
from functools import partial

import pytest

from referee import env, games

with warnings.catch_warnings():  # if pygame is installed, importing the tests imports a deprecated module
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

GAMES = [game.name for game in games.every() if game.training is not None]
TOGETHER = [name for name in GAMES if games.find(name).together]

# Advice for environments that PettingZoo does not know: its own environments with masks have such spaces too.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.fixture(params=["planes", "text"])
def observe(request, monkeypatch):
    if request.param == "text":  # this check wants a `dtype`, which texts do not have
        monkeypatch.setitem(api_test.__globals__, "_test_observation_space_compatibility", lambda *_, **_more: None)
    return request.param


@pytest.mark.parametrize("game", GAMES)
def test_one_after_the_other(game, observe):
    make = partial(env.aec, game, rounds=12, observe=observe)
    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=30)


@pytest.mark.parametrize("game", TOGETHER)
def test_all_at_once(game, observe):
    make = partial(env.parallel, game, rounds=12, observe=observe)
    parallel_api_test(make(), num_cycles=100)
    parallel_seed_test(make, num_cycles=30)
