"""The wire format of Pig: requests to bytes, and bytes to actions. No I/O."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.contract.game import Request
from referee.errors import InvalidReply
from referee.games.pig.rules import Pig
from referee.text.words import decode_name, quote

_ACTION = re.compile(rb"(roll|hold)[ \t]*(?:\r[ \t]*)?")


def encode(request: Request[Pig]) -> bytes:
    """The bytes of a request."""
    if request.ask == "getName":
        return b"getName\n"
    game, seat = request.observation, request.seat
    scores = " ".join(str(game.scores[k % game.seats]) for k in range(seat, seat + game.seats))
    return f"getAction\n{game.goal} {game.stake}\n{scores}\n".encode()


def decode(ask: str, lines: Sequence[bytes]) -> str:
    """The name or action in an answer of one line. Raises: InvalidReply."""
    (line,) = lines
    if ask == "getName":
        return decode_name(line)
    if (match := _ACTION.fullmatch(line)) is None:
        raise InvalidReply(f"expected roll or hold, got {quote(line) if line else 'an empty line'}")
    return match[1].decode()
