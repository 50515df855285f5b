"""`referee arena new`: makes the folder of an arena."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from referee.arena.commands.opening import WHO, accounts_of, moment, show
from referee.cli.options import Json, Whole
from referee.errors import UsageError

ADMIN: Final = "admin"
DAY: Final = 86_400.0


def new(
    folder: Annotated[Path, Parameter(help="The folder of the arena, which is made.")],
    *,
    game: Annotated[str, Parameter(help="The game; `referee games` lists them.")],
    name: Annotated[str | None, Parameter(help="What the arena is called; default: as the folder.")] = None,
    maps: Annotated[
        list[str] | None,
        Parameter(help="Maps of the matches; default: the game's own.", consume_multiple=True, negative=""),
    ] = None,
    seats: Annotated[Whole | None, Parameter(help="Bots in a match; default: 4, or as many as the maps allow.")] = None,
    json: Json = False,
) -> int:
    """Make an arena: a folder with a commented arena.toml.

    The link that is printed makes the first admin. It works once, within 24 hours, on port 8000 of this machine; if
    `referee arena run` prints another address, put `/join#…` behind that.
    """
    from referee import games
    from referee.arena.overview import make_databases
    from referee.arena.season import plan_of
    from referee.arena.settings import FILE, ArenaFiles, template
    from referee.arena.state import now
    from referee.cli.again import command
    from referee.text.words import harmless
    from referee.tournament.settings import MOST_LETTERS

    kind = games.find(game).name
    title = harmless(name or folder.resolve().name or "Arena")[:MOST_LETTERS]
    path = folder / FILE
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder} is there already and not empty: choose another folder")
        os.umask(0o022)  # parts that run as other users read these files; nobody else enters the folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        path.write_text(template(title, kind, maps or [], seats), encoding="utf-8")
        try:
            files = ArenaFiles(folder)
            least = plan_of(files).rules.seats
        except UsageError as wrong:  # it names keys; the user wrote options
            path.unlink()
            folder.rmdir()
            said = str(wrong).removeprefix(f"{path}: ")
            raise UsageError(re.sub(r"^match\.(maps|seats)(\.\d+)?:", r"--\1:", said)) from None
    except OSError as failed:
        raise UsageError(f"{folder} cannot be made ({failed.strerror}): choose another folder") from None
    make_databases(files)
    expires = now() + DAY
    with accounts_of(folder) as accounts:
        token = accounts.invite(ADMIN, "admin", None, DAY, WHO)
    lines = [
        f"{path} is written: change it as you like",
        f"serve it: {command('arena', 'run', str(folder))}",
        f"the first admin: http://127.0.0.1:8000/join#{token} (once, until {moment(expires)}; if the arena runs at another "
        "address, put /join#… behind that)",
    ]
    if seats is None:
        lines.append(f"matches begin when {least} authors have a bot: seats in {path} says how many")
    show({"folder": str(folder), "token": token, "expires": expires}, lines, json=json)
    return 0
