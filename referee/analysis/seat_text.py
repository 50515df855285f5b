"""What a match was for one seat, as lines of text: faults, gains, losses, turns that came to nothing, and time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil
from typing import Final

from referee.analysis.accounts import Account, Side, Stretch, bookings_of, largest
from referee.analysis.commands import Commands
from referee.analysis.explanation import Explanation, SeatStory
from referee.contract.clock import seconds
from referee.moments.formatting import lapse, number
from referee.text.words import counted, harmless, one_of, shorten

SIDES: Final[Sequence[Side]] = ("gain", "loss")
FEW: Final = 2
MANY: Final = 5
"""How many of the largest gains, losses and reasons are shown: for all seats, and for one."""
RIVALS: Final = 3
"""The most rivals of an account that are named."""
NEAR: Final = 0.5
"""From this part of a limit on, a seat was near it."""
DETAIL_LENGTH: Final = 300
"""The most characters of a fault's detail."""


def seat_lines(explanation: Explanation, story: SeatStory, commands: Commands, *, brief: bool) -> Iterator[str]:
    """The paragraph about a seat."""
    out = f", disqualified: {story.disqualified}" if story.disqualified else ""
    figures = ", ".join(f"{title} {figure}" for title, figure in story.figures.items() if figure != "-")
    yield (
        f"Seat {story.title}: {explanation.rank(story)}, {points(story.score)}{out}"
        + (f"; at the end: {figures}" if figures else "")
    )
    parts = (
        _failures(explanation, story, commands),
        _gains(explanation, story, commands, FEW if brief else MANY),
        _losses(explanation, story, commands, 0 if brief else MANY),
        _nothing(explanation, story, commands, 0 if brief else MANY),
        _time(explanation, story, commands, brief=brief),
    )
    yield from (f"  {line}" for line in chain(*parts))


def _failures(explanation: Explanation, story: SeatStory, commands: Commands) -> Iterator[str]:
    failures = story.times.failures
    if not failures:
        return
    fault = failures[-1]  # if one of several disqualified it, it was the last
    often = f", the last of {len(failures)} failures" if len(failures) > 1 else ""
    yield f"failed in {explanation.moment(fault.step)}{often}: {commands.ask(story.seat, fault.step)}"
    detail = shorten(harmless(fault.detail), DETAIL_LENGTH)
    yield f"  {harmless(fault.request)}, {fault.kind} after {lapse(fault.seconds)}: {detail}"
    rank = f"rank {fault.place} and " if fault.place else ""
    end = "it was disqualified, and not asked again" if story.disqualified else "it played on"
    yield f"  before that, it had {rank}{points(fault.points)}; {end}"


def _gains(explanation: Explanation, story: SeatStory, commands: Commands, most: int) -> Iterator[str]:
    accounts = story.accounts.of("gain")
    if not accounts:
        yield "gains: none"
        return
    best = largest(bookings_of(accounts), most, explanation.steps)
    yield f"gains: {', '.join(account_text(explanation, account) for account in accounts)}: {commands.replay(best[0].first)}"
    yield from _stretch_lines(explanation, best)


def _losses(explanation: Explanation, story: SeatStory, commands: Commands, most: int) -> Iterator[str]:
    """The losses of a seat, and where the largest of each were."""
    for group in story.accounts.losses():
        best = largest(bookings_of(group), most or 1, explanation.steps)
        losses = ", ".join(account_text(explanation, account) for account in group)
        if not most:
            losses += f", most in {explanation.moment(best[0].first)}" if len(bookings_of(group)) > 1 else ""
        own = best[0].effect.rival is None  # then the request shows why
        yield f"losses: {losses}: {_command(story, commands, best[0].first, ask=own)}"
        yield from _stretch_lines(explanation, best[:most])


