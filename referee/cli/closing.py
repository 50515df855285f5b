"""What `referee play` prints at the end: the table, the faults of players, and their last lines on stderr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.bots import Bot
from referee.cli.again import command
from referee.sandbox.limits import Level
from referee.session import MatchConfig, MatchResult

if TYPE_CHECKING:
    from referee.view.console import Terminal


def report(config: MatchConfig, result: MatchResult, again: str) -> dict[str, Any]:
    """The match as `--json` prints it; see `MatchResult.players_of`."""
    outcome = result.outcome
    return {
        "reason": outcome.reason,
        "rounds": outcome.rounds,
        "steps": result.tally.steps,
        "seed": config.seed,
        "isolation": dict(result.isolation),
        "clock": config.time.kind,
        "players": result.players_of(config.bots),
        "digest": result.digest,
        "saved": str(result.saved),
        "again": again,
    }


def print_table(
    terminal: Terminal,
    config: MatchConfig,
    result: MatchResult,
    *,
    names: Sequence[str],
    written: Sequence[Bot],
    words: Sequence[str],
    said: Mapping[int, Sequence[str]],
) -> None:
    """Print the closing table on stdout, then the faults of players with their last lines on stderr and a hint.

    Args:
        names: the names that people see, one for each seat.
        written: the bots before they were built, one for each seat.
        words: the bots as the user named them; seats of the house have none.
        said: what the compilers of bots that forfeit said, by seat.
    """
    # Imported here, after the match, to not delay the first request.
    from referee.cli.faults import check_line, fault_lines, forfeit_lines
    from referee.compliance.diagnosis import Circumstances
    from referee.view.closing_table import closing_rows, print_closing_table

    tally = result.tally
    rows = closing_rows(result.outcome.ranking, names, figures=tally.figures, moves=tally.moves, clocks=result.clocks)
    print_closing_table(
        rows,
        [column.title for column in tally.columns],
        terminal.out,
        used="cpu" if config.time.kind == "cpu" else "time",
        ascii_only=terminal.look.ascii_only,
    )
    for row in rows:
        if fault := config.bots[row.seat].fault:
            print()
            for line in forfeit_lines(row.seat, row.name, fault, said.get(row.seat, ())):
                print(line)
            if row.seat < len(words):
                print(check_line(words[row.seat], config.game, config.isolation))
        elif fault := tally.faults[row.seat]:
            print()
            at = tally.failed_at[row.seat]
            seen = Circumstances(
                ask="" if at is None else at[2],
                answers=tally.moves[row.seat] + (at is not None and at[1] > 0),
                log=result.last_words[row.seat],
                memory=None if config.isolation is Level.NONE else config.limits.memory,
                computed=tally.computed[row.seat],
                total=result.clocks[row.seat].left() == 0,
            )
            for line in fault_lines(
                row.seat,
                row.name,
                fault,
                written[row.seat],
                config.game,
                seen,
                called=words[row.seat] if row.seat < len(words) else None,
                isolation=config.isolation,
                times=tally.failures[row.seat],
                at=at,
            ):
                print(line)
            if at is not None and row.seat < len(words) and result.saved is not None and not written[row.seat].human:
                again = ["ask", words[row.seat], str(result.saved), f"--seat={row.seat + 1}", f"--step={at[0]}"]
                print(f"  ask it again: {command(*again)}")
