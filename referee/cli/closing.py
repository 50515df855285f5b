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
from referee.match.tally import SeatResult
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
            lines = forfeit_lines(row.seat, row.name, seat.bot.fault, seat.output)
        elif played.fault is not None:
            lines = fault_lines(
                row.seat, row.name, played.fault, seat.written, config.game, _circumstances(config, played), when=_when(played)
            )  # fmt: skip
        else:
            continue
        print("", *lines, sep="\n")
        if not seat.word or seat.bot.human:
            continue
        print(check_line(seat.word, config.game, config.isolation))
        at = None if seat.bot.fault is not None else played.failed_at
        if at is not None and result.saved is not None:
            again = ["ask", seat.word, str(result.saved), f"--seat={row.seat + 1}", f"--step={at.step}"]
            print(f"  ask it again: {command(*again)}")


def _circumstances(config: MatchConfig, played: SeatResult) -> Circumstances:
    at = played.failed_at
    return Circumstances(
        ask="" if at is None else at.ask,
        answers=played.moves + (at is not None and at.round > 0),
        log=played.last_words,
        memory=None if config.isolation is Level.NONE else config.limits.memory,
        computed=played.computed,
        total=played.clock.left() == 0,
    )


def _when(played: SeatResult) -> str:
    """When a seat failed, in words, and how often if more than once."""
    at, failures = played.failed_at, played.failures
    where = "" if at is None else f" at {harmless(at.ask)}" + (f" in round {at.round}" if at.round else "")
    return where + (f", the last of {failures} failures" if failures > 1 else "")


def fault_lines(
    seat: int, name: str, fault: Fault, bot: Bot, game: Game[Any, Any], circumstances: Circumstances, *, when: str = ""
) -> Iterator[str]:
    """The lines about one player, escaped.

    Args:
        seat: the seat, from 0.
        name: the player's name.
        bot: the bot before it was built.
        circumstances: what is known of the fault. The last `LAST_WORDS` lines of its stderr are shown.
        when: when it failed, in words.
    """
    yield f"seat {seat + 1}, {row_name(name)}: {fault.kind.value}{when}: {harmless(fault.detail)}"
    yield from last_words(circumstances.log)
    if not bot.human:
        yield f"  what to change: {harmless(by_fault(fault, bot, game, circumstances).change)}"


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
