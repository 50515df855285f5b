"""Parametrizes tests over all games. Games are found by their folder, so the suite also tests a new one.

A test with the argument `game` runs for each game, and a test with `speaking` for each game that has its own language.
"""

from __future__ import annotations

import pytest

from referee import games

collect_ignore = ["toy"]  # its tests need its game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = games.every()
    speaking = [game for game in every if game.programs is not None]
    for wanted, found in (("game", every), ("speaking", speaking)):
        if wanted in metafunc.fixturenames:
            metafunc.parametrize(wanted, found, ids=[game.name for game in found])
