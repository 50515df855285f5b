"""The wire format of the egg hunt (README.md, Talking to the referee): requests as bytes, answers as actions. No I/O.

1. What a player sees are five pieces of the board's text. One call of `struct` takes them out in 0.3 µs; slices would take 1.1.
   The rest of a request is the player's memory.
2. No answer is refused (rule 3 of README.md): any bytes give a direction, a stance and a memory. `decode` serves both lifetimes:
   a bot that stays sends three lines, and a bot that lives for one turn sends any number of lines.
3. Bytes are decoded first, and carriage returns are dropped afterwards. So the text in a saved game, in which U+FFFD stands for
   invalid UTF-8, is read exactly as the bytes were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.boards.grid import window
from referee.contract.game import Fault, Request
from referee.contract.positions import Position
from referee.games.egghunt.board import VIEW
from referee.games.egghunt.position import MAX_MEMORY
from referee.games.egghunt.rules import STAY, Action, Decision, EggHunt
from referee.text.words import decode_name

REPLY_CAP: Final = 65536
"""The most bytes of output (rule 3)."""
REPLY_LINES: Final[Mapping[str, int]] = {"getName": 1, "getAction": 3}

_DIRECTIONS: Final = {b"%d" % direction: direction for direction in range(1, 10)}
_STANCES: Final = {letter.encode(): letter.upper() for letter in "ACNacn"}


def encode(request: Request[EggHunt]) -> bytes:
    """The bytes of a request to a process that stays, exactly as README.md describes them."""
    _, ask, _ = request
    return b"getName\n" if ask == "getName" else b"getAction\n" + encode_turn(request)


def encode_turn(request: Request[EggHunt]) -> bytes:
    """The whole input of a process that lives for one turn: five lines of what it sees, and its memory (2)."""
    seat, _, state = request
    board = state.board
    stride = board.stride
    rows = window(stride, VIEW)(board.text, state.homes[seat] - 2 * stride - 2)
    return b"\n".join((*rows, state.memory[seat].encode(), b""))


def decode(ask: str, lines: Sequence[bytes]) -> Decision:
    """The name or the action in an answer. Lines have no line feeds; an action may have any number of lines (3).

    Raises: InvalidReply: the line is not a name. Actions are never refused.
    """
    if ask == "getName":
        (line,) = lines
        return decode_name(line)
    direction, stance, memory = lines if len(lines) == 3 else (*lines[:3], b"", b"", b"")[:3]
    return Action(
        _DIRECTIONS.get(direction) or _DIRECTIONS.get(_word(direction), 9),
        _STANCES.get(stance) or _STANCES.get(_word(stance), "N"),
        memory.decode(errors="replace").replace("\r", "")[:MAX_MEMORY],
    )


def format_action(action: Decision) -> str:
    """An action as saved games write it: its three lines joined by line feeds. A name is written as it is."""
    return action if isinstance(action, str) else f"{action.direction}\n{action.stance}\n{action.memory}"


def remembering(action: Decision | Fault, other: Decision | None) -> Decision:
    """The action with the memory of another action, or with an empty one for None. A fault counts as `STAY` (3, 4)."""
    if isinstance(action, str):
        return action
    decision = STAY if isinstance(action, Fault) else action
    return decision._replace(memory=other.memory if isinstance(other, Action) else "")


def forgotten(setup: Position, seat: int) -> Position:
    """The position in which this seat remembers nothing."""
    memory = setup.get("memory")
    if not memory:
        return setup
    return {**setup, "memory": [*memory[:seat], "", *memory[seat + 1 :]]}


def _word(line: bytes) -> bytes:
    """A line without the spaces and tabs around it; other white space stays (3)."""
    return line.replace(b"\r", b"").strip(b" \t")
