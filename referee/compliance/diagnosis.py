"""What is wrong with an answer, by its bytes alone: a name for the fault, what happened, and what its author changes.

1. Everything here is read from what came back for one request, with the game's own codec as the judge: a thing is called
   a letter in lower case because the codec takes it in upper case, and a debug print because another line is an answer.
2. What came is a stranger's: it is shown shortened and escaped, and nothing is concluded from more than `SEEN` bytes.
3. Whoever has seen more than bytes (how a process behaved in an experiment) makes its own `Diagnosis`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.compliance.hints import Topic, hint
from referee.errors import InvalidReply
from referee.names import MAX_NAME_BYTES, counted, quote

SEEN: Final = 64 * 1024
Decode = Callable[[str, Sequence[bytes]], Any]
"""A game's codec, see `Game.decode`."""


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
    """What came back for a request of a game; `ask` names it, `lines` is how many lines the request has, `wanted` its answer."""

    game: str
    ask: str
    lines: int
    said: bytes
    wanted: int = 1

    @property
    def rules(self) -> str:
        """The command that tells what an answer is."""
        return f"`referee rules {self.game}`"


def unasked_first(said: bytes, language: str | None) -> Diagnosis:
    """Output before the first request."""
    return Diagnosis(
        "output-before-request",
        f"it wrote {quote(said)} before it was asked for anything",
        "Write nothing until a request has been read: no prompt, no greeting, no answer in advance. "
        f"Messages of your own go to stderr: {hint(language, Topic.LOG)}.",
    )


def unasked_later(said: bytes, language: str | None) -> Diagnosis:
    """Output between an answer and the next request."""
    return Diagnosis(
        "output-after-answer",
        f"after its answer it wrote {quote(said)}, which nobody asked for",
        "One request, one answer, and nothing until the next request has been read: no prompt, no log. "
        f"Messages of your own go to stderr: {hint(language, Topic.LOG)}.",
    )


def too_long(reply: Reply, cap: int, language: str | None) -> Diagnosis:
    """A line without end."""
    return Diagnosis(
        "line-too-long",
        f"its line of output is longer than {cap} bytes: {quote(reply.said)}",
        f"An answer is one short line. Messages of your own go to stderr: {hint(language, Topic.LOG)}.",
    )


def wrong_reply(reply: Reply, decode: Decode, why: str, language: str | None) -> Diagnosis:
    """Bytes that are no answer, or more than one; `why` are the referee's own words for it."""
    said = reply.said[:SEEN]
    if encoding := _encoding(said):
        return Diagnosis(
            "wrong-encoding",
            f"its output is {encoding}: {quote(said)}",
            "Write plain bytes: ASCII or UTF-8 without a byte order mark.",
        )
    if reply.wanted > 1:
        return _many(reply, why, language)
    answer, _, more = said.partition(b"\n")
    if more and not said.endswith(b"\n") and is_answer(decode, reply.ask, answer.removeprefix(more)):
        return unasked_later(more, language)
    lines = said.removesuffix(b"\n").split(b"\n")
    if len(lines) > 1:
        return _several(reply, lines, decode, language)
    return _single(reply, lines[0], decode, why, language)


def is_answer(decode: Decode, ask: str, line: bytes) -> bool:
    """Whether the codec takes this line."""
    try:
        decode(ask, [line])
    except InvalidReply:
        return False
    return True


def unfinished(reply: Reply, decode: Decode, language: str | None) -> Diagnosis:
    """Output that stands there without its line feed, while the program waits."""
    line = reply.said
    if reply.wanted > 1 and line.endswith(b"\n"):
        return _too_few(reply, language)
    if b"\r" in line and reply.wanted == 1:
        return Diagnosis(
            "lone-carriage-return",
            f"its answer ends with a carriage return alone: {quote(line)}; the line feed is missing",
            f"End each answer with a line feed (\\n); \\r\\n is accepted, \\r alone is not: {hint(language, Topic.LINE)}.",
        )
    legal = reply.wanted > 1 or is_answer(decode, reply.ask, line)
    seen = f"{quote(line)} came without a line feed behind it" + ("" if legal else ", and is no answer")
    return Diagnosis(
        "no-newline", seen, f"End each answer with a line feed (\\n) and flush it: {hint(language, Topic.LINE)}."
    )


def _many(reply: Reply, why: str, language: str | None) -> Diagnosis:
    """An answer of several lines that is none, or not the only thing that came."""
    lines = reply.said[:SEEN].removesuffix(b"\n").split(b"\n")
    if len(lines) <= reply.wanted:
        return Diagnosis(
            "wrong-answer",
            why,
            f"Answer as the rules say ({reply.rules}), and with nothing else. Messages of your own go to stderr: "
            f"{hint(language, Topic.LOG)}.",
        )
    return Diagnosis(
        "too-many-lines",
        f"it wrote {len(lines)} lines where {reply.wanted} are asked for: {_shown(lines)}",
        f"Answer each request once, with exactly {reply.wanted} lines. Messages of your own go to stderr: "
        f"{hint(language, Topic.LOG)}.",
    )


