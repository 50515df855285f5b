"""`referee play`: plays one match between bots, from the command line to the closing table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from referee.cli.options import GameName, Json, Positive
from referee.cli.play_options import LimitOptions, SaveOptions, ShowOptions, StartOptions
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.match.config import MatchConfig
    from referee.match.line_up import Say


def play(
    *bots: Annotated[
        str,
        Parameter(
            help="A sample bot's name, a source file, a folder, a ZIP file, or cmd:'PROGRAM ARGS'. NAME=BOT sets the name that "
            "people see. `human` is you, at this keyboard. In games with players of the house, `house` is one of them."
        ),
    ],
    game: GameName = None,
    start: StartOptions = StartOptions(),  # noqa: B008
    matches: Annotated[
        Positive,
        Parameter(
            name=["--matches", "-n"],
            help="Play this many matches, each bot from each seat, and print a table with ratings. Nothing is saved.",
        ),
    ] = 1,
    jobs: Annotated[Positive | None, Parameter(help="With -n: matches at a time.")] = None,
    save: SaveOptions = SaveOptions(),  # noqa: B008
    limits: LimitOptions = LimitOptions(),  # noqa: B008
    show: ShowOptions = ShowOptions(),  # noqa: B008
    json: Json = False,
) -> None:
    """Play one match between bots and save it.

    By default, the four strongest sample bots that need no compiler play. Bots that need compiling are built before the
    match. At the end, the referee prints a table and the command that plays the same match again. -n plays many matches.
    A disqualified bot is not an error. The exit code is 1 if the match could not be finished, and 4 if a bot cannot be
    built or started, unless --forfeit lets the others play.
    """
    from referee import games
    from referee.bots import samples
    from referee.cli import history
    from referee.cli.again import command, option_words, play_words, start_words
    from referee.cli.match_run import ShownMatch
    from referee.cli.narrator import narrate, silent
    from referee.cli.running import run
    from referee.files.mapfiles import USUAL
    from referee.match.line_up import build_bots, make_config, with_forfeits

    rules = games.find(game)
    if show.watch and json:
        raise UsageError("--watch draws on stdout and --json prints there: leave one of them out")
    say = silent if show.quiet or json else narrate
    if matches != 1 or jobs is not None:
        from referee.cli.series import play_series

        _check_series(start, save, limits, show)
        words = bots or samples(rules.name, own_runtime=True)[:USUAL]
        play_series(rules, words, matches, start.start(rules), limits.options, jobs=jobs, show=show, json=json)
        return
    _check_people(bots, show, json=json)
    config = make_config(rules, start.start(rules), bots, limits.options, say)
    _say_rules_of_people(config, limits, say)
    config = replace(config, saved=save.output or history.new_file(rules.name, config.seed))
    if any(bot.unbuilt is not None for bot in config.bots):
        unbuilt = config
        config = run(lambda: build_bots(unbuilt, say))
    words = [seat.word for seat in config.seats if seat.word]
    begin = start_words(config.map, start.rounds, start.rotate)
    if start.setup is not None:
        begin = ["--setup", str(start.setup)]
    options = option_words(rules, limits.options, limited=config.limited)
    again = command(*play_words(rules, words, start=begin, seed=config.seed, options=options))
    with_forfeits(config, lambda config: ShownMatch(config, show, save.transcript, again, json).play(), say)


def _check_series(start: StartOptions, save: SaveOptions, limits: LimitOptions, show: ShowOptions) -> None:
    """Refuse options that are for one match only."""
    single = {
        "--setup": start.setup, "--rotate": start.rotate, "-o": save.output, "--transcript": save.transcript,
        "--no-timeouts": limits.no_timeouts, "--watch": show.watch, "--speed": show.speed, "-v": show.verbose,
        "--forfeit": limits.forfeit,
    }  # fmt: skip
    if clash := [name for name, value in single.items() if value]:
        raise UsageError(f"{clash[0]} is for one match: leave it out, or leave out -n")


def _check_people(words: Sequence[str], show: ShowOptions, *, json: bool) -> None:
    """Check that a person can play here, if one is named."""
    from referee.bots import names_a_person
    from referee.cli.match_run import at_terminal

    if not any(map(names_a_person, words)):
        return
    if json or show.watch is False:
        raise UsageError(f"a person plays in the view: leave out {'--json' if json else '--no-watch'}")
    if not at_terminal():
        raise UsageError("a person needs a terminal on stdin and stdout: leave out the pipe, or name bots only")


def _say_rules_of_people(config: MatchConfig, limits: LimitOptions, say: Say) -> None:
    """Say what follows from a person who plays, and was not asked for."""
    if config.people and not config.limited:
        say("a person has no clock: --answer=10s sets one for everybody")
    if config.people and limits.pondering is None:
        say("programs do not compute during your turns: --pondering lets them")
