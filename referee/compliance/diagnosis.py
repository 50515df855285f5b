"""What is wrong with a bot, and what its author should change, judged without asking it again: by its answer, by how its
process ended, or by the referee's words about its fault.

1. The game's own codec decides what an answer is.
2. Output is untrusted: it is shown shortened and escaped.
3. How the bot behaves when it is asked again is found out by `diagnoser.py`. A match only has the fault (`by_fault`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.bots import Bot, main_language, neighbours
from referee.contract.game import Fault, FaultKind, Game
from referee.errors import InvalidReply
from referee.languages import Idioms
from referee.players.faults import UNFINISHED, is_unasked
from referee.sandbox import advice
from referee.text.words import counted, harmless, quote, shorten

SENT_LINES: Final = 24
"""Lines of a request that are shown; of a longer one the first and the last."""
LOG_LINES: Final = 12
"""Lines of the bot's stderr that are shown."""
WIDTH: Final = 200
"""Characters of a line that are shown."""
UNBUILT: Final = "Correct the first error: later ones often follow from it."
FASTER: Final = (
    "Look for a loop that does not end. Limit your search by depth, or look at the clock and answer with the best move so far "
    "at half the limit."
)
END_AFTER_ANSWER: Final = (
    "Its process lives for one turn: end it after the answer. Look for a loop that reads on, a sleep or a lock."
)
ONE_ANSWER: Final = "Write exactly one answer to each request, and nothing else: no prompt, no greeting."