def _too_few(reply: Reply, language: str | None) -> Diagnosis:
    lines = reply.said.removesuffix(b"\n").split(b"\n")
    return Diagnosis(
        "too-few-lines",
        f"it wrote only {len(lines)} of the {reply.wanted} lines of an answer: {_shown(lines)}",
        f"Write all {reply.wanted} lines, also those that are empty, and flush them: {hint(language, Topic.LINE)}.",
    )


def _shown(lines: Sequence[bytes]) -> str:
    return ", ".join(quote(line, 40) for line in lines[:4]) + (", …" if len(lines) > 4 else "")


def _several(reply: Reply, lines: Sequence[bytes], decode: Decode, language: str | None) -> Diagnosis:
    legal = [line for line in lines if is_answer(decode, reply.ask, line)]
    shown = _shown(lines)
    log = f"write messages of your own to stderr: {hint(language, Topic.LOG)}"
    if reply.lines > 1 and len(lines) >= reply.lines and len(legal) == len(lines):
        return Diagnosis(
            "answers-every-line",
            f"it wrote an answer to each of the {reply.lines} lines of a request: {shown}",
            "Read all lines of a request before you answer, and answer once: the first line names the request, and the "
            f"rules ({reply.rules}) say how many lines follow it.",
        )
    if len(set(legal)) == 1 and len(legal) == len(lines):
        return Diagnosis(
            "two-answers",
            f"it wrote {len(lines)} lines where one was asked for: {shown}",
            "Answer each request once: look for a second print, or for a loop that prints for every line it reads.",
        )
    if legal and len(legal) < len(lines):
        extra = next(line for line in lines if line not in legal)
        return Diagnosis(
            "debug-print",
            f"beside its answer {quote(legal[-1])} it wrote {quote(extra)} to stdout",
            f"stdout is for answers alone: {log}.",
        )
    if legal:
        return Diagnosis(
            "two-answers",
            f"it wrote {len(lines)} lines where one was asked for: {shown}",
            f"Answer each request with one line; {log}.",
        )
    return Diagnosis(
        "wrong-answer",
        f"it wrote {len(lines)} lines, none of which is an answer: {shown}",
        f"Answer with one line as the rules say ({reply.rules}); {log}.",
    )


def _single(reply: Reply, line: bytes, decode: Decode, why: str, language: str | None) -> Diagnosis:
    ask = reply.ask
    if ask == "getName":
        return _wrong_name(line, why)
    if not line.strip():
        return Diagnosis(
            "empty-answer",
            f"its answer is {'an empty line' if not line else 'a line of blanks'}",
            "Always print an answer: look for a way through your program on which none has been chosen yet, and for a "
            "println without arguments.",
        )
    if is_answer(decode, ask, line.upper()):
        return Diagnosis(
            "lower-case",
            f"its answer is {quote(line)}, in lower case",
            f"Answer in capital letters: {quote(line.upper())}.",
        )
    if is_answer(decode, ask, line.strip()):
        return Diagnosis(
            "blanks-around",
            f"its answer {quote(line)} has blanks or other characters around it",
            f"Print the answer alone, with nothing before it: {quote(line.strip())}.",
        )
    words = line.split()
    if alone := next((word for word in (words[-1], words[0]) if is_answer(decode, ask, word)), None):
        return Diagnosis(
            "text-around",
            f"its answer {quote(alone)} stands in other text: {quote(line)}",
            f"Print the answer alone on its line. Messages of your own go to stderr: {hint(language, Topic.LOG)}.",
        )
    if b"\r" in line.rstrip(b"\r"):
        return Diagnosis(
            "lone-carriage-return",
            f"its answer {quote(line)} has a carriage return in it",
            f"End lines with a line feed (\\n); \\r alone ends no line: {hint(language, Topic.LINE)}.",
        )
    return Diagnosis(
        "wrong-answer",
        why,
        f"Answer with one line as the rules say ({reply.rules}), and nothing else on it. Messages of your own go to "
        f"stderr: {hint(language, Topic.LOG)}.",
    )


def _wrong_name(line: bytes, why: str) -> Diagnosis:
    line = line.removesuffix(b"\r")
    if len(line) > MAX_NAME_BYTES:
        over = counted(len(line) - MAX_NAME_BYTES, "byte")
        return Diagnosis(
            "name-too-long",
            why,
            f"Shorten the name by {over}. Letters outside ASCII take two to four bytes each.",
        )
    return Diagnosis(
        "name-control-characters",
        why,
        "Take tabs, escape codes for colours and every other byte below 32 out of the name.",
    )


def _encoding(said: bytes) -> str:
    if said.startswith(b"\xef\xbb\xbf"):
        return "UTF-8 with a byte order mark"
    if said.startswith((b"\xff\xfe", b"\xfe\xff")) or (len(said) > 3 and said[1::2].strip(b"\0") == b""):
        return "UTF-16"
    return ""
