"""What is wrong with a bot, judged by bytes alone: by its answer, or by how its process ended.

1. The game's own codec decides what an answer is.
2. Output is untrusted: it is shown shortened and escaped.
3. What takes more than bytes (how the bot behaves when it is asked again) is found out by `diagnoser.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.errors import InvalidReply
from referee.game import Game
from referee.languages import Idioms
from referee.names import counted, harmless, quote, shorten
from referee.sandbox import advice

SENT_LINES: Final = 24
"""Lines of a request that are shown; of a longer one the first and the last."""
LOG_LINES: Final = 12
"""Lines of the bot's stderr that are shown."""
WIDTH: Final = 160
"""Characters of a line that are shown."""

_SIGNALS: Final[Mapping[str, str]] = {
    "SIGSEGV": "it used memory that is not its own: an index out of range, a null pointer, too deep a recursion",
    "SIGFPE": "it divided by zero",
    "SIGABRT": "it aborted: an uncaught exception or a failed assertion",
    "SIGSYS": "it did what the sandbox forbids",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with a bot, and what shows it.

    Attributes:
        fault: its name, for programs: `no-flush`.
        says: what happened, a sentence. change: what the author should change, a sentence or two.
        sent: the last request, line by line. came: the output after it.
        stderr: of the bot's log, the last lines and the one that says most.
    """

    fault: str
    says: str
    change: str
    sent: Sequence[str] = ()
    came: str = ""
    stderr: Sequence[str] = ()

    def with_evidence(self, *, sent: bytes = b"", output: bytes = b"", log: Sequence[str] = ()) -> Failure:
        """The same with the last request, the output after it, and the last lines of stderr; all of it harmless."""
        return replace(
            self,
            says=harmless(self.says),
            change=harmless(self.change),
            sent=_ends([harmless(shorten(line.decode(errors="replace"), WIDTH)) for line in sent.splitlines()]),
            came=quote(output, WIDTH) if output else "",
            stderr=advice.excerpt(log, lines=LOG_LINES, width=WIDTH),
        )


def unasked(said: bytes, *, first: bool, idioms: Idioms) -> Failure:
    """Output that no request asked for: before the first one, or after an answer."""
    return Failure(
        "output-before-request" if first else "output-after-answer",
        f"it wrote {quote(said)} {'before the first request' if first else 'after its answer'}",
        f"Write exactly one answer to each request, and nothing else: no prompt, no greeting. {to_stderr(idioms)}",
    )


def too_long(detail: str, idioms: Idioms) -> Failure:
    """More output than any answer has, in the referee's words."""
    return Failure("too-much-output", f"it wrote {detail}", f"stdout is for answers alone. {to_stderr(idioms)}")


def wrong_reply(game: Game[Any, Any], ask: str, said: bytes, idioms: Idioms) -> Failure | None:
    """What is wrong with all that a bot wrote after a request of this name; None if it is an answer."""
    lines, wanted = said.removesuffix(b"\n").split(b"\n"), game.reply_lines(ask)
    if max(map(len, lines)) > game.reply_cap:
        return too_long(f"a line longer than {game.reply_cap} bytes", idioms)
    if said.count(b"\n") < wanted and not said.endswith(b"\n"):
        return Failure(
            "no-newline",
            f"{quote(lines[-1])} came without a line feed at its end",
            f"End each answer with a line feed (\\n; \\r alone is not one) and flush it: {idioms.flush}.",
        )
    if len(lines) == wanted:
        why = _refusal(game, ask, lines)
        return None if why is None else wrong_answer(game, ask, why, idioms)
    legal, extra = list[bytes](), list[bytes]()
    for line in lines if wanted == 1 else ():
        (legal if _refusal(game, ask, [line]) is None else extra).append(line)
    if legal and extra:
        return Failure(
            "debug-print",
            f"beside its answer {quote(legal[-1])} it wrote {quote(extra[0])} to stdout",
            f"stdout is for answers alone. {to_stderr(idioms)}",
        )
    shown = ", ".join(quote(line, 40) for line in lines[:4]) + (", …" if len(lines) > 4 else "")
    return Failure(
        "wrong-number-of-lines",
        f"it wrote {counted(len(lines), 'line')}, and the answer has {wanted}: {shown}",
        "Read all lines of a request before you answer, and answer each request once, with exactly as many lines as the rules "
        f"say (`referee rules {game.name}`). {to_stderr(idioms)}",
    )


def wrong_answer(game: Game[Any, Any], ask: str, why: str, idioms: Idioms) -> Failure:
    """An answer that the game refused, with its reason."""
    change = (
        "Answer with a name of at most 32 characters, without control characters."
        if ask == "getName"
        else f"Answer as the rules say (`referee rules {game.name}`), and with nothing else."
    )
    return Failure("wrong-answer", why, f"{change} {to_stderr(idioms)}")


def ended(how: str, *, answers: int | None, log: Sequence[str], advised: str | None) -> Failure:
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
        return Failure(
            "ended-early",
            f"it ended by itself, with status 0,{after}{last}",
            "Answer request after request in a loop, until your input ends. A match does not say how many requests there are.",
        )
    signal = re.search(r"SIG[A-Z0-9]+", how)
    meaning = f": {_SIGNALS[signal[0]]}" if signal and signal[0] in _SIGNALS else ""
    change = advised or (
        "Its stderr below names the place in your program."
        if log
        else "Run it in a debugger with the request below, or let it write to stderr what it does."
    )
    return Failure("crash", f"it {how.removeprefix('it ')}{after}{meaning}{last}", change)


def over_memory(detail: str) -> Failure:
    """A process that the sandbox ended for its memory, in the referee's words."""
    return Failure("memory", f"it {detail}", "Use less memory, or check with a higher limit: --memory SIZE.")


def to_stderr(idioms: Idioms) -> str:
    """Advice for a bot that writes to stdout something that is not an answer."""
    return f"Messages of your own go to stderr: {idioms.log}."


def _refusal(game: Game[Any, Any], ask: str, lines: Sequence[bytes]) -> str | None:
    """Why the game's codec refuses these lines; None if it accepts them."""
    try:
        game.decode(ask, lines)
    except InvalidReply as wrong:
        return str(wrong)
    return None


def _ends(lines: list[str]) -> list[str]:
    if len(lines) <= SENT_LINES:
        return lines
    half = SENT_LINES // 2
    return [*lines[:half], f"… {len(lines) - SENT_LINES} lines …", *lines[-half:]]
