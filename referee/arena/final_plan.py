"""How long a final is: rounds in which all bots meet, as many as its places need. Pure.

1. A round has every group of bots once. It is repeated until a bot with the fewest rivals has played about `MATCHES`.
2. The number of groups of k of n bots grows with the k-th power of n. If a round has more than `MOST` matches of a bot, the final
   is no whole round: each bot plays about `MATCHES`, with all rivals about equally often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.tournament.formats.design import fewest, groups
from referee.tournament.words import Rules, seatings

MATCHES: Final = 200
"""Matches of a bot: its percent is then known to about ± 7 (95 %). A version of the ladder may rest after as many."""
MOST: Final = 2 * MATCHES
"""Matches of a bot in one round: a longer one is not played whole."""


class FinalPlan(NamedTuple):
    """The plan of a final.

    Attributes:
        each: the series that each bot plays at least. matches: of all bots. rounds: how often every group meets; None if
            not all do.
    """

    each: int
    matches: int
    rounds: int | None


def final_plan(owners: Sequence[str], rules: Rules) -> FinalPlan:
    """The plan for bots of these owners, at least as many as a match has seats.

    Args:
        owners: of each bot; no two bots of one owner meet.
    """
    series = len(rules.maps) * rules.repeat
    matches = series * len(seatings(range(rules.seats), rules.seatings))
    lap = fewest(owners, rules.seats)
    if lap * matches > MOST:
        meetings = max(1, round(MATCHES / matches))
        total = -(-len(owners) * meetings // rules.seats) * matches
        return FinalPlan(meetings * series, total, None)
    rounds = max(1, round(MATCHES / (lap * matches)))
    total = rounds * groups(owners, rules.seats) * matches
    return FinalPlan(rounds * lap * series, total, rounds)
