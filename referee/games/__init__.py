"""The games: the referee's own, each in a folder in here, and those of other installed packages (`files.plugins`).

A match imports its own game only. There is no list of games to edit: the package of each one has `GAME`, those in here in their
module `plugin`. The package of the main game, which commands without `--game` use, has `MAIN = True`.
"""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import Any

from referee.contract.clock import TimeControl
from referee.contract.game import CONTRACT, Game
from referee.contract.positions import Maps
from referee.errors import UsageError
from referee.files import plugins
from referee.files.plugins import Plugin, PluginError
from referee.text.words import counted, did_you_mean, shorten


@cache
def own() -> tuple[str, ...]:
    """The names of the referee's own games: the main one first, the others in alphabetical order."""
    folders = [module.name for module in iter_modules(__path__) if module.ispkg]
    return tuple(sorted(folders, key=lambda name: (not hasattr(import_module(f"{__name__}.{name}"), "MAIN"), name)))


def names() -> list[str]:
    """The names of all games: the referee's own, then those that are installed, in alphabetical order."""
    return [*own(), *_others()]


def main() -> str:
    """The name of the main game."""
    return own()[0]


def every() -> list[Game[Any, Any]]:
    """All games that can be used, in the order of `names`."""
    return list(_all_games())


def game_of_programs(suffix: str) -> Game[Any, Any] | None:
    """The game that has programs with this suffix; None if there is none."""
    return next((game for game in _all_games() if game.programs is not None and game.programs.suffix == suffix), None)


def unusable() -> list[PluginError]:
    """Why games that are installed cannot be used."""
    doubles = [plugin for name in own() for plugin in plugins.installed_games().get(name, ())]
    shadowed = [plugin.unusable(f"{plugin.name} is a game of the referee's own") for plugin in doubles]
    return [*shadowed, *(wrong for wrong in map(_usable, _others()) if isinstance(wrong, PluginError))]


def find(name: str | None = None) -> Game[Any, Any]:
    """The game with this name, or the main game if there is no name.

    Raises: UsageError: there is no such game; the message lists the games. PluginError: the game cannot be used.
    """
    if not isinstance(name, str | None):
        raise UsageError(f"a game is found by its name, not by {name!r:.80}")
    if name is None or name in own():
        game: Game[Any, Any] = import_module(f"{__name__}.{name or main()}.plugin").GAME
        return game
    if name not in (games := names()):
        unknown = f"no game is called {shorten(repr(name))}{did_you_mean(name, games)}"
        raise UsageError(f"{unknown}; there are: {', '.join(games)}")
    return _load(plugins.find(name))


def plugin(name: str) -> Plugin | None:
    """The installed plug-in that is this game; None for the referee's own games. Raises: PluginError: it cannot be used."""
    return None if name in own() else plugins.find(name)


def _all_games() -> Iterator[Game[Any, Any]]:
    """All games that can be used. The referee's own come first, so a search for one of them does not read what is installed."""
    yield from map(find, own())
    yield from (game for game in map(_usable, _others()) if isinstance(game, Game))


def _others() -> list[str]:
    return [name for name in plugins.installed_games() if name not in own()]


def _usable(name: str) -> Game[Any, Any] | PluginError:
    try:
        return find(name)
    except PluginError as wrong:
        return wrong


@cache
def _load(plugin: Plugin) -> Game[Any, Any]:
    try:
        with redirect_stdout(sys.stderr):
            game: Game[Any, Any] = import_module(plugin.module).GAME
    except (Exception, SystemExit) as failed:
        from referee.games.mistakes import location

        there = "" if isinstance(failed, SyntaxError) else location(failed, plugin.folder)  # its text names the line
        raise plugin.unusable(f"{type(failed).__name__}: {failed}{there and f' ({there})'}") from failed
    if why := _unusable_because(game, plugin.name):
        raise plugin.unusable(why)
    for name, module in [*sys.modules.items()]:
        if f"{name}.".startswith(f"{plugin.module}."):
            vars(module).setdefault("print", _print)
    return game


def _unusable_because(game: object, name: str) -> str | None:
    """What is wrong with the `GAME` of a plug-in of this name; None if it can be used."""
    if not isinstance(game, Game):
        return f"its GAME is a {type(game).__name__} instead of a Game"
    if game.name != name:
        return f"its GAME is called {game.name!r}"
    if game.contract != CONTRACT:
        return f"it needs version {game.contract} of the contract, and this referee has {CONTRACT}"
    if not isinstance(game.seats, range) or not game.seats:
        return f"its seats are {game.seats!r}, and not a range such as range(2, 5)"
    fields = {"title": str, "summary": str, "rules_version": int, "time": TimeControl, "maps": Maps}
    for field, kind in fields.items():
        if not isinstance(value := getattr(game, field), kind):
            return f"its {field} is {shorten(repr(value), 60)} instead of a {kind.__name__}"
    for function, arguments in ((game.start, ({}, 1, ())), (game.encode, (None,)), (game.decode, ("", ()))):
        try:
            with suppress(ValueError):  # of a function in C, which has no signature
                signature(function).bind(*arguments)
        except TypeError as wrong:
            called = getattr(function, "__name__", function)
            return f"{called} does not take {counted(len(arguments), 'argument')}: {wrong}"
    return None


def _print(*values: object, **options: Any) -> None:
    """The `print` of an installed game: to stderr, because stdout is for what a command prints."""
    print(*values, **{"file": sys.stderr, **options})


copyreg.pickle(Game, lambda game: (find, (game.name,)))  # its functions cannot be pickled
