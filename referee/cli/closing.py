"""What `referee play` says at the end: the table, the last words of whoever was disqualified, the command that plays it again."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.bots import Bot
from referee.cli.tally import Tally
from referee.clock import Clock
from referee.record import VOID
from referee.sandbox.limits import Level

if TYPE_CHECKING:
    from referee.view.console import Terminal


def report(
    *,
    tally: Tally,
    clocks: Sequence[Clock],
    bots: Sequence[str],
    seed: int,
    isolation: Mapping[str, Any],
    saved: Path,
    digest: str,
    again: Sequence[str],
) -> dict[str, Any]:
    """The match as `--json` prints it; times in seconds, `total` in what `clock` counts. In a void match every rank is null."""
    assert tally.outcome is not None
    void = {"rank": None} if tally.outcome.reason == VOID else {}
    players = []
    for ranked in tally.outcome.ranking:
        seat = ranked.seat
        clock, fault = clocks[seat], tally.faults[seat]
        players.append(
            {
                **ranked.as_json(),
                **void,
                "detail": fault.detail if fault else None,
                "failures": tally.failures[seat],
                "bot": bots[seat],
                **{column.title: sums[seat] for column, sums in zip(tally.columns, tally.figures, strict=True)},
                "moves": tally.moves[seat],
                "time": {"total": round(clock.used, 6), "slowest": round(clock.slowest, 6)},
            }
        )
    return {
        "reason": tally.outcome.reason,
        "rounds": tally.outcome.rounds,
        "steps": tally.steps,
        "seed": seed,
        "isolation": dict(isolation),
        "clock": clocks[0].control.kind,
        "players": players,
        "digest": digest,
        "saved": str(saved),
        "again": shlex.join(again),
    }


def print_table(
    terminal: Terminal,
    tally: Tally,
    clocks: Sequence[Clock],
    words: Sequence[Sequence[str]],
    *,
    names: Sequence[str],
    bots: Sequence[Bot],
    isolation: Level,
    memory: int,
) -> None:
    """The closing table on stdout, and below it what the disqualified wrote to stderr last, with advice where a cell did it.

    Args:
        words: the last lines of each seat's stderr, as `fault_lines` takes them.
        names, bots: one a seat, as people know the players and as authors wrote them.
        memory: bytes that a player may hold.
    """
    # Imported after the match: nobody waits for a player's first request meanwhile.
    from referee.cli.faults import fault_lines
    from referee.view.closing_table import ClosingRow, print_closing_table

    assert tally.outcome is not None
    rows = []
    for ranked in tally.outcome.ranking:
        seat = ranked.seat
        clock = clocks[seat]
        rows.append(
            ClosingRow(
                seat=seat,
                rank=ranked.rank,
                name=names[seat],
                points=ranked.score,
                figures=[sums[seat] for sums in tally.figures],
                moves=tally.moves[seat],
                used=clock.used,
                slowest=clock.slowest,
                verdict=f"disqualified: {ranked.disqualified}" if ranked.disqualified else "",
            )
        )
    print_closing_table(
        rows,
        [column.title for column in tally.columns],
        terminal.out,
        used="cpu" if clocks[0].control.kind == "cpu" else "time",
        ascii_only=terminal.look.ascii_only,
    )
    for row in rows:
        if fault := tally.faults[row.seat]:
            print()
            for line in fault_lines(
                row.seat,
                row.name,
                fault,
                words[row.seat],
                bots[row.seat],
                isolation=isolation,
                memory=memory,
                times=tally.failures[row.seat],
            ):
                print(line)


def program() -> str:
    """How the user can call this program again: by name where that finds it, else by its path."""
    called = Path(sys.argv[0])
    if called.name != "referee":
        return "referee"
    found = shutil.which("referee")
    if found is not None and Path(found).resolve() == called.resolve():
        return "referee"
    try:
        return str(called.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(called.resolve())
