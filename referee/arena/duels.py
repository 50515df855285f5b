"""Duels: `referee compare` of a version and the one before it, or of a version and the bot that its author challenged.

A duel has a folder of its own until it is over, so it goes on after any interruption. It begins anew if the settings
have changed. A final ends all unfinished duels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.arena import season
from referee.arena.settings import ArenaFiles
from referee.arena.versions import Submission
from referee.errors import UsageError
from referee.sandbox.tempdir import remove
from referee.tournament.crew import LocalCrew
from referee.tournament.locking import only_writer
from referee.tournament.runner import Watcher
from referee.tournament.running import RunningTournament

ENDED: Final = "the arena closed before it was played"
"""Why a duel is `ended`."""


class Duel(NamedTuple):
    """Two versions, by their ids. The key `v12` means version 12 against the one before it, `c3` challenge 3."""

    key: str
    new: int
    old: int


def of_versions(submissions: Iterable[Submission]) -> list[Duel]:
    """The duel of each version that passed its check against the one before it that did."""
    last, duels = dict[int, int](), list[Duel]()
    for upload, version in submissions:
        if version.content is not None:
            if upload.bot_id in last:
                duels.append(Duel(f"v{upload.id}", upload.id, last[upload.bot_id]))
            last[upload.bot_id] = upload.id
    return duels


def folder_of(files: ArenaFiles, duel: Duel) -> Path:
    """The folder of an unfinished duel."""
    return files.versions.parent / "duels" / duel.key


async def play(duel: Duel, submissions: Mapping[int, Submission], files: ArenaFiles) -> dict[str, Any]:
    """Play a duel to its end. Returns its document, as `compare --json` prints it.

    Args:
        submissions: by the ids of versions.

    Raises:
        UsageError: a version cannot play any more. RefereeError: this machine cannot go on.
    """
    folder = folder_of(files, duel)
    bots = dict[str, str]()
    for number in (duel.new, duel.old):
        if (submission := submissions.get(number)) is None or submission.version.content is None:
            raise UsageError("one of the two versions has never played")
        bots[f"{submission.version.name} v{submission.upload.number}"] = submission.version.content
    if not season.fits(files, folder, "compare"):
        remove(folder)
    season.begin(files, folder, bots, "compare")
    with only_writer(folder), RunningTournament(folder) as tournament:
        plan, _ = await tournament.enter(lambda _line: None)
        await tournament.run(plan, partial(LocalCrew, jobs=1), Watcher(), lambda _line: None)
        document = dict(tournament.comparison().document)
    remove(folder)
    return document
