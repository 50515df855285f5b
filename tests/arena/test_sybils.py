"""Who uploads again and again takes no more than a fair share of the seats. The ladder plans all waves; nobody plays.

Without a rule, ten bots that are uploaded again every 8 waves take 34 % of the seats beside 40 others; fair is 20 %.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pytest

from referee.tournament.formats.ladder import Ladder
from referee.tournament.model import Competitor, Results, Rules, Standing, Tour

SEATS, HONEST, WAVES, OFTEN = 4, 40, 320, 8
"""Each bot of the sybils is uploaded again every so many waves."""


@dataclass
class Waves:
    """The past of a ladder of which only the waves are known: all bots are equally strong."""

    planned: tuple[int, int] = (0, 0)
    standings: Mapping[int, Standing] = field(default_factory=dict)
    played: Counter[int] = field(default_factory=Counter)
    tours: Sequence[Tour] = ()
    results: Results = field(default_factory=dict)

    def widths(self, rules: Rules) -> Mapping[int, float]:
        return {}

    def series_of(self, numbers: Collection[int]) -> Mapping[int, int]:
        return {number: self.played[number] for number in numbers}

    def games(self, numbers: Collection[int]) -> Mapping[tuple[int, int], tuple[int, int]]:
        return {}


def share_of_the_honest(sybils: Sequence[str]) -> Fraction:
    """The share of all seats that bots get that are never uploaded again."""
    ladder, past = Ladder(Rules(11, SEATS, ("a",)), ahead=0), Waves()
    names = [*(f"honest{number}/bot" for number in range(HONEST)), *sybils]
    bots = [Competitor(number, name, name) for number, name in enumerate(names)]
    for wave in range(WAVES):
        if wave and wave % OFTEN == 0:
            for old in [bot for bot in bots if bot.present and bot.name in sybils]:
                bots[old.number] = replace(old, present=False)
                bots.append(Competitor(len(bots), old.name, f"{old.name} of wave {wave}"))
        tour = ladder.next_tour(bots, past)
        assert tour is not None
        past.played.update(number for series in tour.series for number in series.numbers)
        past.standings, past.planned = tour.standings, (wave + 1, past.planned[1] + len(tour.series))
    return Fraction(sum(past.played[number] for number in range(HONEST)), past.played.total())


@pytest.mark.parametrize(("sybils", "least"), [
    ([f"sybil{number}/bot" for number in range(10)], Fraction(79, 100)),  # ten accounts: fair is 80 %
    (["sybil/a", "sybil/b", "sybil/c"], Fraction(925, 1000)),  # one user, of whose bots one leads a wave: fair is 93 %
], ids=["ten users", "one user"])  # fmt: skip
def test_the_honest_keep_their_share(sybils: list[str], least: Fraction) -> None:
    assert share_of_the_honest(sybils) >= least
