"""Games are found by their folder, so a new one is tested by being there.

Whoever asks for `game` gets all, one by one; whoever asks for `speaking` those that have a language of their own.
"""

from __future__ import annotations

import pytest

from referee import games


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = games.every()
    speaking = [game for game in every if game.programs is not None]
    for wanted, found in (("game", every), ("speaking", speaking)):
        if wanted in metafunc.fixturenames:
            metafunc.parametrize(wanted, found, ids=[game.name for game in found])
