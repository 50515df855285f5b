"""What is wrong with a bot, judged by bytes alone: by its answer, or by how its process ended.

1. The game's own codec decides what an answer is.
2. Output is untrusted: it is shown shortened and escaped, and only the first `SEEN` bytes are read.
3. What takes more than bytes (how the bot behaves when it is asked again) is found out by `diagnoser.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.compliance.hints import Topic, hint
from referee.errors import InvalidReply
from referee.names import counted, quote, shorten
from referee.sandbox import advice

SEEN: Final = 64 * 1024
Decode = Callable[[str, Sequence[bytes]], Any]
"""A game's codec, `Game.decode`."""

_SIGNALS: Final[Mapping[str, str]] = {
    "SIGSEGV": "it used memory that is not its own: an index out of range, a null pointer, too deep a recursion",
    "SIGFPE": "it divided by zero",
    "SIGABRT": "it aborted: an uncaught exception or a failed assertion",
    "SIGSYS": "it did what the sandbox forbids",
    "SIGPIPE": "it wrote to a closed pipe",
}
_PASCAL_ERRORS: Final[Mapping[int, str]] = {
    106: "read a number where there was none",
    200: "division by zero",
    201: "range check",
    202: "stack overflow",
    203: "heap overflow",
    215: "arithmetic overflow",
    216: "access to memory that is not its own",
    217: "an uncaught exception",
}
"""The exit statuses of Free Pascal's runtime library."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a bot.

    Attributes:
        fault: its name, for programs: `no-flush`.
        says: what happened, a sentence.
        change: what the author should change, a sentence or two.
    """

    fault: str
    says: str
    change: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for the request `ask` of a game; `wanted` lines answer it."""

    game: str
    ask: str
    said: bytes
    wanted: int = 1

    @property
    def lines(self) -> list[bytes]:
        """The output, line by line."""
        return self.said[:SEEN].removesuffix(b"\n").split(b"\n")


def unasked(said: bytes, *, first: bool, language: str | None) -> Diagnosis:
    """Output that no request asked for: before the first one, or after an answer."""
    return Diagnosis(
        "output-before-request" if first else "output-after-answer",
        f"it wrote {quote(said)} {'before the first request' if first else 'after its answer'}",
        f"Write exactly one answer to each request, and nothing else: no prompt, no greeting. {_log(language)}",
    )


def too_long(detail: str, language: str | None) -> Diagnosis:
    """More output than any answer has, in the referee's words."""
    return Diagnosis("too-much-output", f"it wrote {detail}", f"stdout is for answers alone. {_log(language)}")


def unfinished(reply: Reply, language: str | None) -> Diagnosis:
    """An incomplete answer, after which the bot waits."""
    if reply.said.endswith(b"\n"):
        return _wrong_number(reply, language)
    return Diagnosis(
        "no-newline",
        f"{quote(reply.said)} came without a line feed behind it",
        f"End each answer with a line feed (\\n; \\r alone is none) and flush it: {hint(language, Topic.FLUSH)}.",
    )


def wrong_reply(reply: Reply, decode: Decode, why: str, language: str | None) -> Diagnosis:
    """Output that the game refused, with the referee's reason."""
    lines = reply.lines
    legal = [line for line in lines if is_answer(decode, reply.ask, line)] if reply.wanted == 1 else []
    if legal and len(legal) < len(lines):
        extra = next(line for line in lines if line not in legal)
        return Diagnosis(
            "debug-print",
            f"beside its answer {quote(legal[-1])} it wrote {quote(extra)} to stdout",
            f"stdout is for answers alone. {_log(language)}",
        )
    if len(lines) != reply.wanted:
        return _wrong_number(reply, language)
    change = (
        "Answer with a name of at most 32 bytes, without control characters."
        if reply.ask == "getName"
        else f"Answer as the rules say (`referee rules {reply.game}`), and with nothing else{_meant(reply, decode)}."
    )
    return Diagnosis("wrong-answer", why, f"{change} {_log(language)}")


def is_answer(decode: Decode, ask: str, line: bytes) -> bool:
    """Whether the codec accepts this line."""
    try:
        decode(ask, [line])
    except InvalidReply:
        return False
    return True


def ended(how: str, *, answers: int | None, log: Sequence[str], language: str | None, advised: str | None) -> Diagnosis:
    """A process that ended too early, or with an error.

    Args:
        how: the referee's words, such as `exited with status 1`.
        answers: how many answers it had given; None for a process that lives for one turn.
        log: the last lines of its stderr, `advice.LINES` of them.
        advised: the sandbox's advice, if it forbade something.
    """
    after = "" if answers is None else f" after {counted(answers, 'answer')}" if answers else " before its first answer"
    last = f"; on stderr it says: {shorten(advice.telling(log).expandtabs(), 160)}" if log else ""
    if how == "exited with status 0":
        return Diagnosis(
            "ended-early",
            f"it ended by itself, with status 0,{after}{last}",
            "Answer request after request in a loop, until your input ends. A match does not say how many requests there are.",
        )
    if "closed its output" in how:
        return Diagnosis("closed-output", f"{how},{after}", "Leave stdout open until your input ends.")
    signal = re.search(r"SIG[A-Z0-9]+", how)
    meaning = _SIGNALS.get(signal[0], "") if signal else _pascal_error(how, language)
    says = f"it {how.removeprefix('it ')}{after}" + (f": {meaning}" if meaning else "") + last
    change = advised or (
        "Its stderr below names the place in your program."
        if log
        else "Run it in a debugger with the request below, or let it write to stderr what it does."
    )
    return Diagnosis("crash", says, change)


def _pascal_error(how: str, language: str | None) -> str:
    status = re.search(r"status (\d+)", how)
    if language != "pascal" or status is None or int(status[1]) not in _PASCAL_ERRORS:
        return ""
    return f"Pascal's runtime error {status[1]}, {_PASCAL_ERRORS[int(status[1])]}"


def _meant(reply: Reply, decode: Decode) -> str:
    """The answer that the output nearly is: in lower case, or with other words around it."""
    words = reply.said.upper().split() if reply.wanted == 1 else []
    meant = next((word for word in (*words[-1:], *words[:1]) if is_answer(decode, reply.ask, word)), None)
    return "" if meant is None else f": {quote(meant)}"


def _wrong_number(reply: Reply, language: str | None) -> Diagnosis:
    lines = reply.lines
    shown = ", ".join(quote(line, 40) for line in lines[:4]) + (", …" if len(lines) > 4 else "")
    return Diagnosis(
        "wrong-number-of-lines",
        f"it wrote {counted(len(lines), 'line')}, and the answer has {reply.wanted}: {shown}",
        "Read all lines of a request before you answer, and answer each request once, with exactly as many lines as the rules "
        f"say (`referee rules {reply.game}`). {_log(language)}",
    )


def _log(language: str | None) -> str:
    return f"Messages of your own go to stderr: {hint(language, Topic.LOG)}."
