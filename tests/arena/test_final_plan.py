"""How many matches a final has."""

from __future__ import annotations

import pytest
from tournament.formats.rehearsal import groups, meetings_of_each, run

from referee.arena.final_plan import MATCHES, MOST, final_plan
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.words import Competitor, Rules


def owned(*bots: int) -> list[Competitor]:
    """So many bots of each owner."""
    names = [f"owner{owner}/bot{bot}" for owner, count in enumerate(bots) for bot in range(count)]
    return [Competitor(number, name, name) for number, name in enumerate(names)]


@pytest.mark.parametrize(
    ("bots", "rules", "whole"),
    [
        ([1, 1], Rules(1, 2, ("a",)), True),
        ([2, 2, 1], Rules(1, 2, ("a",)), True),  # 528 matches, as the manual says
        ([2, 2, 1], Rules(1, 2, ("a", "b", "c"), "one", repeat=2), True),
        ([1] * 9, Rules(1, 4, ("a",)), True),
        ([1] * 12, Rules(1, 4, ("a",)), False),
        ([3] * 12, Rules(1, 4, ("a", "b")), False),
        ([3] * 30, Rules(1, 2, ("a", "b", "c")), False),
        ([1] * 9, Rules(1, 4, ("a",), "all"), False),
    ],
)
def test_each_bot_plays_about_200_matches_and_the_number_of_all_is_known(bots: list[int], rules: Rules, whole: bool):
    field = owned(*bots)
    plan = final_plan([entrant.owner for entrant in field], rules)
    (tour,) = run(RoundRobin(rules, each=plan.each), field)
    assert (plan.rounds is not None) == whole
    assert tour.matches == plan.matches
    each = meetings_of_each(groups([tour]), range(len(field)))
    least = min(each) * len(tour.series[0].seatings)
    assert 2 / 3 * MATCHES <= least <= MOST
    if plan.rounds is not None:
        assert len({tuple(sorted(group)) for group in groups([tour])}) * plan.rounds * len(
            rules.maps
        ) * rules.repeat == len(tour.series)
