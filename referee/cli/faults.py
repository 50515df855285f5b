"""What is printed about a player that failed: the fault, its last lines on stderr, and a hint for its author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.bots import Bot, beside
from referee.game import Fault, FaultKind
from referee.names import harmless, row_name
from referee.sandbox import advice
from referee.sandbox.limits import Level

LINE_CAP: Final = 300
"""The most characters of a line of a log."""
LAST_WORDS: Final = 6
"""The most lines of a log, as `advice.excerpt` chooses them."""


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
    """The lines about one player, escaped.

    Args:
        seat: from 0.
        name: the player's name.
        words: the last lines of its stderr, of which `LAST_WORDS` are shown.
        memory: its limit in bytes.
        times: the number of its failures; `fault` is the last one.
        at: number, round and request of the step of the fault.
    """
    often = f", the last of {times} failures" if times > 1 else ""
    where = "" if at is None else f" at {harmless(at[2])}" + (f" in round {at[1]}" if at[1] else "")
    yield f"seat {seat + 1}, {row_name(name)}: {fault.kind.value}{where}{often}: {harmless(fault.detail)}"
    yield from last_words(words)
    if isolation is not Level.NONE and (hint := _hint(fault, words, bot, memory)):
        yield f"  hint: {hint}"


def forfeit_lines(seat: int, name: str, fault: Fault, said: Sequence[str]) -> Iterator[str]:
    """The lines about a player whose bot could not be built or started, escaped.

    Args:
        seat: from 0.
        said: what its compiler said, shortened and escaped; empty if nothing was built.
    """
    yield f"seat {seat + 1}, {row_name(name)}: {fault.kind.value}: {harmless(fault.detail)}"
    if said:
        yield "the build said:"
        yield from (f"  {line}" for line in said)


def last_words(words: Sequence[str]) -> Iterator[str]:
    """The last lines that a player wrote to stderr, escaped; none if it wrote nothing."""
    if words:
        yield "its last lines on stderr:"
        yield from (f"  {line}" for line in advice.excerpt(words, lines=LAST_WORDS, width=LINE_CAP))


def _hint(fault: Fault, words: Sequence[str], bot: Bot, memory: int) -> str | None:
    """A hint for the author of a player that failed in a cell."""
    if fault.kind not in {FaultKind.EXIT, FaultKind.TIMEOUT, FaultKind.SANDBOX}:
        return None
    if not words:
        return advice.SILENT if fault.kind is FaultKind.EXIT else None
    listed = bot.files is not None and not bot.trusted
    return advice.advise(words, memory=memory, beside=beside(bot), folder=bot.files is None, listed=listed)
