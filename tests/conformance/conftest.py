"""Parametrizes tests over all games: a test with the argument `game` runs for each."""

from __future__ import annotations

import pytest

from referee import games

collect_ignore = ["toy"]  # its tests need its game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game" in metafunc.fixturenames and "check" not in metafunc.fixturenames:
        every = games.every()
        metafunc.parametrize("game", every, ids=[game.name for game in every])
