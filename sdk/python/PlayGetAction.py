"""Plays the `GetAction.py` of the current folder: `python3 -m PlayGetAction`.

1. GetAction gets new objects in each call. Changes to them have no effect, except to the ant's memory.
2. The new memory is `ant.memory` after the call, the same list or another: the first 32 numbers, each modulo 256 and
   without a fraction; missing numbers are 0.
3. Printed output goes to stderr, the team's log: only answers go to the real stdout.
4. Exceptions are not caught: the program ends with a traceback on stderr and status 1, which disqualifies. An answer
   that is not an AntAction, or has a number that is not a 32-bit integer, has the same effect.
5. The team's name is `NAME` in GetAction.py, or the `name` in the bot.toml beside it, or empty.
"""

from __future__ import annotations

import importlib
import operator
import os
import sys

TYPE_CHECKING = False  # `typing` itself would make the start of a bot longer
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

__all__ = ["play"]

MEMORY = 32
NAME_LENGTH = 32
_NAME = r"""(?m)^name[ \t]*=[ \t]*(?:"([^"\\\r\n]*)"|'([^'\\\r\n]*)')"""


def play() -> None:
    """Answers the referee until it closes the input.

    Raises: ValueError, for a name longer than 32 characters or with control characters in it, for a number that does
    not fit, and for a request that is neither getName nor getAction; TypeError, for an answer that is not an AntAction;
    and whatever GetAction raises.
    """
    with open(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # output of programs that GetAction starts goes to the log too
        sys.stdout = sys.stderr
        module = importlib.import_module("GetAction")
        answer = _asked(module.GetAction)
        name = _name(module).encode("utf-8") + b"\n"
        read_line = sys.stdin.buffer.readline
        while True:
            request = read_line().rstrip(b"\r\n")
            if request == b"getAction":
                lines = [read_line() for _ in range(11)]
                if not lines[10].endswith(b"\n"):  # the match ended during the request
                    return
                answers.write(answer(lines))
            elif request == b"getName":
                answers.write(name)
            elif request:
                raise ValueError(f"the referee sent an unknown request: {request!r}")
            else:
                return
            answers.flush()


def _asked(get_action: Callable[[Any, Any], Any]) -> Callable[[list[bytes]], bytes]:
    """The function that answers the lines after a `getAction`: whether the ant carries food, its memory, the cells row
    by row."""
    inter = importlib.import_module("InterGetAction")  # possibly a copy in the bot's folder
    ant_of, sensor_of, memory_of = inter.Ant, inter.Sensor, bytes.fromhex

    def sensor(line: bytes) -> Any:
        smell, intensity, friend, enemy, mine, others, food, wall = line.split()
        return sensor_of(
            int(smell),
            int(intensity),
            friend == b"1",
            enemy == b"1",
            mine == b"1",
            others == b"1",
            food == b"1",
            wall == b"1",
        )

    def answer(lines: list[bytes]) -> bytes:
        ant = ant_of(list(memory_of(lines[1].decode())), lines[0][:1] == b"1", 0)
        cells = [sensor(line) for line in lines[2:]]
        action = get_action(ant, [cells[0::3], cells[1::3], cells[2::3]])
        try:
            kind, puts, smell = action.actionType, action.putSmell, action.smell
        except AttributeError:
            raise TypeError(f"GetAction must return an AntAction, it returned {action!r:.100}") from None
        return b"%d %d %d %s\n" % (
            _number(kind, "actionType"),
            1 if puts else 0,
            _number(smell, "smell") if puts else 0,
            _hex(ant.memory),
        )

    return answer


def _number(value: Any, what: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} of an AntAction must be a whole number, not {value!r:.100}") from None
    if not -(2**31) <= number < 2**31:
        raise ValueError(f"{what} of an AntAction must fit into 32 bits, unlike {value!r:.100}")
    return number


def _hex(memory: Any) -> bytes:
    if type(memory) is list and len(memory) == MEMORY:
        try:
            return bytes(memory).hex().encode()
        except (TypeError, ValueError):
            pass  # fractions, or numbers beyond 255
    kept = [(int(value) if isinstance(value, float) else operator.index(value)) % 256 for value in memory]
    return bytes((kept + [0] * MEMORY)[:MEMORY]).hex().encode()


def _name(module: ModuleType) -> str:
    name = getattr(module, "NAME", None)
    if name is None:
        return _manifest_name(os.path.dirname(module.__file__ or ""))
    if not isinstance(name, str) or len(name) > NAME_LENGTH:
        raise ValueError(f"NAME must be a text of at most {NAME_LENGTH} characters, not {name!r:.100}")
    if _has_control(name):
        raise ValueError(f"the name {name!r} contains a control character")
    return name


def _manifest_name(folder: str) -> str:
    """The name in the folder's bot.toml, cut to the length that the protocol allows; empty if it has none."""
    import re  # only here, because it takes half as long as the start of Python

    try:
        with open(os.path.join(folder, "bot.toml"), encoding="utf-8-sig") as file:
            found = re.search(_NAME, file.read(65536))
    except (OSError, ValueError):
        return ""
    name = (found[1] or found[2] or "") if found else ""
    if _has_control(name):
        return ""
    return name[:NAME_LENGTH]


def _has_control(name: str) -> bool:
    return any(ord(letter) < 0x20 or 0x7F <= ord(letter) < 0xA0 for letter in name)


if __name__ == "__main__":
    play()
