"""What a person can do in SnakeCore, and what each action would do now, by the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.contract.frame import Control
from referee.contract.game import Event
from referee.games.snakecore.rules import SnakeCore
from referee.games.snakecore.view import WHY
from referee.text.words import counted

KEYS: Final = {"up": "U", "left": "L", "down": "D", "right": "R", "n": "N", "a": "A"}


def controls(state: SnakeCore, seat: int, names: Sequence[str]) -> list[Control]:
    """The six actions of the seat to move."""
    return [Control([key], _words(state.foresee([action])[0], seat, names), action) for key, action in KEYS.items()]


def _words(event: Event, seat: int, names: Sequence[str]) -> str:
    """The first event of a turn as what the player does. Where blocks return is chance, so it stays open."""
    match event["event"]:
        case "eat":
            return "eat an energy block" if event["kind"] == "e" else "eat a block"
        case "bite" if event["victim"] == seat:
            return f"bite yourself: lose {counted(event['length'] - 1, 'block')}"
        case "bite":
            return f"bite {event['length']} off {names[event['victim']]}"
        case "deliver" if event["length"]:
            return f"deliver {event['length']} for {counted(event['points'], 'point')}"
        case "deliver":
            return "a reactor: nothing to deliver"
        case "shield":
            return f"shield up for {counted(event['left'], 'turn')}"
        case "skip":
            return f"skip: {WHY[event['why']]}"
    return str(event["event"])
