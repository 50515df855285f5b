"""The egg hunt on the wire (README.md, Talking to the referee): requests as bytes, answers as actions. Bytes only, no I/O.

1. What a player sees are five pieces of the board's own text, taken out by one call (`struct`; 0.3 µs, as slices 1.1); the
   rest of a request is its memory.
2. No output is refused (rule 3 of README.md): whatever the bytes are, they are a direction, a stance and a memory. One
   reading serves both lifetimes, three lines of one that stays and any number of lines of one that lives for a turn.
3. Bytes become characters first, and carriage returns go afterwards: so the text that a saved game holds, where U+FFFD
   stands for what is not UTF-8, reads as the bytes did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.game import Request
from referee.games.egghunt.board import VIEW
from referee.games.egghunt.position import MAX_MEMORY
from referee.games.egghunt.rules import Action, Decision, EggHunt
from referee.grid import window
from referee.names import decode_name

REPLY_CAP: Final = 65536
"""Bytes of output (rule 3)."""

REPLY_LINES: Final[Mapping[str, int]] = {"getName": 1, "getAction": 3}

_DIRECTIONS: Final = {b"%d" % direction: direction for direction in range(1, 10)}
_STANCES: Final = {letter.encode(): letter.upper() for letter in "ACNacn"}


def encode(request: Request[EggHunt]) -> bytes:
    """The bytes of a request to a process that stays, to the letter of README.md."""
    _, ask, _ = request
    return b"getName\n" if ask == "getName" else b"getAction\n" + encode_turn(request)


def encode_turn(request: Request[EggHunt]) -> bytes:
    """The six lines that are the whole input of a process that lives for one turn: what it sees, and its memory (2)."""
    seat, _, state = request
    board = state.board
    stride = board.stride
    rows = window(stride, VIEW)(board.text, state.homes[seat] - 2 * stride - 2)
    return b"\n".join((*rows, state.memory[seat].encode(), b""))


def decode(ask: str, lines: Sequence[bytes]) -> Decision:
    """The name or the action in an answer: its lines without their line feeds, for an action any number of them (3).

    Raises:
        InvalidReply: a name that is none; an action can be read from any bytes.
    """
    if ask == "getName":
        (line,) = lines
        return decode_name(line)
    direction, stance, memory = lines if len(lines) == 3 else (*lines[:3], b"", b"", b"")[:3]
    return Action(
        _DIRECTIONS.get(direction) or _DIRECTIONS.get(_word(direction), 9),
        _STANCES.get(stance) or _STANCES.get(_word(stance), "N"),
        _text(memory)[:MAX_MEMORY],
    )


def format_action(action: Decision) -> str:
    """An action as a saved game writes it: its three lines joined by line feeds; a name as it is."""
    return action if isinstance(action, str) else f"{action.direction}\n{action.stance}\n{action.memory}"


def _text(line: bytes) -> str:
    return line.decode(errors="replace").replace("\r", "")


def _word(line: bytes) -> bytes:
    """A line with the blanks around it dropped: spaces and tabs, nothing else that may look like one (3)."""
    return line.replace(b"\r", b"").strip(b" \t")
