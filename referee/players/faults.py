"""What goes wrong in an exchange, as faults: which kind it is (protocol.md, What is a violation), and the words for it.

What a player said is quoted, and shortened: it may be anything.
"""

from __future__ import annotations

from typing import Final

from referee.clock import Clock
from referee.game import Fault, FaultKind
from referee.names import counted, quote
from referee.players.fairness import Watch
from referee.wire import Breach, LineBuffer

END_OF_OUTPUT: Final = "end of output"
"""How the detail of every fault of kind exit begins."""


def unasked(early: bytes) -> Fault:
    """There was output before the request."""
    return Fault(FaultKind.INVALID, f"output that nobody asked for: {quote(early)}")


def ended(partial: bytes) -> Fault:
    """The output ended, with a part of a line at its end."""
    return Fault(FaultKind.EXIT, END_OF_OUTPUT + _unfinished(partial))


def broken(breach: Breach, buffer: LineBuffer, cap: int) -> Fault:
    """A reply of lines that are not to be longer than `cap` bytes is none; `buffer` has what broke it."""
    if breach is Breach.OVERFLOW:
        return Fault(FaultKind.OVERFLOW, f"a line longer than {cap} bytes: {quote(buffer.rest)}")
    return Fault(FaultKind.INVALID, f"output behind the answer that nobody asked for: {quote(buffer.rest)}")


def late(clock: Clock, watch: Watch, unsent: bytes, partial: bytes) -> Fault:
    """The time of one answer is up, with a part of the request unsent and a part of a line there."""
    why = clock.why(watch.stopwatch.limit)
    if watch.alone:
        why += (
            f"; it was kept from running for {watch.stopwatch.stolen:.1f} s more, and so the other players were stopped"
        )
    if unsent:
        why += f"; it left {counted(len(unsent), 'byte')} of the request unread"
    return Fault(FaultKind.TIMEOUT, why + _unfinished(partial))


def spent(clock: Clock) -> Fault:
    """The time of all answers together is up."""
    return Fault(FaultKind.TIMEOUT, clock.why_total())


def _unfinished(partial: bytes) -> str:
    return f"; there was {quote(partial)} without a line feed" if partial else ""
