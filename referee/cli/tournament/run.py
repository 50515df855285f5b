"""`referee tournament run`: plays a tournament to its end, or goes on with it."""

from __future__ import annotations

import json as json_text
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Ascii, Color, Duration, GameName, Json, Quiet, Whole
from referee.errors import UsageError


def run(
    folder: Annotated[
        Path, Parameter(help="The folder with tournament.toml. A folder of bots without one: a round robin of them.")
    ],
    *,
    game: GameName = None,
    jobs: Annotated[
        Whole | None, Parameter(help="Matches at a time; default: as many as keep every bot on a processor.")
    ] = None,
    seconds: Annotated[
        Duration | None, Parameter(name="--for", help="Stop after this time, such as 30m; the same command goes on.")
    ] = None,
    only: Annotated[str | None, Parameter(help="Play only the matches of this bot that are due.")] = None,
    strict: Annotated[bool, Parameter(negative="", help="Play nothing if a bot cannot be built: exit code 4.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    color: Color = "auto",
    ascii: Ascii = False,  # noqa: A002
) -> int:
    """Play a tournament to its end, and print its table.

    Every match is saved at once. A tournament that was interrupted, or killed, goes on where it was with the same
    command. Bots that cannot be built are listed and take no part. --game is only for a folder of bots.
    """
    from referee.cli.again import command
    from referee.cli.narrator import narrate, silent
    from referee.cli.tournament import standings
    from referee.cli.tournament.playing import play
    from referee.tournament.drafting import home
    from referee.tournament.ledger import only_writer
    from referee.tournament.tournament import Tournament
    from referee.view.console import open_terminal

    if jobs is not None and jobs < 1:
        raise UsageError("--jobs must be at least 1")
    say: Callable[[str], None] = silent if quiet else narrate
    place = home(folder, game=game, say=say)
    terminal = open_terminal(color=color, ascii_only=ascii)
    with only_writer(place), Tournament(place, writes=True) as tournament:
        play(
            tournament,
            jobs=jobs,
            strict=strict,
            quiet=quiet,
            ascii_only=terminal.look.ascii_only,
            say=say,
            seconds=seconds,
            only=only,
            again=command("tournament", "run", str(place)),
        )
        document = tournament.table()
    if json:
        print(json_text.dumps(document))
    else:
        standings.show(document, terminal)
        say(f"more: {command('tournament', 'status', str(place))}")
    return 0