def _nothing(explanation: Explanation, story: SeatStory, commands: Commands, most: int) -> Iterator[str]:
    accounts = story.accounts.of("nothing")
    if not accounts:
        return
    total = sum(len(account.bookings) for account in accounts)
    reasons = ", ".join(f"{account.what} {times(len(account.bookings))}" for account in accounts)
    summary = f"{total}" if most else reasons
    first = accounts[0].bookings[0].step
    yield f"turns that came to nothing: {summary}: {_command(story, commands, first, ask=True)}"
    for account in accounts[:most]:
        where = f"{'first ' if len(account.bookings) > 1 else ''}in {explanation.moment(account.bookings[0].step)}"
        yield f"  {account.what} {times(len(account.bookings))}{_rivals(explanation, account)}: {where}"


def _time(explanation: Explanation, story: SeatStory, commands: Commands, *, brief: bool) -> Iterator[str]:
    seat_times, limit = story.times, explanation.time
    slowest = seat_times.slowest()
    # It was not asked, or is a person, who is charged nothing.
    if seat_times.first is None or not seat_times.clock.used:
        return
    nearest = seat_times.nearest()
    near = nearest >= NEAR
    verdict = f"{'near' if near else 'never near'} a limit (at most {ceil(nearest * 100)} % of one)"
    if nearest >= 1:  # a timeout is charged a little more than the limit
        verdict = "reached a limit"
    worst = slowest[0] if slowest else seat_times.first
    yield f"time: {verdict}: {commands.ask(story.seat, worst.step)}"
    if brief and not near:
        return
    if slowest:
        answers = "; ".join(f"{lapse(timed.seconds)} in {explanation.moment(timed.step)}" for timed in slowest)
        yield f"  slowest answers, of {seconds(limit.answer)}: {answers}"
    first = f"first answer {lapse(seat_times.first.seconds)} of {seconds(limit.first)}"
    if limit.total is None:
        yield f"  {first}"
    else:
        cpu = " of CPU time" if limit.kind == "cpu" else ""
        yield f"  {first}; all answers together {lapse(seat_times.clock.used)} of {seconds(limit.total)}{cpu}"


# -- parts of lines ------------------------------------------------------------------------------------------------


def _command(story: SeatStory, commands: Commands, step: int, *, ask: bool) -> str:
    """With `ask`, the command that asks the bot again, if the step asked that seat; otherwise the one that shows the board."""
    return commands.ask(story.seat, step) if ask and story.times.was_asked(step) else commands.replay(step)


def points(value: float) -> str:
    """A score with its unit."""
    return f"{number(value)} {'point' if value == 1 else 'points'}"


def signed(value: float) -> str:
    """A change of points."""
    return f"{'+' if value > 0 else '-'}{number(abs(value))}"


def times(count: int) -> str:
    """How often something happened."""
    return "once" if count == 1 else counted(count, "time")


def account_text(explanation: Explanation, account: Account) -> str:
    """An account in a few words: the sum, how often, and the rivals with the largest part in it."""
    often = len(account.bookings)
    text = f"{account.what} {signed(account.amount)}"
    if not account.points:
        text = f"{number(account.amount)} {account.what if account.amount != 1 else one_of(account.what)}"
    if abs(account.amount) != often:
        text += f" in {counted(often, 'turn')}"
    return text + _rivals(explanation, account)


def _rivals(explanation: Explanation, account: Account) -> str:
    rivals = list(account.rivals().items())[:RIVALS]
    parts = ", ".join(f"{explanation.names[seat]} {number(abs(amount))}" for seat, amount in rivals)
    return f" ({parts})" if parts else ""


def _stretch_lines(explanation: Explanation, stretches: Sequence[Stretch]) -> Iterator[str]:
    """The lines of changes. Single ones that say the same are one line, with their sum."""
    groups: dict[tuple[str, float, int], list[Stretch]] = {}
    for stretch in stretches:
        key = explanation.words(stretch), stretch.amount, 0 if stretch.times == 1 else stretch.first
        groups.setdefault(key, []).append(stretch)
    for (words, amount, _), group in groups.items():
        total = amount * len(group)
        amount_text = signed(total) if group[0].effect.kind == "points" else number(total)
        first, last = group[0].first, group[-1].last
        where = explanation.moment(first) + (f", to {explanation.moment(last)}" if last != first else "")
        often = f", {times(len(group))}" if len(group) > 1 else ""
        yield f"  {amount_text:>4}  {where}: {words}{often}"
