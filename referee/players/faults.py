"""The faults of an exchange: their kinds (protocol.md, What is a violation) and their messages.

A player's output is quoted and shortened, because it may contain anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from referee.contract.clock import Clock
from referee.contract.game import Fault, FaultKind
from referee.players.fairness import Watch
from referee.players.wire import Breach, LineBuffer
from referee.text.words import counted, quote

END_OF_OUTPUT: Final = "end of output"
"""How the detail of every fault of kind exit begins."""
UNASKED: Final = "output"
"""How the detail of a fault for unasked output begins. No codec's message begins like this."""
UNFINISHED: Final = "without a line feed"
"""How the detail ends if the output ended with an unfinished line."""
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')


def unasked(output: bytes, answer: Sequence[bytes] | None) -> Fault:
    """The player wrote output that no request asked for.

    Its author may see the answer in this output, and a message in the line that was taken as the answer. So both are quoted.

    Args:
        answer: the lines that were taken as the player's last answer; None if it has given none.
    """
    after = "" if answer is None else " after the answer " + quote(b"\n".join(answer)) + ","
    return Fault(FaultKind.INVALID, f"{UNASKED}{after} without a request: {quote(output)}")


def is_unasked(fault: Fault) -> bool:
    """Whether the fault is output that no request asked for."""
    return fault.kind is FaultKind.INVALID and fault.detail.startswith(UNASKED)


def ended(partial: bytes) -> Fault:
    """The output ended, possibly with an unfinished line."""
    return Fault(FaultKind.EXIT, END_OF_OUTPUT + _unfinished(partial))


def broken(breach: Breach, buffer: LineBuffer, cap: int) -> Fault:
    """The reply breaks the form: a line of more than `cap` bytes, or output after the answer. `buffer` has that output."""
    if breach is Breach.OVERFLOW:
        return Fault(FaultKind.OVERFLOW, f"a line longer than {cap} bytes: {quote(buffer.rest)}")
    return unasked(buffer.rest, buffer.lines)


def late(watch: Watch, unsent: bytes, partial: bytes) -> Fault:
    """The time of one answer is used up, possibly with an unread part of the request and an unfinished line."""
    limit = watch.stopwatch.limit
    why = watch.clock.why(limit)
    if watch.stuck > limit / 2:
        why += f"; for {watch.stuck:.1f} s it did not run but waited in the kernel, as for a disk"
    if watch.alone:
        stolen = watch.stopwatch.stolen
        why += f"; another {stolen:.1f} s do not count: the machine was too busy to run it"
        why += ", so the other players were stopped"
    if unsent:
        why += f"; it left {counted(len(unsent), 'byte')} of the request unread"
    return Fault(FaultKind.TIMEOUT, why + _unfinished(partial))


def spent(clock: Clock) -> Fault:
    """The time of all answers together is used up."""
    return Fault(FaultKind.TIMEOUT, clock.why_total())


def written(fault: Fault) -> str | None:
    """What the player wrote instead of an answer, escaped and cut as the detail quotes it; None if it wrote nothing."""
    is_quoted = fault.kind in (FaultKind.INVALID, FaultKind.OVERFLOW) or UNFINISHED in fault.detail
    texts = _QUOTED.findall(fault.detail) if is_quoted else []
    return texts[-1] if texts else None


def _unfinished(partial: bytes) -> str:
    return f"; there was {quote(partial)} {UNFINISHED}" if partial else ""
