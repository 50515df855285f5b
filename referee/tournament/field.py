"""The field: which entrant each bot of `tournament.toml` is, and what has changed since the last look. Pure.

1. In a round robin, gauntlet, ladder or comparison, an entrant is a name at one content. An edited bot is a new entrant of the
   same name: it replaces the old one, whose matches count for its rivals only. The number behind a name that several bots have
   is no part of it: it changes when one of them joins or leaves.
2. In swiss, knockout and develobear, an entrant is a *team*: whoever edits or renames its bot keeps its number, points and
   byes. A team is known by its source, the way the file names it; if that is not there any more, by its name. So a team may
   also move its bot, or hand in a ZIP file instead of a folder. If the file names one source several times, names tell them
   apart. A team that left comes back in the same way, unless the bot is that of a team that is there.
3. A team whose new version cannot play stays in the field with the last version that could.
4. In a round robin or gauntlet, the series of a bot that cannot play wait until it can (`missing_entrants`): perhaps only a
   compiler is missing. If the bot leaves the file or is edited, they are void.
5. Changes before the first tour is planned are none. Later ones say from which tour on they hold. In a tour under way, an edited
   team plays with its new version. Whoever joins plays in the next tour.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, Literal, NamedTuple

from referee.text.words import harmless, numbered, unnumbered
from referee.tournament.model import Competitor


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that can play: its name, the digest of its content, its seeding, and how the file names it."""

    name: str
    content: str
    seeding: int | None
    source: str


@dataclass(frozen=True, slots=True)
class Unready:
    """A bot that cannot play.

    Attributes:
        source: how the file names it. why: the reason, with what its compiler said.
        number: of its team, which plays on with its last version; None if it takes no part.
        stray: whether it is only something else that a pattern hits: no bot, or one for another game. It stops nothing.
    """

    name: str
    source: str
    why: str
    number: int | None = None
    stray: bool = False

    def __str__(self) -> str:
        if self.number is None:
            return f"{harmless(self.name)} takes no part"
        return f"{harmless(self.name)} plays on with its last version, because the new one cannot play"

    @property
    def reason(self) -> str:
        """The first line of `why`."""
        return self.why.splitlines()[0]

    @property
    def line(self) -> str:
        """What is said of it while a tournament runs."""
        return f"{self}: {self.reason}"


class Field(NamedTuple):
    """All entrants by number, those that left too, and the bots that cannot play."""

    entrants: Sequence[Competitor]
    unready: Sequence[Unready]


@dataclass(frozen=True, slots=True)
class Change:
    """What has happened to an entrant.

    Attributes:
        tour: the first tour for which it holds, from 0. number, name: the entrant's.
        before: the name of a renamed bot, the content of an edited one. replaces: the number of the entrant that it replaces.
    """

    tour: int
    number: int
    name: str
    change: Literal["joined", "late", "left", "edited", "renamed"]
    before: str | None = None
    replaces: int | None = None

    def __str__(self) -> str:
        name, since = harmless(self.name), f"from tour {self.tour} on"
        if self.replaces is not None:
            old = f"the matches of entrant {self.replaces} count for its rivals only"
            return f"{name} was edited: it is entrant {self.number} {since}, and {old}"
        says = {
            "joined": f"{name} takes part {since}",
            "late": f"{name} joined too late to play, and ranks last",
            "left": f"{name} does not take part {since}",
            "edited": f"{name} was edited: its new version plays {since}",
            "renamed": f"{harmless(self.before or '')} is called {name} {since}",
        }
        return says[self.change]


_BOT: Final[Sequence[Callable[[Any], object]]] = (
    lambda bot: (bot.source, bot.content, unnumbered(bot.name)),
    lambda bot: (bot.name, bot.content),
)
"""What a bot and its entrant have in common, the surest first."""
_TEAM: Final[Sequence[Callable[[Any], object]]] = (
    lambda bot: (unnumbered(bot.source), bot.name),
    lambda bot: bot.source,
    lambda bot: None if isinstance(bot, Unready) and bot.stray else bot.name,
)
"""What a bot and its team have in common, the surest first."""


