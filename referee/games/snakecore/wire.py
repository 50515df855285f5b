"""The wire format of SnakeCore (README.md, Talking to the referee): requests as bytes, answers as actions. No I/O.

A getAction request joins three kinds of pieces:
1. The first two lines. They are made once for each size.
2. The rows of the board. The state keeps them as the bytes that are sent.
3. A line for each python. It is kept, with a shield of 0, until the python's chain changes. After a move, the new line is made
   from the old one: the head's new cell is put in front, and the tail's cell is cut off the end.

Measurements in µs: a line of ten cells takes 0.9 from ready-made coordinates and 2.9 from numbers. A request with one new line
among pythons of 80 cells takes 4.1; if that line is made from the old one, it takes 1.4, as with short pythons. Copying the
rows of a 30×30 board takes 0.2, and reading them through a memoryview 0.4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from referee.contract.game import Request
from referee.errors import InvalidReply
from referee.games.snakecore.board import Python
from referee.games.snakecore.rules import SnakeCore
from referee.text.words import decode_name, quote

_ACTION = re.compile(rb"([ULDRNA])[ \t]*(?:\r[ \t]*)?")
ACTIONS: Final = "ULDRNA"
_LETTERS = {letter.encode(): letter for letter in ACTIONS}


def encode(request: Request[SnakeCore]) -> bytes:
    """The bytes of a request, exactly as README.md describes them."""
    seat, ask, state = request
    if ask == "getName":
        return b"getName\n"
    board = state.board
    stride = board.stride
    own, others = board.by_seat[seat]
    line = own.line or _line(stride, own)
    if own.shield > 1:  # the asked player's own counter has already gone down for this turn (rule 7)
        line = b"%d%b" % (own.shield - 1, line[1:])
    pieces: list[bytes | bytearray] = [_head(board.size), board.text[stride:-stride], line]
    for python in others:
        line = python.line or _line(stride, python)
        pieces.append(b"%d%b" % (python.shield, line[1:]) if python.shield else line)
    return b"".join(pieces)


def decode(ask: str, lines: Sequence[bytes]) -> str:
    """The name or the action in an answer, which is one line without its line feed. Raises: InvalidReply."""
    (line,) = lines
    if ask == "getName":
        return decode_name(line)
    if (letter := _LETTERS.get(line)) is not None:
        return letter
    match = _ACTION.fullmatch(line)
    if match is None:
        raise InvalidReply(f"expected one of U L D R N A, got {quote(line) if line else 'an empty line'}")
    return match[1].decode()


@cache
def _head(size: int) -> bytes:
    return b"getAction\n%d\n" % size


@cache
def _line_parts(stride: int) -> tuple[list[bytes], list[bytes]]:
    """The beginnings of lines with a shield of 0, by their number of cells; and ` x y` of each cell, by its index."""
    cells = range(stride * (stride + 1))
    return [b"0 %d" % count for count in cells], [b" %d %d" % (cell % stride, cell // stride - 1) for cell in cells]


def _line(stride: int, python: Python) -> bytes:
    """The line of a python, with a shield counter of 0."""
    beginnings, coordinates = _line_parts(stride)
    cells, former = python.cells, python.former
    beginning = beginnings[len(cells)]
    if former is None:
        python.line = line = beginning + b"".join([coordinates[cell] for cell in cells]) + b"\n"
    else:
        body = former[len(beginning) : -1 - len(coordinates[python.left])]
        python.line = line = b"%b%b%b\n" % (beginning, coordinates[cells[0]], body)
    return line
