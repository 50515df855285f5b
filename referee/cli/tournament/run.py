"""`referee tournament run`: plays a tournament to its end, or goes on with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from referee.cli.options import Ascii, Color, Duration, GameName, Json, Output, Positive, Quiet, print_json
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.tournament.parts import Part


def run(
    folder: Annotated[
        Path, Parameter(help="The folder with tournament.toml. A folder of bots without one: a round robin of them.")
    ],
    *,
    game: GameName = None,
    jobs: Annotated[
        Positive | None,
        Parameter(help="Matches at a time on each machine; default: as many as keep every bot on a processor."),
    ] = None,
    seconds: Annotated[
        Duration | None, Parameter(name="--for", help="Stop after this time, such as 30m; the same command goes on.")
    ] = None,
    only: Annotated[str | None, Parameter(help="Play only the matches of this bot that are due.")] = None,
    strict: Annotated[bool, Parameter(negative="", help="Play nothing if a bot cannot be built: exit code 4.")] = False,
    shard: Annotated[
        str | None,
        Parameter(metavar="I/N", help="Play only this of N shares, such as 1/3, and write it to the file of -o."),
    ] = None,
    output: Annotated[
        Output | None, Parameter(help="The part: where a shard is kept; the same command goes on there.")
    ] = None,
    cluster: Annotated[
        str | None,
        Parameter(
            metavar="ADDRESS", help="Play on the workers of this Dask scheduler; local:2 starts two on this machine."
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    color: Color = "auto",
    ascii: Ascii = False,  # noqa: A002
) -> None:
    """Play a tournament to its end, and print its table.

    Every match is saved at once. A tournament that was interrupted, or killed, goes on where it was with the same
    command. Bots that cannot be built are listed and take no part. --game is for a folder of bots. With --shard, several
    machines or processes each play a share, and `referee tournament merge` unites them.
    """
    from referee.cli.again import command
    from referee.cli.narrator import narrate, silent
    from referee.cli.tournament.playing import play
    from referee.terminal import tournament_table
    from referee.terminal.console import open_terminal
    from referee.tournament.drafting import home
    from referee.tournament.locking import only_writer
    from referee.tournament.running import RunningTournament

    part = _part(shard, output)
    say = silent if quiet else narrate
    root = home(folder, game=game, say=say)
    terminal = open_terminal(color=color, ascii_only=ascii)
    again = ["tournament", "run", str(root)]
    if part is not None:
        part.make()
        again += [f"--shard={part.shard}", "-o", str(part.path)]
    if cluster is not None:
        again += ["--cluster", cluster]
    with only_writer(part.files if part else root), RunningTournament(root, part=part) as tournament:
        play(
            tournament, jobs=jobs, strict=strict, quiet=quiet, seconds=seconds, only=only, again=command(*again),
            cluster=cluster,
        )  # fmt: skip
        document = tournament.table()
        notes = tournament.notes(document)
    if json:
        print_json(document)
    else:
        tournament_table.show(document, terminal, notes)
        if part is not None:
            say(f"next: {command('tournament', 'merge', str(root), str(part.path))}")
        else:
            say(f"more: {command('tournament', 'status', str(root))}")


def _part(shard: str | None, output: Path | None) -> Part | None:
    """The part to play; None for the whole tournament.

    Raises:
        UsageError: the options are not those of a part.
    """
    if shard is None and output is None:
        return None
    from referee.tournament.model import Shard
    from referee.tournament.parts import Part

    share = Shard.read(shard or "")
    if share is None or output is None:
        raise UsageError("a shard needs its number, how many there are, and a file: --shard 1/3 -o part-1.sqlite")
    return Part(output, share)
