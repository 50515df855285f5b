"""`referee arena new`, `open`, `close`, `final` and `status`: makes an arena, and shows and changes what it does."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from referee.arena.commands.opening import WHO, Folder, accounts_of, files_of, moment, show
from referee.cli.again import command
from referee.cli.options import Json, Whole
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.arena.settings import Stage

ADMIN_TERM: Final = 86_400.0
"""Seconds in which the first admin can join."""


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
    from referee.text.words import harmless
    from referee.tournament.mistakes import reworded
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
        except UsageError as wrong:
            path.unlink()
            folder.rmdir()
            raise reworded(wrong, lambda line: line.removeprefix(f"{path}: ")) from None
    except OSError as failed:
        raise UsageError(f"{folder} cannot be made ({failed.strerror}): choose another folder") from None
    make_databases(files)
    expires = now() + ADMIN_TERM
    with accounts_of(folder) as accounts:
        token = accounts.invite("admin", "admin", None, ADMIN_TERM, WHO)
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


def open_arena(folder: Folder, *, json: Json = False) -> int:
    """Open an arena: uploads are accepted, and the ladder plays.

    A final that is being played is stopped. What was played of a final stays in its folder, and another one gets its own.
    """
    return _become(folder, "open", json=json)


def close(folder: Folder, *, json: Json = False) -> int:
    """Close an arena: uploads are refused, the ladder ends with its wave, and the standings stay.

    A final that is being played is stopped; `referee arena final` goes on with it.
    """
    return _become(folder, "closed", json=json)


def final(folder: Folder, *, json: Json = False) -> int:
    """Close an arena and play its final: rounds in which all active versions meet, with a seed that nobody has seen.

    Each bot plays about 200 matches. `referee arena run` plays the final once the uploads that were accepted before are through;
    duels that are not over are ended. `referee arena status` says what it waits for, how far it is, and who won.
    """
    return _become(folder, "final", f"{command('arena', 'run', str(folder))} plays it", json=json)


def status(folder: Folder, *, json: Json = False) -> int:
    """Print the state of an arena: how many bots and matches there are, what a final waits for, how far it is, who won."""
    return _show(folder, json=json)


def _become(folder: Path, stage: Stage, *notes: str, json: bool) -> int:
    from referee.arena.state import by_command, change_state, now

    files = files_of(folder)
    change_state(files, by_command(stage, files.settings, now()))
    return _show(folder, *notes, json=json)


def _show(folder: Path, *notes: str, json: bool) -> int:
    from referee.arena import finals
    from referee.arena.overview import Overview
    from referee.arena.season import why_idle
    from referee.arena.settings import MIB, has_room
    from referee.arena.state import now

    files = files_of(folder)
    with closing(Overview(files, now=now)) as arena:
        chosen = arena.at_present().final
        document = {**arena.document(), "final": None if chosen is None else f"seasons/{chosen}"}
    lines = [
        "{name}: {game}, {state}, season {season}".format_map(document),
        "{entrants} bots play, {matches} matches played, {waiting} uploads wait".format_map(document),
    ]
    dates = [f"{word} {moment(at)}{'' if at > now() else ' (past)'}" for word, _, at in files.settings.dates()]
    lines += [", ".join(dates)] if dates else []
    if not has_room(folder, MIB):
        lines.append("the disk is full: uploads are refused and no match is played until there is space")
    why = why_idle(files.seasons / document["season"], document["seats"])
    if why is not None and document["state"] == "open":
        lines.append(f"{why} (seats in {files.toml})")
    if document["final_progress"] is not None:
        lines.append(document["final_progress"])
    if document["final"] is not None:
        lines.append(f"final: {folder / document['final']}")
    lines += (f"earlier final: {files.seasons / name}" for name in finals.names(files) if name != chosen)
    show(document, [*lines, *notes], json=json)
    return 0
