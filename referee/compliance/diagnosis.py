"""What is wrong with an answer, by its bytes alone: a name for the fault, what happened, and what its author changes.

1. The game's own codec is the judge: a debug print is a line that is none beside one that is an answer.
2. What came is a stranger's: it is shown shortened and escaped, and nothing is concluded from more than `SEEN` bytes.
3. Whoever has seen more than bytes (how a program behaved when it was asked again) makes its own `Diagnosis`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.compliance.hints import Topic, hint
from referee.errors import InvalidReply
from referee.names import quote

SEEN: Final = 64 * 1024
Decode = Callable[[str, Sequence[bytes]], Any]
"""A game's codec, `Game.decode`."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a bot.

    Attributes:
        fault: its name, for programs: `no-flush`.
        says: what happened, a sentence.
        change: what the author does about it, a sentence or two.
    """

    fault: str
    says: str
    change: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for a request of a game; `ask` names it, `wanted` is how many lines answer it."""

    game: str
    ask: str
    said: bytes
    wanted: int = 1

    @property
    def lines(self) -> list[bytes]:
        """What came, line by line."""
        return self.said[:SEEN].removesuffix(b"\n").split(b"\n")


def unasked_first(said: bytes, language: str | None) -> Diagnosis:
    """Output before the first request."""
    return Diagnosis(
        "output-before-request",
        f"it wrote {quote(said)} before it was asked for anything",
        "Write nothing until a request has been read: no prompt, no greeting, no answer in advance. " + _log(language),
    )


def unasked_later(said: bytes, language: str | None) -> Diagnosis:
    """Output between an answer and the next request."""
    return Diagnosis(
        "output-after-answer",
        f"after its answer it wrote {quote(said)}, which nobody asked for",
        "One request, one answer, and nothing until the next request has been read: no prompt, no log, no second answer. "
        + _log(language),
    )


def too_long(detail: str, language: str | None) -> Diagnosis:
    """More output than any answer has, in the referee's words."""
    return Diagnosis("too-much-output", f"it wrote {detail}", f"stdout is for answers alone. {_log(language)}")


def unfinished(reply: Reply, language: str | None) -> Diagnosis:
    """Output that stands there, not whole, while the program waits."""
    if reply.said.endswith(b"\n"):
        return _wrong_number(reply, language)
    return Diagnosis(
        "no-newline",
        f"{quote(reply.said)} came without a line feed behind it",
        f"End each answer with a line feed (\\n; \\r alone is none) and flush it: {hint(language, Topic.FLUSH)}.",
    )


def wrong_reply(reply: Reply, decode: Decode, why: str, language: str | None) -> Diagnosis:
    """Bytes that are no answer, or more than one; `why` are the referee's own words for it."""
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
    if reply.ask == "getName":
        change = "Answer with a name of at most 32 bytes, without control characters such as tabs or codes for colours."
    else:
        change = (
            f"Answer as the rules say (`referee rules {reply.game}`), and with nothing else{_meant(reply, decode)}."
        )
    return Diagnosis("wrong-answer", why, f"{change} {_log(language)}")


def is_answer(decode: Decode, ask: str, line: bytes) -> bool:
    """Whether the codec takes this line."""
    try:
        decode(ask, [line])
    except InvalidReply:
        return False
    return True


def _meant(reply: Reply, decode: Decode) -> str:
    """The answer that a line nearly is: in lower case, with blanks or other words around it."""
    words = reply.said.upper().split() if reply.wanted == 1 else []
    meant = next((word for word in (*words[-1:], *words[:1]) if is_answer(decode, reply.ask, word)), None)
    return "" if meant is None else f": {quote(meant)}"


def _wrong_number(reply: Reply, language: str | None) -> Diagnosis:
    lines = reply.lines
    shown = ", ".join(quote(line, 40) for line in lines[:4]) + (", …" if len(lines) > 4 else "")
    wanted = "one is" if reply.wanted == 1 else f"{reply.wanted} are"
    return Diagnosis(
        "wrong-number-of-lines",
        f"it wrote {len(lines)} where {wanted} asked for: {shown}",
        "Read all lines of a request before you answer, and answer each request once, with exactly as many lines as the rules "
        f"say (`referee rules {reply.game}`). {_log(language)}",
    )


def _log(language: str | None) -> str:
    return f"Messages of your own go to stderr: {hint(language, Topic.LOG)}."
