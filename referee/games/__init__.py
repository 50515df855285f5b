"""The games. Every folder in here that exports `GAME` is a game; there is no list of games to edit.

A game's package creates its `GAME` on first use, so a match loads only one game. Commands without `--game` use the main game.
Its package has `MAIN = True`, which can be read without loading the game.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from referee.contract.game import Game
from referee.errors import UsageError
from referee.text.words import did_you_mean, shorten


def when_asked(package: str) -> Callable[[str], object]:
    """The `__getattr__` of a game's package. It imports `GAME` from the package's `plugin` on first use."""

    def attribute(name: str) -> object:
        if name != "GAME":
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        game: object = import_module(f"{package}.plugin").GAME
        return game

    return attribute


def names() -> list[str]:
    """The names of all games: the main one first, the others in alphabetical order."""
    return [game.name for game in every()]


def every() -> list[Game[Any, Any]]:
    """All games: the main one first, the others in alphabetical order."""
    games = [import_module(f"{__name__}.{module.name}").GAME for module in iter_modules(__path__) if module.ispkg]
    return sorted(games, key=lambda game: (not game.main, game.name))


def find(name: str | None = None) -> Game[Any, Any]:
    """The game with this name, or the main game if there is no name.

    Raises:
        UsageError: there is no such game; the message lists the games.
    """
    if not isinstance(name, str | None):
        raise UsageError(f"a game is found by its name, not by {name!r:.80}")
    for module in iter_modules(__path__):
        if module.ispkg and name in (None, module.name):
            package = import_module(f"{__name__}.{module.name}")
            if name is not None or getattr(package, "MAIN", False):
                game: Game[Any, Any] = package.GAME
                return game
    games = every()
    if name is None:
        return games[0]
    known = [game.name for game in games]
    raise UsageError(
        f"no game is called {shorten(repr(name))}{did_you_mean(name, known)}; there are: {', '.join(known)}"
    )


copyreg.pickle(Game, lambda game: (find, (game.name,)))  # its functions cannot be pickled
