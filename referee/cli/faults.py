"""What is printed about a player that failed: the fault, its last lines on stderr, and what its author should change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.bots import Bot
from referee.cli.again import command, game_words
from referee.compliance.diagnosis import UNBUILT, Circumstances, by_fault
from referee.contract.game import Fault, Game
from referee.sandbox import advice
from referee.sandbox.limits import Level
from referee.text.words import harmless, row_name

LINE_CAP: Final = 300
"""The most characters of a line of a log."""
LAST_WORDS: Final = 6
"""The most lines of a log, as `advice.excerpt` chooses them."""


def fault_lines(
    seat: int,
    name: str,
    fault: Fault,
    bot: Bot,
    game: Game[Any, Any],
    circumstances: Circumstances,
    *,
    word: str = "",
    isolation: Level = Level.FULL,
    times: int = 1,
    at: tuple[int, int, str] | None = None,
) -> Iterator[str]:
    """The lines about one player, escaped.

    Args:
        seat: the seat, from 0.
        name: the player's name.
        bot: the bot before it was built. word: the user's word for it, for the command that checks it; empty for no command.
        circumstances: what is known of the fault. The last `LAST_WORDS` lines of its stderr are shown.
        times: the number of its failures; `fault` is the last one.
        at: the number, the round and the request of the step in which it failed.
    """
    often = f", the last of {times} failures" if times > 1 else ""
    where = "" if at is None else f" at {harmless(at[2])}" + (f" in round {at[1]}" if at[1] else "")
    yield f"seat {seat + 1}, {row_name(name)}: {fault.kind.value}{where}{often}: {harmless(fault.detail)}"
    yield from last_words(circumstances.log)
    if bot.human:
        return
    yield f"  what to change: {harmless(by_fault(fault, bot, game, circumstances).change)}"
    if word:
        yield check_line(word, game, isolation)


def check_line(word: str, game: Game[Any, Any], isolation: Level) -> str:
    """The command that finds out more about a bot, which the user named like this."""
    level = [] if isolation is Level.FULL else [f"--isolation={isolation.value}"]
    return f"  check it: {command('check', word, *game_words(game), *level)}"


def forfeit_lines(seat: int, name: str, fault: Fault, build_output: Sequence[str]) -> Iterator[str]:
    """The lines about a player whose bot could not be built or started, escaped.

    Args:
        seat: the seat, from 0.
        build_output: the output of its compiler, shortened and escaped; empty if nothing was built.
    """
    yield f"seat {seat + 1}, {row_name(name)}: {fault.kind.value}: {harmless(fault.detail)}"
    if build_output:
        yield "the build said:"
        yield from (f"  {line}" for line in build_output)
        yield f"  what to change: {UNBUILT}"


def last_words(words: Sequence[str]) -> Iterator[str]:
    """The last lines that a player wrote to stderr, escaped; none if it wrote nothing."""
    if words:
        yield "its last lines on stderr:"
        yield from (f"  {line}" for line in advice.excerpt(words, lines=LAST_WORDS, width=LINE_CAP))
