"""`referee arena open`, `close`, `final` and `status`: what an arena does at the moment."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING

from referee.arena.commands.opening import Folder, files_of, moment, show
from referee.cli.again import command
from referee.cli.options import Json

if TYPE_CHECKING:
    from referee.arena.settings import Stage


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
    from referee.arena.state import change_state, commanded, now

    files = files_of(folder)
    change_state(files, commanded(stage, files.settings, now()))
    return _show(folder, *notes, json=json)


def _show(folder: Path, *notes: str, json: bool) -> int:
    from referee.arena import finals
    from referee.arena.overview import Overview
    from referee.arena.season import lacking
    from referee.arena.settings import MIB
    from referee.arena.state import now

    files = files_of(folder)
    with closing(Overview(files, now=now)) as arena:
        chosen = arena.at_present().final
        document = {**arena.document(), "final": None if chosen is None else f"seasons/{chosen}"}
    lines = [
        f"{document['name']}: {document['game']}, {document['state']}, season {document['season']}",
        f"{document['entrants']} bots play, {document['matches']} matches played, {document['waiting']} uploads wait",
    ]
    dates = [f"{word} {moment(at)}{'' if at > now() else ' (past)'}" for word, _, at in files.settings.dates()]
    lines += [", ".join(dates)] if dates else []
    if disk_usage(folder).free < MIB:
        lines.append("the disk is full: uploads are refused and no match is played until there is space")
    waits = lacking(files.seasons / document["season"], document["seats"])
    if waits is not None and document["state"] == "open":
        lines.append(f"{waits} (seats in {files.toml})")
    if document["final_progress"] is not None:
        lines.append(document["final_progress"])
    if document["final"] is not None:
        lines.append(f"final: {folder / document['final']}")
    earlier = [files.seasons / name for name in finals.names(files) if name != chosen]
    lines += (f"earlier final: {path}" for path in earlier)
    show(document, [*lines, *notes], json=json)
    return 0
