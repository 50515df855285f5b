"""The wire format of tail-biting snakes: requests as bytes, answers as actions (games/ava/README.md, Talking to the referee)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from referee.contract.game import Request
from referee.errors import InvalidReply
from referee.tailbite.sight import SIDE, Sight
from referee.text.words import decode_name, quote

_LINE = re.compile(rb"([ULDR]+)[ \t]*(?:\r[ \t]*)?")
_AHEAD: Final = b"getAction\n%d\n" % SIDE
_SHORT: Final = 10
"""Bytes of a line with eight letters, a space and a carriage return."""


def encode(request: Request[Sight]) -> bytes:
    """The bytes of a request, exactly as games/ava/README.md describes them."""
    _, ask, sight = request
    if ask == "getName":
        return b"getName\n"
    return b"%b%b\n" % (_AHEAD, sight.lines)


def decode(repeats: int, ask: str, lines: Sequence[bytes]) -> str:
    """The name or the candidate letters in an answer, which is one line without its line feed. Raises: InvalidReply.

    `repeats` is how often a letter may occur at most.
    """
    (line,) = lines
    if ask == "getName":
        return decode_name(line)
    # The same few lines come again and again, so short ones are cached. Long ones are not: a saved game's may be huge.
    return (_known if len(line) <= _SHORT else _letters)(line, repeats)


def _letters(line: bytes, repeats: int) -> str:
    """The candidate letters in a line. Raises: InvalidReply."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise InvalidReply(f"expected {_expectation(repeats)}, got {quote(line) if line else 'an empty line'}")
    letters = match[1].decode()
    often = next((letter for letter in letters if letters.count(letter) > repeats), None)
    if often is not None:
        raise InvalidReply(f"expected {_expectation(repeats)}, got {often} {letters.count(often)} times: {quote(line)}")
    return letters


_known: Final = lru_cache(maxsize=1024)(_letters)


def _expectation(repeats: int) -> str:
    each = "all different" if repeats == 1 else f"each at most {repeats} times"
    return f"1 to {4 * repeats} letters of U L D R, {each}"
