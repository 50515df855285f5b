"""What is wrong with a program that ended while it was to play: from its status, its answers until then and its last words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from referee.compliance.diagnosis import Diagnosis
from referee.names import counted, shorten
from referee.sandbox import advice

_SIGNALS: Final[Mapping[str, str]] = {
    "SIGSEGV": "it used memory that is not its own: an index outside of an array, a null pointer, too deep a recursion",
    "SIGBUS": "it used memory that is not there",
    "SIGFPE": "it divided by zero",
    "SIGABRT": "it gave up: an exception that nothing catches, or an assertion that failed",
    "SIGILL": "it ran into an instruction that this processor does not know",
    "SIGXCPU": "it used up all the CPU time that a player may use",
    "SIGSYS": "it did what the sandbox forbids",
    "SIGPIPE": "it wrote where nobody reads",
}
_RUNTIME_ERRORS: Final[Mapping[int, str]] = {
    100: "read past the end of its input",
    106: "read a number where there was none",
    200: "division by zero",
    201: "range check",
    202: "stack overflow",
    203: "heap overflow",
    204: "invalid pointer",
    215: "arithmetic overflow",
    216: "access to memory that is not its own",
    217: "an exception that nothing catches",
}
"""What the run-time library of Free Pascal means by its exit statuses."""


def ended(how: str, *, answers: int | None, log: Sequence[str], language: str | None, advised: str | None) -> Diagnosis:
    """A program that ended too early, or badly.

    Args:
        how: the referee's words, such as `exited with status 1`.
        answers: how many it had given by then; None of one that lives for an answer.
        log: the last lines of its stderr, `advice.LINES` of them.
        advised: by the sandbox, for what a cell forbids.
    """
    after = "" if answers is None else f" after {counted(answers, 'answer')}" if answers else " before its first answer"
    last = f"; on stderr it says: {shorten(advice.telling(log).expandtabs(), 160)}" if log else ""
    if how == "exited with status 0":
        return Diagnosis(
            "ended-early",
            f"it ended by itself, with status 0,{after}{last}",
            "Answer request after request in a loop, until your input ends (end of file). A match does not say how many "
            "requests there will be.",
        )
    if "closed its output" in how:
        return Diagnosis("closed-output", f"{how},{after}", "Leave stdout open until your input ends.")
    signal = re.search(r"SIG[A-Z0-9]+", how)
    meaning = _SIGNALS.get(signal[0], "") if signal else _runtime_error(how, language)
    says = f"it {how.removeprefix('it ')}{after}" + (f": {meaning}" if meaning else "") + last
    change = advised or (
        "Look at its stderr below for the place in your program."
        if log
        else "Run it in a debugger with the request below, or let it write to stderr what it does."
    )
    return Diagnosis(
        "crash", says, f"Your program must get through this without ending. {change}" if answers else change
    )


def _runtime_error(how: str, language: str | None) -> str:
    status = re.search(r"status (\d+)", how)
    if language != "pascal" or status is None or int(status[1]) not in _RUNTIME_ERRORS:
        return ""
    return f"Pascal's runtime error {status[1]}, {_RUNTIME_ERRORS[int(status[1])]}"