_SIGNALS: Final[Mapping[str, str]] = {
    "SIGSEGV": "It used memory that is not its own: an index out of range, a null pointer, too deep a recursion. ",
    "SIGFPE": "It divided by zero. ",
    "SIGILL": "It reached code that its compiler held to be unreachable: a function without `return`, or a division by zero. ",
    "SIGABRT": "It aborted: an uncaught exception or a failed assertion. ",
    "SIGSYS": "It did what the sandbox forbids. ",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a bot, and what shows it.

    Attributes:
        fault: the name of the fault, for programs: `no-flush`.
        says: what happened, in a sentence. change: what the author should change; empty if `says` is enough.
        sent: the last request, line by line. came: the output after it.
        stderr: the last lines of the bot's log, and the line that says most.
    """

    fault: str
    says: str
    change: str
    sent: Sequence[str] = ()
    came: str = ""
    stderr: Sequence[str] = ()

    def with_evidence(self, *, sent: bytes = b"", output: bytes = b"", log: Sequence[str] = ()) -> Diagnosis:
        """The same with the last request, the output after it, and the last lines of stderr; all of it harmless."""
        return replace(
            self,
            says=harmless(self.says),
            change=harmless(self.change),
            sent=_ends([harmless(shorten(line.decode(errors="replace"), WIDTH)) for line in sent.splitlines()]),
            came=quote(output, WIDTH) if output else "",
            stderr=advice.excerpt(log, lines=LOG_LINES, width=WIDTH),
        )


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a match knows about a fault, besides its words.

    Attributes:
        ask: the request. answers: how many answers the bot had given before.
        log: the last lines of the bot's stderr, `advice.LINES` of them.
        memory: the bot's limit in bytes; None without a sandbox.
        computed: whether the bot computed for most of its time; None if that is not known.
        total: whether the time for all answers is used up.
    """

    ask: str
    answers: int
    log: Sequence[str]
    memory: int | None
    computed: bool | None = None
    total: bool = False


def by_fault(fault: Fault, bot: Bot, game: Game[Any, Any], facts: Circumstances) -> Diagnosis:
    """What is wrong with a bot, by the referee's words about its fault and by what a match knows.

    Args:
        bot: the bot as its author wrote it, with its lifetime.
    """
    advisor, turn = Advisor(game, bot), bot.lifetime == "turn"
    match fault.kind:
        case FaultKind.EXIT if turn and fault.detail.startswith("exited with status 0 and wrote nothing"):
            return Diagnosis(
                "no-output",
                "it ended without an error and wrote nothing",
                "Its input is one request, without a line that names it: read it, print the answer, and end."
                + advisor.may_stay(),
            )
        case FaultKind.EXIT:
            answers = None if turn else facts.answers
            end = advisor.ended(fault.detail, answers=answers, log=facts.log, memory=facts.memory)
            wrote = turn and "; it had written " in fault.detail
            return replace(end, change=f"{end.change} {END_AFTER_ANSWER}{advisor.may_stay()}") if wrote else end
        case FaultKind.SANDBOX:
            return over_memory(fault.detail)
        case FaultKind.OVERFLOW:
            return advisor.too_long(fault.detail)
        case FaultKind.INVALID if is_unasked(fault):
            return Diagnosis("output-without-request", fault.detail, f"{ONE_ANSWER} {advisor.to_stderr()}")
        case FaultKind.INVALID:
            return advisor.wrong_answer(facts.ask, fault.detail)
    if facts.total:
        return Diagnosis(
            "total-time",
            f"{fault.detail}, after {counted(facts.answers + 1, 'request')}",
            "Each answer was in time, but all answers together took too long. Aim at a tenth of the limit for one answer.",
        )
    if facts.computed:
        return Diagnosis("slow-answer", fault.detail, FASTER)
    if turn:
        return Diagnosis("does-not-end", fault.detail, END_AFTER_ANSWER + advisor.may_stay())
    if fault.detail.endswith(UNFINISHED):
        return Diagnosis("no-newline", fault.detail, advisor.line_feed())
    flush = f"Flush your output after each answer: {advisor.idioms.flush}. If you do, it waits for something else. "
    return Diagnosis("waits", fault.detail, advisor.waiting(facts.log, first=flush))


@dataclass(frozen=True, slots=True)
class Advisor:
    """Diagnoses a bot in the terms of its game and of its language.

    Attributes:
        bot: the bot as its author wrote it.
    """

    game: Game[Any, Any]
    bot: Bot

    @property
    def idioms(self) -> Idioms:
        """Advice in the terms of the bot's language, if that is known."""
        language = self.bot.language or main_language([*self.bot.argv, *(self.bot.files or ())])
        return Idioms() if language is None else language.idioms

    def unasked(self, output: bytes, *, first: bool) -> Diagnosis:
        """Output that no request asked for: before the first one, or after an answer."""
        return Diagnosis(
            "output-before-request" if first else "output-after-answer",
            f"it wrote {quote(output)} {'before the first request' if first else 'after its answer'}",
            f"{ONE_ANSWER} {self.to_stderr()}",
        )

    def too_long(self, detail: str) -> Diagnosis:
        """More output than any answer has, in the referee's words."""
        return Diagnosis("too-much-output", f"it wrote {detail}", f"stdout is for answers alone. {self.to_stderr()}")

    def wrong_reply(self, ask: str, output: bytes) -> Diagnosis | None:
        """What is wrong with all that a bot wrote after a request of this name; None if it is an answer."""
        lines, line_count = output.removesuffix(b"\n").split(b"\n"), self.game.reply_lines(ask)
        if max(map(len, lines)) > self.game.reply_cap:
            return self.too_long(f"a line longer than {self.game.reply_cap} bytes")
        if output.count(b"\n") < line_count and not output.endswith(b"\n"):
            return Diagnosis("no-newline", f"{quote(lines[-1])} came without a line feed at its end", self.line_feed())
        if len(lines) == line_count:
            why = self._refusal(ask, lines)
            return None if why is None else self.wrong_answer(ask, why)
        legal, extra = list[bytes](), list[bytes]()
        for line in lines if line_count == 1 else ():
            (legal if self._refusal(ask, [line]) is None else extra).append(line)
        if legal and extra:
            return Diagnosis(
                "debug-print",
                f"beside its answer {quote(legal[-1])} it wrote {quote(extra[0])} to stdout",
                f"stdout is for answers alone. {self.to_stderr()}",
            )
        start = ", ".join(quote(line, 40) for line in lines[:4]) + (", …" if len(lines) > 4 else "")
        return Diagnosis(
            "wrong-number-of-lines",
            f"it wrote {counted(len(lines), 'line')}, and the answer has {line_count}: {start}",
            "Read all lines of a request before you answer, and answer each request once, with exactly as many lines as the "
            f"rules say (`referee rules {self.game.name}`). {self.to_stderr()}",
        )

    def wrong_answer(self, ask: str, why: str) -> Diagnosis:
        """An answer that the game refused, with its reason."""
        change = (
            "Answer with a name of at most 32 characters, without control characters."
            if ask == "getName"
            else f"Answer as the rules say (`referee rules {self.game.name}`), and with nothing else."
        )
        return Diagnosis("wrong-answer", why, f"{change} {self.to_stderr()}")

    def ended(self, how: str, *, answers: int | None, log: Sequence[str], memory: int | None) -> Diagnosis:
        """A process that ended too early, or with an error.

        Args:
            how: how it ended in the referee's words, such as `exited with status 1`.
            answers: how many answers it had given; None for a process that lives for one turn.
            log: the last lines of the bot's stderr, `advice.LINES` of them.
            memory: its limit in bytes; None without a sandbox.
        """
        after = (
            "" if answers is None else f" after {counted(answers, 'answer')}" if answers else " before its first answer"
        )
        last = f"; on stderr it says: {shorten(advice.most_telling_line(log).expandtabs(), WIDTH)}" if log else ""
        if how == "exited with status 0":
            return Diagnosis(
                "ended-early",
                f"it ended by itself, with status 0,{after}{last}",
                "Answer request after request in a loop, until your input ends. A match does not say how many requests there are."
                if answers != 0
                else "Does it call its main function, or `run` of the SDK? Then answer request after request, until your input "
                "ends.",
            )
        signal = re.search(r"SIG[A-Z0-9]+", how)
        change = _SIGNALS.get(signal[0], "") if signal else ""
        change += "Run it in a debugger, which shows the line: see `referee help bots`. Or let it write to stderr what it does."
        if advice.names_place(log):
            change = "Its stderr names the place in your program."
        elif memory is not None:
            change += f" {advice.SILENT}"
        if memory is not None and log:
            whole_folder = self.bot.files is None
            change = advice.advise(log, memory=memory, beside=neighbours(self.bot), whole_folder=whole_folder) or change
        return Diagnosis("crash", f"it {how.removeprefix('it ')}{after}{last}", change)

    def may_stay(self) -> str:
        """Advice for an author who wrote a bot that stays, in a game that also starts bots for a turn."""
        if "game" not in self.game.lifetimes:
            return ""
        return ' To stay and read named requests instead, write lifetime = "game" into its bot.toml.'

    def waiting(self, log: Sequence[str], *, first: str = "") -> str:
        """Advice for a bot that neither answers nor computes, after `first` unless its log names an error."""
        if advice.names_error(log):
            return (
                "Its stderr names an error. If that ended the thread that answers, other threads keep the process alive: end "
                "them, too."
            )
        return (
            f"{first}Does it know this request? Compare its name without the line end, and count the lines that you read: "
            f"{self.idioms.read}. Or look for a sleep, a lock, or a thread that is waited for."
        )

    def line_feed(self) -> str:
        """Advice for a bot whose answer has no end."""
        return f"End each answer with a line feed (\\n; \\r alone is not one) and flush it: {self.idioms.flush}."

    def to_stderr(self) -> str:
        """Advice for a bot that writes to stdout something that is not an answer."""
        return f"Messages of your own go to stderr: {self.idioms.log}."

    def _refusal(self, ask: str, lines: Sequence[bytes]) -> str | None:
        """Why the game's codec refuses these lines; None if it accepts them."""
        try:
            self.game.decode(ask, lines)
        except InvalidReply as wrong:
            return str(wrong)
        return None


def over_memory(detail: str) -> Diagnosis:
    """A process that the sandbox ended for its memory, in the referee's words."""
    return Diagnosis("memory", f"it {detail}", "Use less memory, or set a higher limit: --memory SIZE.")


def _ends(lines: list[str]) -> list[str]:
    if len(lines) <= SENT_LINES:
        return lines
    half = SENT_LINES // 2
    return [*lines[:half], f"… {counted(len(lines) - SENT_LINES, 'line')} …", *lines[-half:]]
