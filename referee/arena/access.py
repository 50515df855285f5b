"""Who may see what. Everything that is not open to everybody is decided here.

| what | who |
|---|---|
| standings, bots, states of versions, matches and their pages | everybody; if not `public`, signed-in users (`web/app.py`) |
| sources, stderr, compiler output, steps of checks, evidence of faults | the author, the teacher of the author's class, admins |
| students of a class, with each one's last verdict | the teacher of the class, admins |
| users, invitations, the audit log | admins |
| drafts of programs, their tests, and games to debug them in | their author (`web/programs.py`) |

A user who may not see something gets 404, as if it did not exist.

Nobody sees a path of the server's disk: messages about versions, games and programs go through `without_paths`.

In an anonymous arena, the owner of an entrant is `~N`, N the number of the user, in every ledger, saved game and page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from referee.arena.rows import Upload, User
from referee.arena.settings import ArenaSettings
from referee.bots.cache import builds_folder
from referee.files.assets import folder
from referee.text.words import without_folders


def without_paths(evidence: Any, root: Path) -> Any:
    """Evidence, as JSON, without paths of the server's disk. A file of the SDK is `sdk/cpp/snake.h`, others are `…/main.cpp`.

    Args:
        root: the arena's folder.
    """
    if isinstance(evidence, dict):
        return {key: without_paths(value, root) for key, value in evidence.items()}
    if isinstance(evidence, list):
        return [without_paths(value, root) for value in evidence]
    if not isinstance(evidence, str):
        return evidence
    text = evidence.replace(str(folder("sdk")), "sdk")
    for ours in (root, builds_folder()):  # `without_folders` misses a folder after other text: `-I/srv/my cup/x`
        text = re.sub(rf"{re.escape(str(ours))}(?:/(?:[^/\s:'\"]+/)*)?", "…/", text)
    return without_folders(text)


def owner_name(settings: ArenaSettings, author: str, author_id: int) -> str:
    """What everybody sees of an author. No user's name begins with `~`."""
    return f"~{author_id}" if settings.anonymous else author


def entrant_name(settings: ArenaSettings, version: Upload) -> str:
    """The name of a version's entrant: `USER/BOT`."""
    return f"{owner_name(settings, version.author, version.author_id)}/{version.bot}"


def may_inspect(viewer: User | None, version: Upload) -> bool:
    """Whether somebody may see the source and the evidence of a version."""
    return viewer is not None and (
        viewer.id == version.author_id or teaches(viewer, version.group) or may_administer(viewer)
    )


def teaches(viewer: User, group: str | None) -> bool:
    """Whether a user may see the students of a class as its teacher."""
    return viewer.role == "teacher" and group is not None and viewer.group == group


def may_administer(viewer: User) -> bool:
    """Whether a user may see and change users."""
    return viewer.role == "admin"
