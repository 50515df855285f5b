"""`referee games`: the list of games."""

from __future__ import annotations

import traceback
from typing import Annotated, Any

from cyclopts import Parameter

from referee import __version__
from referee import games as room
from referee.cli.narrator import narrate
from referee.cli.options import Json, print_json
from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import assets
from referee.text.words import counted


def games(
    *,
    json: Json = False,
    verbose: Annotated[
        bool,
        Parameter(name=["--verbose", "-v"], negative="", help="Print the whole error of a game that cannot be used."),
    ] = False,
) -> int:
    """List the games: name, players, and what it is about. Games that other packages bring come last.

    The exit code is 2 if a game that is installed cannot be used.
    """
    every, unusable = room.every(), room.unusable()
    if json:
        print_json([game_document(game) for game in every])
    else:
        width = max(len(game.name) for game in every)
        for game in every:
            plugin, least, most = room.plugin(game.name), game.seats.start, game.seats.stop - 1
            by = "" if plugin is None else f" ({plugin.package})"
            players = counted(most, "player") if least == most else f"{least}-{most} players"
            print(f"{game.name:<{width}}  {players:<12}  {game.title}: {game.summary}{by}")
    for failed in unusable:
        if verbose and failed.__cause__ is not None:
            narrate("".join(traceback.format_exception(failed.__cause__)).rstrip())
        narrate(f"referee: {failed}")
    return UsageError.exit_code if unusable else 0


def game_document(game: Game[Any, Any]) -> dict[str, Any]:
    """What `--json` says of a game."""
    plugin = room.plugin(game.name)
    distribution, version = ("referee", __version__) if plugin is None else (plugin.distribution, plugin.version)
    return {
        "name": game.name, "title": game.title, "summary": game.summary,
        "seats": [game.seats.start, game.seats.stop - 1], "rules": game.rules_version, "main": game.name == room.main(),
        "distribution": distribution, "version": version, "folder": str(assets.rules(game.name)),
    }  # fmt: skip
