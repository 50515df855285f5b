"""`referee play -n`: many matches of one line-up, each bot from each seat, and a table: the smallest tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from referee.bots import name_in
from referee.cli.again import command, option_words, play_words, start_words
from referee.cli.narrator import narrate
from referee.cli.options import print_json
from referee.cli.tournament.playing import play
from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import mapfiles
from referee.match.line_up import Options, Start
from referee.terminal import tournament_table
from referee.text.words import shorten
from referee.tournament.drafting import word_for
from referee.tournament.running import RunningTournament
from referee.tournament.settings import BotEntry, MatchSettings, RunSettings, Settings

if TYPE_CHECKING:
    from referee.cli.play_options import ShowOptions


@dataclass(frozen=True, slots=True)
class Series:
    """Many matches of one line-up.

    Attributes:
        bots: the bots as on the command line. matches: the least number of matches; whole rotations are played.
    """

    game: Game[Any, Any]
    bots: Sequence[str]
    matches: int
    start: Start
    options: Options

    def settings(self, folder: Path) -> Settings:
        """The settings of a tournament in this folder: a round robin of one group.

        Raises:
            UsageError: a bot does not exist, or cannot play many matches.
        """
        seats, options, map_name = len(self.bots), self.options, self.start.map
        words = map(name_in, self.bots)
        # The values are checked already, and are not texts of a file that must be read.
        match = MatchSettings.model_construct(
            seats=seats,
            maps=None if map_name is None else [mapfiles.word_for(folder, map_name)],
            rounds=self.start.rounds,
            first=options.first,
            answer=options.answer,
            total=options.total,
            clock=options.clock,
            pondering=options.pondering is not False,
            isolation=options.isolation.value,
            memory=options.memory,
            repeat=-(-self.matches // seats),
        )
        return Settings.model_construct(
            name=shorten(", ".join(Path(word).name for word in self.bots), 60),
            game=self.game.name,
            bots=[],
            bot=[BotEntry.model_construct(path=word_for(folder, rest), name=name) for name, rest in words],
            match=match,
            run=RunSettings.model_construct(rng_seed=self.start.seed, keep="none"),
        )

    @property
    def again(self) -> str:
        """The command that plays the same matches."""
        bots, start = [*self.bots, f"-n{self.matches}"], start_words(self.start.map, self.start.rounds)
        options = option_words(self.game, self.options)
        return command(*play_words(self.game, bots, start=start, seed=self.start.seed, options=options))


def play_series(series: Series, jobs: int | None, show: ShowOptions, *, json: bool) -> None:
    """Play the matches and print the table.

    Args:
        jobs: matches at a time; None for as many as this machine can play at once.

    Raises:
        UsageError: the options contradict each other. NotReady: a bot cannot be built. The errors of `RunningTournament.run`.
    """
    if series.matches == 1:
        raise UsageError("--jobs is for many matches: add -n")
    if len(series.bots) < 2:
        raise UsageError("-n is for two bots or more")
    terminal = show.terminal()
    with TemporaryDirectory(prefix="referee-series-") as path:
        folder = Path(path)
        with RunningTournament(folder, settings=series.settings(folder)) as tournament:
            play(
                tournament,
                jobs=jobs,
                strict=True,
                quiet=show.quiet or json,
                again=series.again,
                intro="again",
            )
            table = tournament.table()
    if json:
        print_json(table)
    else:
        tournament_table.show(table, terminal)
        if not show.quiet:
            narrate(f"again:  {series.again}")
