"""The tail-biting snakes on the wire (games/ava/README.md, Talking to the referee): requests as bytes, answers as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Final

from referee.errors import InvalidReply
from referee.game import Request
from referee.names import decode_name, quote
from referee.tailbite.sight import SIDE, Sight

_LINE = re.compile(rb"([ULDR]+)[ \t]*(?:\r[ \t]*)?")
_AHEAD: Final = b"getAction\n%d\n" % SIDE
_SHORT: Final = 10
"""Bytes of a line with eight letters, a blank and a carriage return."""
_rows: Final = Struct(f"{SIDE}s" * SIDE).unpack
"""A window's rows."""


def encode(request: Request[Sight]) -> bytes:
    """The bytes of a request, to the letter of games/ava/README.md."""
    _, ask, sight = request
    if ask == "getName":
        return b"getName\n"
    return _AHEAD + b"\n".join(_rows(sight.window)) + b"\n"


def format_action(action: str) -> str:
    """A name or candidate letters as a saved game writes them."""
    return action


@dataclass(frozen=True, slots=True)
class Codec:
    """What answers are taken: a line of letters of U L D R, each at most `repeats` times."""

    repeats: int

    def decode(self, ask: str, lines: Sequence[bytes]) -> str:
        """The name or the candidate letters in an answer (one line, without its line feed).

        Raises:
            InvalidReply: the line is no answer to this request.
        """
        (line,) = lines
        if ask == "getName":
            return decode_name(line)
        # The same few lines come again and again. A long one is not worth to be remembered: a saved game's may be huge.
        return (_known if len(line) <= _SHORT else _letters)(line, self.repeats)


def _letters(line: bytes, repeats: int) -> str:
    """The candidate letters in a line. Raises: InvalidReply."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise InvalidReply(f"expected {_wanted(repeats)}, got {quote(line) if line else 'an empty line'}")
    letters = match[1].decode()
    often = next((letter for letter in letters if letters.count(letter) > repeats), None)
    if often is not None:
        raise InvalidReply(f"expected {_wanted(repeats)}, got {often} {letters.count(often)} times: {quote(line)}")
    return letters


_known: Final = lru_cache(maxsize=1024)(_letters)


def _wanted(repeats: int) -> str:
    each = "different ones" if repeats == 1 else f"each at most {repeats} times"
    return f"1 to {4 * repeats} letters of U L D R, {each}"
