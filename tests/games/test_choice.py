"""The choice of the game: by name, or the main game; other games are not imported."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from referee import games
from referee.errors import UsageError

WITHOUT = "import sys; from referee import games; game = games.find({!r}); print(game.name, *sys.modules)"


def test_the_default_is_the_only_main_game():
    assert games.find() is games.every()[0] is games.find(games.main())
    packages = [import_module(f"referee.games.{name}") for name in games.names()]
    assert [hasattr(package, "MAIN") for package in packages] == [True, *[False] * (len(packages) - 1)]


@pytest.mark.parametrize("name", [None, *games.names()])
def test_finding_a_game_imports_no_other_game(name):
    code = WITHOUT.format(name)
    chosen, *there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()  # fmt: skip
    assert chosen == games.find(name).name
    others = set(games.names()) - {chosen}
    assert [module for module in there if len(module.split(".")) > 3 and module.split(".")[2] in others] == []


def test_an_unknown_name_is_an_error_that_lists_the_games():
    with pytest.raises(UsageError, match=r"no game is called 'chess'; there are: " + ", ".join(games.names())):
        games.find("chess")
