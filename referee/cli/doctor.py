"""`referee doctor`: whether this machine can isolate players, what else it has, and how to fix what is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from referee.cli.options import Ascii, Color, Json, print_json

if TYPE_CHECKING:
    from rich.text import Text

    from referee.cli.machine import LevelTest, MachineReport
    from referee.sandbox.limits import Limits


def doctor(*, json: Json = False, color: Color = "auto", ascii: Ascii = False) -> int:  # noqa: A002
    """Test what this machine can enforce, and say how to fix the rest.

    A hostile program attacks from inside a sandbox, at level full and at level reduced. Then limits, clocks and languages are
    checked. The exit code is 0 if level full can be enforced, and 1 otherwise.
    """
    from referee.cli.machine import examine
    from referee.cli.running import run
    from referee.terminal.console import open_terminal

    if not json:
        print("trying the isolation …", file=sys.stderr)
    report = run(examine)
    if json:
        print_json(as_json(report))
    else:
        terminal = open_terminal(color=color, ascii_only=ascii)
        marks = ("ok", "no", "- ") if terminal.look.ascii_only else ("✓", "✗", "–")
        for line in lines(report, marks):
            terminal.out.print(line, soft_wrap=True)  # not wrapped, because users copy the commands
    return 0 if report.full.holds else 1


def as_json(report: MachineReport) -> dict[str, Any]:
    """The report as one document."""
    return {
        "holds": report.full.holds,
        "full": _trial_json(report.full),
        "reduced": _trial_json(report.reduced),
        "limits": asdict(report.limits),
        "machine": [asdict(finding) for finding in report.machine],
        "languages": [asdict(language) for language in report.languages],
        "fix": report.fixes,
    }


def lines(report: MachineReport, marks: tuple[str, str, str]) -> Iterator[Text]:
    """The report for people; `marks` are for good findings, bad ones, and missing languages."""
    from rich.text import Text

    line = Text.assemble

    def mark(ok: bool) -> tuple[str, str]:
        return (marks[0], "green") if ok else (marks[1], "red")

    for trial in (report.full, report.reduced):
        yield line(mark(trial.holds), f" isolation {trial.level.value}: ", *_verdict(trial))
    if trials := [trial for trial in (report.full, report.reduced) if trial.attempts]:
        yield line()
        heads = "".join(f"{trial.level.value:<30}" for trial in trials)
        yield line((f"{'what a player tried':<42}{heads}".rstrip(), "bold"))
        for number, attempt in enumerate(max(trials, key=lambda trial: len(trial.attempts)).attempts):
            cells = "".join(f"{_outcome(trial, number):<30}" for trial in trials)
            yield line(f"  {attempt.attack:<40}{cells}".rstrip())
    yield line()
    yield line(("limits of a player", "bold"), f"  {_limits(report.limits)}")
    yield line()
    yield line(("machine", "bold"))
    for finding in report.machine:
        yield line("  ", mark(finding.ok), f" {finding.name:<25}{finding.text}")
    yield line()
    yield line(("languages", "bold"))
    for language in report.languages:
        says = language.version if language.program else f"not found: sudo apt install {language.package}"
        yield line("  ", mark(True) if language.program else marks[2], f" {language.language:<25}{says}")
    if report.fixes:
        yield line()
        yield line(("to fix", "bold"))
        for text in report.fixes:
            yield line(f"  {text}")


def _verdict(trial: LevelTest) -> tuple[str | tuple[str, str], ...]:
    if not trial.holds:
        return (("DOES NOT HOLD", "bold red"), f"  {trial.why}")
    refused = sum(attempt.refused for attempt in trial.attempts)
    parts = ", ".join(f"{name} by {how}" for name, how in trial.parts.items())
    return (("HOLDS", "bold green"), f"  {refused} of {len(trial.attempts)} attacks refused; {parts}")


def _outcome(trial: LevelTest, number: int) -> str:
    from referee.sandbox.probing.probe import NOT_PROMISED

    if number >= len(trial.attempts):
        return "not reached"
    attempt = trial.attempts[number]
    if not attempt.refused:
        return "worked, not promised" if attempt.attack in NOT_PROMISED[trial.level] else "WORKED"
    return attempt.by


def _limits(limits: Limits) -> str:
    return (
        f"{limits.memory >> 20} MiB of memory, {limits.threads} threads, {limits.files} open files, "
        f"{limits.cpu} s of CPU time at least, no files written, no other processes"
    )


def _trial_json(trial: LevelTest) -> dict[str, Any]:
    attempts = [asdict(attempt) for attempt in trial.attempts]
    return {"holds": trial.holds, "why": trial.why, "parts": dict(trial.parts), "attempts": attempts}
