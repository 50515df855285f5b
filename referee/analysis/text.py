"""An explanation as plain text: what happened, where, and the command that shows it.

1. Each statement about a step has a command that shows the step. In a paragraph with several steps, the command shows the first
   one; for the others, change the number.
2. The lines have no markup: terminals and pages show the same. Text from bots is harmless in them.
3. In a text about all seats, each seat has at most ten lines. A text about one seat has all that is worth a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.analysis.commands import UNKNOWN, Commands
from referee.analysis.explanation import MARKS, Explanation
from referee.analysis.seat_text import SIDES, points, seat_lines, signed, times
from referee.contract.ranking import Ranked
from referee.moments.columns import align
from referee.moments.formatting import clean, number
from referee.saved.record import VOID

CHANGES: Final = (2, 8)
"""How many changes of the lead are shown: for all seats, and for one."""
BROKEN_OFF: Final = ("interrupted", VOID)
"""The reasons of matches that did not come to an end."""


def explanation_lines(
    explanation: Explanation, commands: Commands, seat: int | None = None, *, ascii_only: bool = False
) -> list[str]:
    """The lines of an explanation.

    Args:
        seat: the seat to explain, from 0; None for all.
    """
    if not explanation.seats:  # only players of the house
        return [f"{explanation.game.title}: nobody is ranked."]
    brief = seat is None
    lines = [
        *_result(explanation, commands),
        "",
        *_progress(explanation),
        *_sources(explanation),
        "",
        *_lead(explanation, commands, CHANGES[not brief]),
    ]
    for story in explanation.seats:
        if story.seat == seat or brief:
            lines += ["", *seat_lines(explanation, story, commands, brief=brief)]
    if any(f" {UNKNOWN} " in line for line in lines):
        lines += ["", f"{UNKNOWN} stands for the bot of that seat: a saved game does not say where its bots are."]
    return [clean(line, ascii_only) for line in lines]


def _result(explanation: Explanation, commands: Commands) -> Iterator[str]:
    yield f"{explanation.game.title}: {winner(explanation.seats, explanation.reason)}."
    how = "was broken off" if explanation.reason in BROKEN_OFF else "ended"
    where = f"in {explanation.moment(explanation.steps)}" if explanation.steps else "before the first step"
    yield f"The match {how} {where} ({explanation.reason}): {commands.replay(explanation.steps)}"


def winner(ranking: Sequence[Ranked], reason: str) -> str:
    """Who won, or leads in a match that was broken off, and who is next: "Oracle wins with 5 points; Worm is next with 3 points".

    Args:
        ranking: all seats, best first, with the names that people read. It may not be empty.
        reason: why the match ended.
    """
    best = ranking[0]
    *others, last = [ranked.name for ranked in ranking if ranked.rank == best.rank]
    if others:
        return f"{', '.join(others)} and {last} share the first place with {_score(best)}"
    line = f"{best.name} {'leads' if reason in BROKEN_OFF else 'wins'} with {_score(best)}"
    return line + (f"; {ranking[1].name} is next with {_score(ranking[1])}" if len(ranking) > 1 else "")


def _score(ranked: Ranked) -> str:
    """The points of a seat, and whether it was disqualified: then they do not decide its place."""
    return points(ranked.score) + (" (disqualified)" if ranked.disqualified else "")


def _progress(explanation: Explanation) -> list[str]:
    """The points in the course of the match, a line for each seat."""
    rows = [["points after", *(f"{percent} %" for percent in MARKS), "led"]]
    rows += [[story.title, *map(number, story.progress), f"{story.led * 100:.0f} %"] for story in explanation.seats]
    return align(rows, left=(0,))


def _sources(explanation: Explanation) -> list[str]:
    """Where the points came from, a line for each seat: the sum, and in how many events."""
    cells: dict[str, dict[int, str]] = {}
    accounts = [(story.seat, each) for side in SIDES for story in explanation.seats for each in story.accounts.of(side)]
    for seat, account in accounts:
        if account.points:
            often = len(account.bookings)
            text = signed(account.amount) + (f" in {often}" if often != abs(account.amount) else "")
            cells.setdefault(account.what, {})[seat] = text
    begun = any(story.accounts.start for story in explanation.seats)
    if not cells and not begun:
        return []
    rows = [["points from", *["the start"] * begun, *cells]]
    for story in explanation.seats:
        by_source = [texts.get(story.seat, "-") for texts in cells.values()]
        rows.append([story.title, *[number(story.accounts.start)] * begun, *by_source])
    return ["", *align(rows, left=(0,))]


def _lead(explanation: Explanation, commands: Commands, most: int) -> Iterator[str]:
    """How the lead changed, and the turning point."""
    turning = explanation.turning_point
    if turning is None:
        yield "At the end, nobody was in the lead."
    elif turning.step == 0:
        yield f"{explanation.names[turning.seat]} led from the start to the end."
    else:
        yield (
            f"The turning point: {explanation.names[turning.seat]} led from {explanation.moment(turning.step)}, to the end: "
            f"{commands.replay(turning.step)}"
        )
        yield f"  {turning.text or 'the ranking changed'}"
    earlier = [change for change in explanation.leads if turning is None or change.step < turning.step]
    if earlier:
        latest = earlier[-most:]
        often = times(len(earlier))
        last = f"; the last {len(latest)} of them" if len(latest) < len(earlier) else ""
        yield f"Before that, the lead was taken {often}{last}: {commands.replay(latest[0].step)}"
        for change in latest:
            why = f": {change.text}" if change.text else ""
            yield f"  {explanation.moment(change.step)}: {explanation.names[change.seat]} leads{why}"
