"""Requests as bytes, answers as actions. No I/O: the referee writes and reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.gamekit import InvalidReply, Request, decode_name, quote
from trails.rules import FREE, Match

_MOVE = re.compile(rb"([NESW])[ \t]*\r?")


def encode(request: Request[Match]) -> bytes:
    """The bytes of a request: its name and, for a move, the board as this player sees it."""
    if request.ask == "getName":
        return b"getName\n"
    match, seat = request.observation, request.seat
    rows = [["." if cell == FREE else "#" for cell in row] for row in match.board]
    for other in match.riding:
        x, y = match.at[other]
        rows[y][x] = "@" if other == seat else "*"
    lines = ["getAction", str(len(rows)), *map("".join, rows)]
    return "".join(f"{line}\n" for line in lines).encode()


def decode(ask: str, lines: Sequence[bytes]) -> str:
    """The name or the direction in an answer of one line.

    Raises:
        InvalidReply: it is none.
    """
    if ask == "getName":
        return decode_name(lines[0])
    if (move := _MOVE.fullmatch(lines[0])) is None:
        raise InvalidReply(f"expected N, E, S or W, got {quote(lines[0]) if lines[0] else 'an empty line'}")
    return move[1].decode()
