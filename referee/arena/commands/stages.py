"""`referee arena open`, `close`, `final` and `status`: what an arena does at the moment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.arena.commands.opening import Folder, files_of, overview, show
from referee.cli.options import Json

if TYPE_CHECKING:
    from referee.arena.state import Stage


def open_arena(folder: Folder, *, json: Json = False) -> int:
    """Open an arena: uploads are accepted, and the ladder plays."""
    return _become(folder, "open", json=json)


def close(folder: Folder, *, json: Json = False) -> int:
    """Close an arena: uploads are refused, the ladder ends with its wave, and the standings stay."""
    return _become(folder, "closed", json=json)


def final(folder: Folder, *, json: Json = False) -> int:
    """Close an arena and play its final: a round robin of the active versions, with a seed that nobody has seen.

    `referee arena run` plays it once no upload waits any more.
    """
    return _become(folder, "final", json=json)


def status(folder: Folder, *, json: Json = False) -> int:
    """Print the state of an arena."""
    from referee.arena.season import lacking
    from referee.arena.settings import FILE

    document = overview(folder)
    lines = [
        f"{document['name']}: {document['game']}, {document['state']}, season {document['season']}",
        f"{document['entrants']} bots play, {document['matches']} matches played, {document['waiting']} uploads wait",
    ]
    waits = lacking(files_of(folder).season(document["season"]), document["seats"])
    if waits is not None:
        lines.append(f"{waits} (seats in {folder / FILE})")
    if document["final"] is not None:
        lines.append(f"final: {folder / document['final']}")
    show(document, lines, json=json)
    return 0


def _become(folder: Path, stage: Stage, *, json: bool) -> int:
    from referee.arena.state import change_state, staged

    change_state(files_of(folder), staged(stage))
    return status(folder, json=json)
