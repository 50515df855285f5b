"""`referee play -n`: many matches of one line-up, each bot from each seat, and a table: the smallest tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from referee.bots import name_in
from referee.cli.again import command, option_words, play_words, start_words
from referee.cli.narrator import narrate, silent
from referee.cli.options import print_json
from referee.cli.tournament.playing import play
from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import mapfiles
from referee.match.line_up import Options, Start, on_map
from referee.terminal import tournament_table
from referee.text.words import shorten
from referee.tournament.drafting import word_for
from referee.tournament.formats.meetings import MOST_SERIES
from referee.tournament.running import RunningTournament
from referee.tournament.settings import BotEntry, MatchSettings, RunSettings, Settings

if TYPE_CHECKING:
    from referee.cli.play_options import ShowOptions


def _settings(
    folder: Path, game: Game[Any, Any], bots: Sequence[str], repeat: int, start: Start, options: Options
) -> Settings:
    """The settings of a tournament in this folder: a round robin of one group.

    Raises:
        UsageError: a bot does not exist, or cannot play many matches.
    """
    # The values are checked already, and are not texts of a file that must be read.
    maps = None if start.map is None else [mapfiles.word_for(folder, start.map)]
    match = MatchSettings.model_construct(
        seats=len(bots), maps=maps, rounds=start.rounds, first=options.first, answer=options.answer, total=options.total,
        clock=options.clock, pondering=options.pondering is not False, isolation=options.isolation.value,
        memory=options.memory, repeat=repeat,
    )  # fmt: skip
    return Settings.model_construct(
        name=shorten(", ".join(Path(word).name for word in bots), 60),
        game=game.name,
        bots=[],
        bot=[BotEntry.model_construct(path=word_for(folder, rest), name=name) for name, rest in map(name_in, bots)],
        match=match,
        run=RunSettings.model_construct(rng_seed=start.seed, keep="none"),
    )


def play_series(
    game: Game[Any, Any],
    bots: Sequence[str],
    matches: int,
    start: Start,
    options: Options,
    *,
    jobs: int | None,
    show: ShowOptions,
    json: bool,
) -> None:
    """Play many matches of one line-up and print the table.

    Args:
        bots: the bots as on the command line.
        matches: the least number of matches; whole rotations are played.
        jobs: matches at a time; None for as many as this machine can play at once.

    Raises:
        UsageError: the options contradict each other. NotReady: a bot cannot be built. The errors of `RunningTournament.run`.
    """
    if matches == 1:
        raise UsageError("--jobs is for many matches: add -n")
    if len(bots) < 2:
        raise UsageError("-n is for two bots or more")
    if (repeat := -(-matches // len(bots))) > MOST_SERIES:
        most = f"{MOST_SERIES * len(bots):,} matches of {len(bots)} bots"
        raise UsageError(f"-n {matches} is too large: at most {most} can be planned")
    # Here already, so that no error names a temporary file:
    name, _, _ = on_map(game, start, bots, silent if show.quiet or json else narrate)
    start = replace(start, map=name)
    terminal = show.terminal()
    words, begin = [*bots, f"-n{matches}"], start_words(start.map, start.rounds)
    again = command(*play_words(game, words, start=begin, seed=start.seed, options=option_words(game, options)))
    with TemporaryDirectory(prefix="referee-series-") as path:
        settings = _settings(Path(path), game, bots, repeat, start, options)
        with RunningTournament(Path(path), settings=settings) as tournament:
            play(tournament, jobs=jobs, strict=True, quiet=show.quiet or json, again=again, intro="again")
            table = tournament.table()
    if json:
        print_json(table)
    else:
        tournament_table.show(table, terminal)
        if not show.quiet:
            narrate(f"again:  {again}")