def admit(
    before: Sequence[Competitor], candidates: Sequence[Candidate], unready: Sequence[Unready], *, teams: bool
) -> Field:
    """The field from now on.

    Args:
        before: all entrants so far, by number. candidates, unready: the bots of the file, in its order.
        teams: whether entrants are teams (point 2).
    """
    number_of = _numbers(before, [*candidates, *unready], _TEAM) if teams else _numbers(before, candidates, _BOT)
    known = {number_of.get(bot.source) for bot in candidates}
    entrants = [replace(old, present=False) if old.present and old.number not in known else old for old in before]
    for bot in candidates:
        number = number_of.get(bot.source, len(entrants))
        entrants[number : number + 1] = [Competitor(number, bot.name, bot.content, bot.seeding, True, bot.source)]
    return Field(entrants, [_staying(bot, number_of, entrants) if teams else bot for bot in unready])


def missing_entrants(field: Field) -> set[int]:
    """The numbers of the entrants that left because their bots cannot play."""
    sources = {bot.source for bot in field.unready}
    return {entrant.number for entrant in field.entrants if not entrant.present and entrant.source in sources}


def changes(
    before: Sequence[Competitor],
    after: Sequence[Competitor],
    tour: int,
    *,
    planned: int,
    back: int | None = None,
    closed: bool = False,
    late: Collection[int] = (),
) -> Iterator[Change]:
    """What has changed between two fields.

    Args:
        tour: the first one with matches that are not played yet. planned: the number of tours whose groups are planned already.
        back: the first tour in which an entrant that comes back plays, if it also plays in those that are planned (point 4).
        closed: whether a new entrant is too late to play. late: the numbers of those that were.
    """
    there = {old.number: old for old in before if old.present}
    left = {old.name: old for old in there.values() if not after[old.number].present}
    for new in [entrant for entrant in after if entrant.present]:
        if (old := there.get(new.number)) is not None:
            if new.name != old.name:
                yield Change(tour, new.number, new.name, "renamed", old.name)
            if new.content != old.content:
                yield Change(tour, new.number, new.name, "edited", old.content)
        elif (replaced := left.pop(new.name, None)) is not None:
            yield Change(planned, new.number, new.name, "edited", replaced.content, replaced.number)
        else:
            is_new = new.number >= len(before)
            is_late = closed and (is_new or new.number in late)
            since = planned if is_new or back is None else back
            yield Change(since, new.number, new.name, "late" if is_late else "joined")
    for old in left.values():
        yield Change(tour, old.number, old.name, "left")


def _staying(bot: Unready, teams: Mapping[str, int], entrants: list[Competitor]) -> Unready:
    """A bot that cannot play, with its team in the field if there is one (point 3)."""
    if bot.source not in teams:
        return bot
    team = entrants[teams[bot.source]]
    name = numbered(team.name, {entrant.name for entrant in entrants if entrant.present})
    entrants[team.number] = replace(team, name=name, present=True, source=bot.source)
    return replace(bot, name=name, number=team.number, stray=False)


def _numbers(
    before: Sequence[Competitor], bots: Sequence[Candidate | Unready], keys: Sequence[Callable[[Any], object]]
) -> dict[str, int]:
    """The number of each bot's entrant by the bot's source, if it has one. Entrants that are there go before those that left."""
    number_of: dict[str, int] = {}
    for present, key in product((True, False), keys):
        unknown = [bot for bot in bots if bot.source not in number_of]
        if not unknown:
            break
        in_use = set(number_of.values())
        numbers = {key(old): old.number for old in before if old.present == present and old.number not in in_use}
        for bot in unknown:
            if (number := numbers.pop(key(bot), None)) is not None:
                number_of[bot.source] = number
    return number_of
