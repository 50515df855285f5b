"""`referee games`: the list of games."""

from __future__ import annotations

import json as json_text

from referee import games as room
from referee.cli.options import Json
from referee.text.words import counted


def games(*, json: Json = False) -> int:
    """List the games: name, players, and what it is about."""
    every = room.every()
    if json:
        listed = [
            {
                "name": game.name,
                "title": game.title,
                "summary": game.summary,
                "seats": [game.seats.start, game.seats.stop - 1],
                "rules": game.rules_version,
                "main": game.name == room.main(),
            }
            for game in every
        ]
        print(json_text.dumps(listed))
        return 0
    width = max(len(game.name) for game in every)
    for game in every:
        print(f"{game.name:<{width}}  {_players(game.seats):<12}  {game.title}: {game.summary}")
    return 0


def _players(seats: range) -> str:
    least, most = seats.start, seats.stop - 1
    return counted(most, "player") if least == most else f"{least}-{most} players"
