"""Tables with ratings: of matches, of saved games, and of a tournament's folder."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from referee.errors import UsageError
from referee.library.matches import Match
from referee.library.saved import SavedGame
from referee.saved.record import VOID
from referee.terminal import tournament_table
from referee.terminal.console import as_text
from referee.text.markup import el, lines
from referee.tournament.figures.rating import ratings
from referee.tournament.figures.sums import Sums
from referee.tournament.figures.table import table
from referee.tournament.model import Competitor, SeatScore, Series, SeriesResult, scores

LOTS: Final = 0
"""The seed of what a lot decides: which series are left out together for an interval, and the order of equals."""


class Standings(list[dict[str, Any]]):
    """A table: a row for each player, best first, with the keys of `table` in `referee tournament table --json`.

    Among them are `rank`, `name`, `matches`, `percent` (of the possible score), `points`, `wins`, `faults`, `rating`, and
    `rating_low` and `rating_high`, the ends of its interval of 95 % (None for few matches). `str(table)` is the table as text; a
    notebook shows it too. `pandas.DataFrame(table)` takes it as it is.
    """

    @override
    def __str__(self) -> str:
        wide = tournament_table.WIDE
        return as_text(lambda console: console.print(tournament_table.table(self, wide)), wide)

    def _repr_html_(self) -> str:
        return el("pre", lines(str(self).splitlines()))


def rate(results: Iterable[Match | SavedGame] | str | Path) -> Standings:
    """The table of several matches, with ratings.

    >>> def waits(request):
    ...     return "N"
    >>> def eats(request):
    ...     return "R"
    >>> matches = [referee.play([waits, eats], map="duel", rounds=9, seed=seed) for seed in range(3)]
    >>> [(row["name"], row["matches"]) for row in referee.rate(matches)]
    [('eats', 3), ('waits', 3)]

    Two bots with the same name (`Match.bots`) count as one. A bot that is rated 100 higher is expected to take 64 % of the score
    against the other. Matches of the same bots with the same seed count as one series, from several seats. Void matches are left
    out.

    Args:
        results: matches and saved games of one game; or the folder of a tournament.

    Raises:
        UsageError: the matches are not of one game, or one has no result; or it is not the folder of a tournament.
    """
    if isinstance(results, (str, Path)):
        from referee.tournament.tournament import Tournament

        with Tournament(Path(results)) as tournament:
            return Standings(tournament.table()["table"])
    games = list(results)
    for game in games:
        if not isinstance(game, (Match, SavedGame)):
            raise UsageError(f"results must be matches and saved games, not {game!r:.80}: referee.load opens a file")
    games = [game for game in games if game.reason != VOID]
    if len(names := sorted({game.game.name for game in games})) > 1:
        raise UsageError(f"these are matches of {' and '.join(names)}: rate those of one game")
    numbers: dict[str, int] = {}
    by_seed: dict[tuple[tuple[int, ...], int], list[tuple[SeatScore, ...]]] = {}
    for game in games:
        match = _match(game, numbers)
        by_seed.setdefault((tuple(sorted(seat.number for seat in match)), game.seed), []).append(match)
    field = [Competitor(number, name, "") for name, number in numbers.items()]
    series = [_series(group, seed, matches) for (group, seed), matches in by_seed.items()]
    unit = lcm(*(len(result.matches[0]) - 1 for result in series))
    sums = Sums.of(series, rng_seed=LOTS, unit=unit)
    return Standings(table(field, sums, ratings=ratings(field, sums, seats=sums.unit + 1)))


def _match(game: Match | SavedGame, numbers: dict[str, int]) -> tuple[SeatScore, ...]:
    """The result of each ranked seat. Names that are new get a number."""
    if game.reason in (None, "interrupted"):
        raise UsageError(f"{game!r} has no result: leave it out")
    ranking = sorted(game.ranking, key=lambda line: line.seat)
    return tuple(
        SeatScore(
            numbers.setdefault(game.bots[line.seat], len(numbers)), line.rank, score, line.score, line.disqualified
        )
        for line, score in zip(ranking, scores([line.rank for line in ranking]), strict=True)
    )


def _series(group: tuple[int, ...], seed: int, matches: list[tuple[SeatScore, ...]]) -> SeriesResult:
    seatings = tuple(tuple(seat.number for seat in match) for match in matches)
    return SeriesResult(Series(",".join(map(str, group)), "", seed, seatings), tuple(matches))
