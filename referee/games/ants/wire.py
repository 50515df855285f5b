"""Ants on the wire (README.md, Talking to the referee): requests as bytes, answers as actions. Bytes only, no I/O.

A getAction request is one join of ready pieces: the ant's own two lines, and for each of the nine cells the hue, the
intensity and the flags as the asked seat sees them. Only the cell under the ant needs a second look. In an answer only the
memory is new each time: the text before it is one of few, and each is parsed once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from referee.contract.game import Fault, Request, tuple_of
from referee.contract.positions import Position
from referee.errors import InvalidReply
from referee.games.ants.field import STRENGTH, Ant, sights
from referee.games.ants.position import INT32, NO_MEMORY
from referee.games.ants.rules import Action
from referee.text.words import decode_name, quote

_ANSWER: Final = re.compile(rb"(-?\d{1,1000}) ([01]) (-?\d{1,1000}) ([0-9A-Fa-f]{64})[ \t]*\r?")
"""The digits are capped like the line, because a saved game may have more than Python converts."""
_USUAL: Final = re.compile(rb"(\d) ([01]) (\d+) ")
"""The text before the memory as nearly all bots write it. In a line of up to `_LONGEST` bytes, `_ANSWER` matches it too."""
_DIGITS: Final = 64
"""Hex digits of a memory."""
_LONGEST: Final = len("9 1 999999999 ") + _DIGITS
"""Bytes of a usual answer, whose hue fits into 32 bits. Longer ones are not cached, because a saved game's may be huge."""
_HEAD: Final = (b"getAction\n0\n", b"getAction\n1\n")
_MARKS: Final = {b"0": False, b"1": True}
_HEX: Final = b"0123456789abcdefABCDEF"
_LEAST, _MOST = INT32[0], INT32[-1]


def encode(request: Request[Ant | None]) -> bytes:
    """The bytes of a request, exactly as README.md has them."""
    _, _, ant = request
    if ant is None:
        return b"getName\n"
    seat, field, here = ant.seat, ant.field, ant.cell
    cells, hues, scents, strength, sight = field.cells, field.hues, field.scents, STRENGTH, sights(seat)
    top, low = here - field.stride, here + field.stride
    under = cells[here]
    if field.crowd[seat][here] == 1:  # the asked ant is not its own friend (7)
        under ^= 1 << seat
    a, b, c, d, e, f, g, h = top - 1, top, top + 1, here - 1, here + 1, low - 1, low, low + 1
    return b"".join(
        (
            _HEAD[ant.food], ant.memory, b"\n",
            hues[a], strength[scents[a]], sight[cells[a]],
            hues[b], strength[scents[b]], sight[cells[b]],
            hues[c], strength[scents[c]], sight[cells[c]],
            hues[d], strength[scents[d]], sight[cells[d]],
            hues[here], strength[scents[here]], sight[under],
            hues[e], strength[scents[e]], sight[cells[e]],
            hues[f], strength[scents[f]], sight[cells[f]],
            hues[g], strength[scents[g]], sight[cells[g]],
            hues[h], strength[scents[h]], sight[cells[h]],
        )
    )  # fmt: skip


def decode(ask: str, lines: Sequence[bytes]) -> Action | str:
    """The name or action in an answer, which is one line without its line feed. Raises: InvalidReply."""
    (line,) = lines
    if ask == "getName":
        return decode_name(line)
    usual = _usual(line[:-_DIGITS]) if len(line) <= _LONGEST else None
    memory = line[-_DIGITS:]
    if usual is None or memory.translate(None, _HEX):
        return _decode_unusual(line)
    kind, mark, hue = usual
    return tuple_of(Action, (kind, mark, hue, memory.lower()))


@lru_cache(maxsize=1024)
def _usual(before: bytes) -> tuple[int, bool, int] | None:
    """Action, whether to mark, and hue, from the text before a memory; None if it is not as usual."""
    match = _USUAL.fullmatch(before)
    return None if match is None else (int(match[1]), _MARKS[match[2]], int(match[3]))


def _decode_unusual(line: bytes) -> Action:
    """Any answer: `_ANSWER` is the whole format, and `decode` reads only a part of it without calling this."""
    match = _ANSWER.fullmatch(line)
    if match is None:
        excerpt = quote(line, 160) if line else "an empty line"
        raise InvalidReply(f"expected `action putSmell smell memory`, like 3 1 7 and 64 hex digits; got {excerpt}")
    number, mark, smell, memory = match.groups()
    kind, hue = int(number), int(smell)
    if not (_LEAST <= kind <= _MOST and _LEAST <= hue <= _MOST):
        name = "smell" if _LEAST <= kind <= _MOST else "action"
        raise InvalidReply(f"the {name} does not fit into 32 bits: {quote(line, 160)}")
    return Action(kind, _MARKS[mark], hue, memory.lower())


def format_action(action: Action | str) -> str:
    """An action as a saved game has it."""
    if isinstance(action, str):
        return action
    return f"{action.kind} {action.mark:d} {action.hue} {action.memory.decode()}"


def remembering(action: Action | str | Fault, other: Action | str | None) -> Action | str | Fault:
    """The action with the memory of another action, or with zeros for None. A fault or a name stays as it is."""
    if not isinstance(action, Action):
        return action
    return action._replace(memory=other.memory if isinstance(other, Action) else NO_MEMORY.encode())


def forgotten(setup: Position, seat: int) -> Position:
    """The position in which no ant of this seat remembers anything."""
    teams = setup.get("teams")
    if not teams:
        return setup
    ants = [{**ant, "memory": NO_MEMORY} if "memory" in ant else ant for ant in teams[seat]]
    return {**setup, "teams": [*teams[:seat], ants, *teams[seat + 1 :]]}
