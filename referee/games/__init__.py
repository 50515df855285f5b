"""The games. Every folder in here is a game, whose `plugin` exports `GAME`; there is no list of games to edit.

A match imports the plugin of its own game only. The package of the main game, which commands without `--game` use, has
`MAIN = True`.
"""

from __future__ import annotations

import copyreg
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from referee.contract.game import Game
from referee.errors import UsageError
from referee.text.words import did_you_mean, shorten


@cache
def names() -> tuple[str, ...]:
    """The names of all games: the main one first, the others in alphabetical order."""
    folders = [module.name for module in iter_modules(__path__) if module.ispkg]
    return tuple(sorted(folders, key=lambda name: (not hasattr(import_module(f"{__name__}.{name}"), "MAIN"), name)))


def main() -> str:
    """The name of the main game."""
    return names()[0]


def every() -> list[Game[Any, Any]]:
    """All games: the main one first, the others in alphabetical order."""
    return [find(name) for name in names()]


def find(name: str | None = None) -> Game[Any, Any]:
    """The game with this name, or the main game if there is no name.

    Raises:
        UsageError: there is no such game; the message lists the games.
    """
    if not isinstance(name, str | None):
        raise UsageError(f"a game is found by its name, not by {name!r:.80}")
    known = names()
    if name is not None and name not in known:
        raise UsageError(
            f"no game is called {shorten(repr(name))}{did_you_mean(name, known)}; there are: {', '.join(known)}"
        )
    game: Game[Any, Any] = import_module(f"{__name__}.{name or known[0]}.plugin").GAME
    return game


copyreg.pickle(Game, lambda game: (find, (game.name,)))  # its functions cannot be pickled
