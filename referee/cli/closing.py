"""What `referee play` prints at the end: the table, the faults of players, and their last lines on stderr."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.cli.again import command
from referee.contract.ranking import Ranked
from referee.match.config import MatchConfig
from referee.match.session import MatchResult
from referee.sandbox.limits import Level

if TYPE_CHECKING:
    from referee.terminal.console import Terminal


def report(config: MatchConfig, result: MatchResult, again: str) -> dict[str, Any]:
    """The match as `--json` prints it; see `MatchResult.players_of`."""
    outcome = result.outcome
    return {
        "game": config.game.name,
        "map": config.map,
        "reason": outcome.reason,
        "rounds": outcome.rounds,
        "steps": result.steps,
        "seed": config.seed,
        "isolation": dict(result.isolation),
        "clock": config.time.kind,
        "players": result.players_of(config.bots),
        "digest": result.digest,
        "saved": str(result.saved),
        "again": again,
    }


def print_table(terminal: Terminal, config: MatchConfig, result: MatchResult, ranking: Sequence[Ranked]) -> None:
    """Print the closing table on stdout, then the faults of players with their last lines on stderr and a hint.

    Args:
        ranking: that of the result, with the names that people see.
    """
    # Imported here, after the match, to not delay the first request.
    from referee.cli.faults import check_line, fault_lines, forfeit_lines
    from referee.compliance.diagnosis import Circumstances
    from referee.terminal.closing_table import print_closing_table

    print_closing_table(
        ranking,
        result.seats,
        [column.title for column in config.game.columns],
        terminal.out,
        used="cpu" if config.time.kind == "cpu" else "time",
        ascii_only=terminal.look.ascii_only,
    )
    for row in ranking:
        seat, how = config.seats[row.seat], result.seats[row.seat]
        if seat.bot.fault is not None:
            print("", *forfeit_lines(row.seat, row.name, seat.bot.fault, seat.output), sep="\n")
            if seat.word:
                print(check_line(seat.word, config.game, config.isolation))
        elif how.fault is not None:
            at = how.failed_at
            circumstances = Circumstances(
                ask="" if at is None else at.ask,
                answers=how.moves + (at is not None and at.round > 0),
                log=how.last_words,
                memory=None if config.isolation is Level.NONE else config.limits.memory,
                computed=how.computed,
                total=how.clock.left() == 0,
            )
            lines = fault_lines(
                row.seat,
                row.name,
                how.fault,
                seat.written,
                config.game,
                circumstances,
                word=seat.word,
                isolation=config.isolation,
                times=how.failures,
                at=at,
            )
            print("", *lines, sep="\n")
            if at is not None and seat.word and result.saved is not None and not seat.bot.human:
                again = ["ask", seat.word, str(result.saved), f"--seat={row.seat + 1}", f"--step={at.step}"]
                print(f"  ask it again: {command(*again)}")
