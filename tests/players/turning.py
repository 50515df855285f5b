"""A game with a process per turn, and the requests to the programs in tests/programs/turns."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Answer, Request
from referee.errors import InvalidReply
from referee.games.snakecore.plugin import GAME
from referee.players.oneshot import OneShotPlayer
from referee.text.words import quote

TURNS = Path(__file__).parents[1] / "programs" / "turns"
CAP = 4096
PATIENT = TimeControl(first=45.0, answer=45.0, total=None)
IMPATIENT = TimeControl(first=0.5, answer=0.5, total=None)
ASKED = b"4\nN\nthis is remembered\n"


def decode(ask: str, lines: Sequence[bytes]) -> Any:
    """A name, or the lines themselves: the first one must begin with a digit or an `N`."""
    if ask == "getName":
        return GAME.decode(ask, lines)
    if not lines[0][:1].isdigit() and lines[0][:1] != b"N":
        raise InvalidReply(f"expected a direction, got {quote(lines[0])}")
    return tuple(lines)


GAME_OF_TURNS = replace(
    GAME,
    lifetimes=("turn",),
    encode_turn=lambda request: request.observation,
    decode=decode,
    format=lambda action: action if isinstance(action, str) else "\n".join(line.decode() for line in action),
    reply_lines=lambda _ask: 3,
    reply_cap=CAP,
)
"""The request is the observation, as bytes; an answer is three lines and perhaps more."""


def turn(data: bytes = ASKED, seat: int = 0) -> Request[bytes]:
    """A request."""
    return Request(seat, "getAction", data)


async def judged(player: OneShotPlayer, request: Request[bytes], limits: TimeControl) -> Answer[Any]:
    """The answer to this request alone."""
    return await player.ask(request, Clock(limits))
