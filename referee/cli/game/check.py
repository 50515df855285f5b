"""`referee game check`: whether a game keeps the contract, and what its designer must know of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter, validators

from referee.cli.narrator import narrate
from referee.cli.options import Json, Quiet, Whole, print_json
from referee.text.words import counted, harmless

if TYPE_CHECKING:
    from referee.testing.figures import Figures
    from referee.testing.suite import Suite, Verdict

GameName = Annotated[str, Parameter(help="The name of a game, as `referee games` lists it.")]
Record = Annotated[
    Path | None, Parameter(metavar="FILE", help="Its golden record, if that is not `tests/records/NAME.jsonl`.")
]

MOST_ANSWERS: Final = 39
"""More answers than this are not told apart."""
LARGE: Final = 3.0
"""Standard errors from which on a seat is better than the others: chance alone gives so many in one game of a hundred."""


def check(
    name: GameName,
    *,
    record: Record = None,
    matches: Annotated[
        Whole,
        Parameter(
            validator=validators.Number(gte=0), help="Matches for the figures, fewer if they are long; 0 for none."
        ),
    ] = 200,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that a game keeps the contract, and measure it.

    The checks are those of `referee.testing.conformance`, without pytest: a line for each. What the game leaves out is not
    checked. A check that fails says the rule, and the seed and the step that break it. Then matches of random answers are
    played, to measure times, sizes, and whether every seat wins as often. The exit code is 1 if a check fails.
    """
    from referee.testing.suite import Suite

    suite = Suite(name, record)
    verdicts = []
    for verdict in suite.verdicts():
        verdicts.append(verdict)
        if not json and (verdict.outcome == "failed" or not quiet):
            print(_lines(verdict), end="")
    failed = any(verdict.outcome == "failed" for verdict in verdicts)
    figures = _figures(suite, matches, failed=failed)
    if json:
        print_json({
            "game": name, "passed": not failed,
            "record": None if suite.subject.path is None else str(suite.subject.path),
            "checks": [verdict._asdict() for verdict in verdicts],
            "figures": None if figures is None else figures._asdict(),
        })  # fmt: skip
    else:
        measured_lines = () if figures is None else _figure_lines(figures)
        print("", *measured_lines, *_closing_lines(name, verdicts), sep="\n")
    return 1 if failed else 0


def _figures(suite: Suite, matches: int, *, failed: bool) -> Figures | None:
    """The figures of matches of random answers; None if there are none, or if a game with a failed check cannot play them."""
    from referee.match.watchdog import limit_calls
    from referee.testing.figures import measure
    from referee.testing.suite import plays

    if not matches or suite.verdict(plays).outcome != "ok":
        return None
    try:
        with limit_calls(suite.subject.game):
            return measure(suite.subject, matches)
    except (Exception, SystemExit) as raised:  # the game's own
        if not failed:
            raise
        narrate(f"{suite.subject.game.name} cannot be measured: {type(raised).__name__}: {raised}")
        return None


def _lines(verdict: Verdict) -> str:
    """The lines about a check; none if it was not run."""
    detail = harmless(verdict.detail)
    return {
        "ok": f"ok        {verdict.name}: {verdict.rule}\n",
        "failed": f"FAILED    {verdict.name}: {verdict.rule}\n          {detail}\n",
        "left out": f"left out  {verdict.name}: {detail}\n",
    }.get(verdict.outcome, "")


def _closing_lines(name: str, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Which checks were not run, in a line for each reason, and how many had each outcome."""
    reasons: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.outcome == "not run":
            reasons.setdefault(verdict.detail, []).append(verdict.name)
    for reason, names in reasons.items():
        yield f"not run   {', '.join(names)}: {reason}"
    counts = Counter[str](verdict.outcome for verdict in verdicts)
    yield f"{name}: {', '.join(f'{outcome} {count}' for outcome, count in counts.items())}"


def _figure_lines(figures: Figures) -> Iterator[str]:
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(figures.reasons.items()))
    yield f"{counted(figures.matches, 'match', 'matches')} of random answers, {figures.steps:,.0f} steps each"
    yield f"{figures.ended:.0%} ended by the rules: {reasons}"
    yield f"rules: {figures.rules:.1f} µs a step"
    yield f"requests: {figures.request:,.0f} bytes, {figures.encoding:.1f} µs each"
    yield f"saved game of one match: {figures.saved:,} bytes"
    most = " or more" if figures.answers > MOST_ANSWERS else ""
    yield f"choice: {figures.answers:.1f}{most} answers with different consequences"
    shares = ", ".join(f"{share:.0%}" for share in figures.wins)
    verdict = "within chance" if figures.bias < LARGE else "more than chance: some seats are better"
    yield f"wins by seat: {shares}; {figures.bias:.1f} standard errors from fair, {verdict}"
