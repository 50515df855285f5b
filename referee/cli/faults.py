"""What is said of a player that failed: the verdict, the last it wrote to stderr, and what its author may do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.bots import Bot, beside
from referee.game import Fault, FaultKind
from referee.names import harmless, row_name
from referee.sandbox import advice
from referee.sandbox.limits import Level

LINE_CAP: Final = 300
"""Characters of a line of a log that are shown."""
LAST_WORDS: Final = 6
"""Lines of a disqualified player's log that are shown, see `advice.excerpt`."""


def fault_lines(
    seat: int,
    name: str,
    fault: Fault,
    words: Sequence[str],
    bot: Bot,
    *,
    isolation: Level,
    memory: int,
    times: int = 1,
    at: tuple[int, int, str] | None = None,
) -> Iterator[str]:
    """The lines about one player, harmless.

    Args:
        seat: from 0.
        name: as the player called itself.
        words: the last lines of its stderr: `advice.LINES` are read, `LAST_WORDS` are shown.
        memory: bytes that it may hold.
        times: how often it failed, where it was asked on; `fault` is the last.
        at: the step of the fault: number, round and request.
    """
    often = f", the last of {times} failures" if times > 1 else ""
    where = "" if at is None else f" at {harmless(at[2])}" + (f" in round {at[1]}" if at[1] else "")
    yield f"seat {seat + 1}, {row_name(name)}: {fault.kind.value}{where}{often}: {harmless(fault.detail)}"
    yield from last_words(words)
    if isolation is not Level.NONE and (hint := _hint(fault, words, bot, memory)):
        yield f"  hint: {hint}"


def last_words(words: Sequence[str]) -> Iterator[str]:
    """What a player wrote last to stderr, harmless; nothing where it wrote nothing."""
    if words:
        yield "the last it wrote to stderr:"
        yield from (f"  {line}" for line in advice.excerpt(words, lines=LAST_WORDS, width=LINE_CAP))


def _hint(fault: Fault, words: Sequence[str], bot: Bot, memory: int) -> str | None:
    """What its author may do about a player that failed in a cell."""
    if fault.kind not in {FaultKind.EXIT, FaultKind.TIMEOUT, FaultKind.SANDBOX}:
        return None
    if not words:
        return advice.SILENT if fault.kind is FaultKind.EXIT else None
    listed = bot.files is not None and not bot.trusted
    return advice.advise(words, memory=memory, beside=beside(bot), folder=bot.files is None, listed=listed)
