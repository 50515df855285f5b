"""The output at the end of a match: the table, and for each player that failed, its fault, its last lines on stderr, and advice
for its author.

This module is imported after the match, so that it does not delay the first request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.bots import Bot
from referee.cli.again import command, game_words
from referee.compliance.diagnosis import UNBUILT, Circumstances, by_fault
from referee.contract.game import Fault, Game
from referee.contract.ranking import Ranked
from referee.match.config import MatchConfig
from referee.match.session import MatchResult
from referee.sandbox import advice
from referee.sandbox.limits import Level
from referee.terminal.closing_table import print_closing_table
from referee.terminal.console import Terminal
from referee.text.words import harmless, row_name

LINE_CAP: Final = 300
"""The most characters of a line of a log."""
LAST_WORDS: Final = 6
"""The most lines of a log, as `advice.excerpt` chooses them."""


def report(config: MatchConfig, result: MatchResult, again: str) -> dict[str, Any]:
    """The match as `--json` prints it; see `MatchResult.players_of`."""
    outcome = result.outcome
    return {
        "game": config.game.name, "map": config.map, "reason": outcome.reason, "rounds": outcome.rounds,
        "steps": result.steps, "seed": config.seed, "isolation": dict(result.isolation), "clock": config.time.kind,
        "players": result.players_of(config.bots), "digest": result.digest, "saved": str(result.saved), "again": again,
    }  # fmt: skip


def print_table(terminal: Terminal, config: MatchConfig, result: MatchResult, ranking: Sequence[Ranked]) -> None:
    """Print the closing table on stdout, then the faults of players with their last lines on stderr and a hint.

    Args:
        ranking: that of the result, with the names that people see.
    """
    titles, used = [column.title for column in config.game.columns], "cpu" if config.time.kind == "cpu" else "time"
    print_closing_table(ranking, result.seats, titles, terminal.out, used=used, ascii_only=terminal.look.ascii_only)
    for row in ranking:
        seat, played = config.seats[row.seat], result.seats[row.seat]
        if seat.bot.fault is not None:
            print("", *forfeit_lines(row.seat, row.name, seat.bot.fault, seat.output), sep="\n")
            if seat.word:
                print(check_line(seat.word, config.game, config.isolation))
        elif played.fault is not None:
            at = played.failed_at
            circumstances = Circumstances(
                ask="" if at is None else at.ask,
                answers=played.moves + (at is not None and at.round > 0),
                log=played.last_words,
                memory=None if config.isolation is Level.NONE else config.limits.memory,
                computed=played.computed,
                total=played.clock.left() == 0,
            )
            lines = fault_lines(
                row.seat, row.name, played.fault, seat.written, config.game, circumstances, word=seat.word,
                isolation=config.isolation, times=played.failures, at=at,
            )  # fmt: skip
            print("", *lines, sep="\n")
            if at is not None and seat.word and result.saved is not None and not seat.bot.human:
                again = ["ask", seat.word, str(result.saved), f"--seat={row.seat + 1}", f"--step={at.step}"]
                print(f"  ask it again: {command(*again)}")


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
