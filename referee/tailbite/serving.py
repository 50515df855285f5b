"""A program as a process of its own: `python -m referee.games.GAME PROGRAM`, which speaks the game's wire on stdin and stdout.

It gives the very answers that the referee gives when it runs the program itself. It needs nothing but the standard library
and this package, and imports little, so that it starts at once. How programs are to be read in a match does not come over
the wire: it is told by flags, `--rating max`, with the names that the position's options have.

Exit codes: 0 when the input ends, 2 for a program or a command line that is wrong, 1 for input that is no request; each
with one line on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from referee.errors import ProgramError
from referee.game import Policy, Request
from referee.names import harmless, quote, shorten
from referee.tailbite.sight import SIDE, Options, Seen, Sight

CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "rating": ("sum", "max"),
    "failed_and_groups": ("count", "ignore"),
    "or_groups": ("all", "any"),
}
"""What each of the options may be."""
_SEEN: Final = b".WHSTXYZ"


class _Wrong(ValueError):
    """A command line that is wrong; the text is what to say."""


def main(language: Any, options: Sequence[str], arguments: Sequence[str]) -> int:
    """Play one program; returns the exit code.

    Args:
        language: the game's `PROGRAMS`.
        options: the names of the options that the game has.
        arguments: the command line's words behind the module.
    """
    usage = "PROGRAM" + language.suffix + "".join(f" [--{_flag(o)} {'|'.join(CHOICES[o])}]" for o in options)
    try:
        if {"-h", "--help"} & set(arguments):
            print(f"usage: {usage}")
            return 0
        file, chosen = _read(options, arguments, usage)
        with open(file, "rb") as source:
            program = language.compile(source.read(1 << 20), file)
    except (_Wrong, ProgramError) as wrong:
        return _refuse(str(wrong), 2)
    except OSError as failed:
        return _refuse(f"{failed.filename}: {failed.strerror}", 2)
    try:
        return serve(program, Options(**chosen), sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        return 0


def serve(program: Policy[Sight, str], options: Options, requests: IO[bytes], answers: IO[bytes]) -> int:
    """Answer requests until they end; returns the exit code."""
    for line in requests:
        ask = line.rstrip(b"\r\n")
        if ask == b"getName":
            answer = program.name
        elif ask == b"getAction":
            size = requests.readline().strip()
            rows = [requests.readline().rstrip(b"\r\n") for _ in range(SIDE)]
            if not rows[-1] and not requests.readline():
                return 0  # the match is over; the answer is not needed
            window = b"".join(rows)
            if size != b"%d" % SIDE or any(len(row) != SIDE for row in rows) or window.translate(None, _SEEN):
                return _refuse(
                    f"after getAction come the line {SIDE} and {SIDE} rows of {SIDE} letters: {quote(size)}", 1
                )
            answer = program.decide(Request(0, "getAction", Seen(window, options)))
        else:
            return _refuse(f"{quote(ask)} is no request: there is getName and getAction", 1)
        answers.write(answer.encode() + b"\n")
        answers.flush()
    return 0


def _read(options: Sequence[str], arguments: Sequence[str], usage: str) -> tuple[str, dict[str, Any]]:
    """The program's file and the options that were chosen."""
    files: list[str] = []
    chosen: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        if not word.startswith("--"):
            files.append(word)
            continue
        flag, given, value = word[2:].partition("=")
        name = flag.replace("-", "_")
        if name not in options:
            raise _Wrong(f"--{shorten(flag)} is no option: {usage}")
        value = value if given else next(words, "")
        if value not in CHOICES[name]:
            raise _Wrong(f"--{flag} is {' or '.join(CHOICES[name])}, not {shorten(repr(value))}")
        chosen[name] = value
    if len(files) != 1:
        raise _Wrong(f"one program is needed: {usage}")
    return files[0], chosen


def _flag(option: str) -> str:
    return option.replace("_", "-")


def _refuse(text: str, code: int) -> int:
    print(harmless(text), file=sys.stderr)
    return code
