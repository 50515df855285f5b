"""`referee tournament new`: writes a first tournament.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import GameName


def new(
    folder: Annotated[Path, Parameter(help="The folder of the tournament; made if it is missing.")],
    *bots: Annotated[
        str,
        Parameter(
            help="Folders, ZIP files, source files, patterns in quotes, or sample bots; default: the bots in the folder."
        ),
    ],
    game: GameName = None,
    name: Annotated[str | None, Parameter(help="What the tournament is called; default: as the folder.")] = None,
) -> None:
    """Write a first tournament.toml with a comment on every key.

    Paths of bots are from the current folder here, and from the tournament's folder in the file.
    """
    from referee.cli.again import command
    from referee.tournament.drafting import write

    path = write(folder, bots, game=game, name=name)
    print(f"{path} is written: change it as you like")
    print(f"play: {command('tournament', 'run', str(folder))}")
