"""Starts the four parts of an arena, restarts one that ends, and ends with all of them.

1. A part is a process of its own session (`web/processes.py`). Its request, one line of JSON, has its options.
2. A part that ends is started again after a pause. On a full disk, it also waits for space. The site does not wait, because it
   only reads.
3. A root supervisor starts `web` and `pages`, which read the input of strangers, as a user that owns nothing else.
   `intake` and `ladder` stay root, because they start cells.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import anyio
import trio

from referee.arena.overview import make_databases
from referee.arena.settings import MIB, ROOM, ArenaFiles, has_room
from referee.arena.state import after_dates, change_state, now
from referee.errors import UsageError, disk_is_full
from referee.sandbox.uid_pool import can_reach
from referee.tournament.ledger import FILE as LEDGER
from referee.web.processes import end

PARTS: Final = ("web", "intake", "ladder", "pages")
UNPRIVILEGED: Final = frozenset({"web", "pages"})
UID: Final = 65533
"""Of unprivileged parts, unless the arena's folder has an owner. No known program hands it out, and no player gets it."""
GRACE: Final = 4.0
"""Seconds that a part has to end."""
PAUSE: Final = 1.0
"""Seconds before a part is started again."""
POLL: Final = 1.0
"""Seconds between two checks of dates, of space and of new files."""


def hand_over(files: ArenaFiles, say: Callable[[str], None]) -> int | None:
    """Make the folders and databases of an arena. If this process is root, give those of unprivileged parts to their user.

    Args:
        say: gets a line if that user cannot reach the arena or the referee. Then these parts stay root.

    Returns:
        The uid of unprivileged parts; None for that of this process.
    """
    folders = (files.accounts.parent, files.inbox, files.pages)
    for folder in (*folders, files.seasons, files.debugged):
        folder.mkdir(parents=True, exist_ok=True)
    make_databases(files)
    if os.getuid() != 0:
        return None
    uid = files.root.stat().st_uid or UID
    for path in (files.root.resolve().parent, Path(__file__), Path(sys.executable)):
        if not can_reach(path, uid, to_read=path.is_file()):
            why = f"because {path} is out of reach for user {uid}: move it to a folder that all may enter"
            say(f"the site runs as root, {why}")
            return None
    if files.root.stat().st_uid == 0:  # unprivileged parts enter it, and cannot replace files of root's
        os.chown(files.root, 0, uid)
        files.root.chmod(0o710)
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode) or status.st_nlink == 1:  # not a hard link to another file
                os.chown(path, uid, uid, follow_symlinks=False)
    return uid


async def supervise(
    files: ArenaFiles,
    listener: socket.socket,
    site: Mapping[str, Any],
    say: Callable[[str], None],
    *,
    uid: int | None = None,
    jobs: int | None = None,
) -> None:
    """Keep all parts running until this is cancelled. Then all have ended.

    Args:
        site: the options of the part `web` (`web/__main__.py`).
        say: gets a line when a part has ended, and when a date has passed.
        uid: of unprivileged parts; None for that of this process. jobs: matches at a time; None for that of the settings.
    """
    async with trio.open_nursery() as nursery:
        if uid is not None:
            nursery.start_soon(_hold_shared_memory, files)  # a part needs much longer to start
        for part in PARTS:
            options = site if part == "web" else {"jobs": jobs}
            nursery.start_soon(_keep_running, part, files, listener.fileno(), options, say, uid)
        nursery.start_soon(follow_dates, files, say)


async def _hold_shared_memory(files: ArenaFiles) -> None:
    """Open the databases of root's parts. This makes the shared memory beside them, which readers without root cannot make."""
    opened = dict[Path, sqlite3.Connection]()
    while True:
        for path in (files.versions, *files.seasons.glob(f"*/{LEDGER}")):
            if path not in opened:
                opened[path] = sqlite3.connect(path)
                with suppress(sqlite3.Error):  # it is only just being made
                    opened[path].execute("SELECT 1 FROM sqlite_schema").fetchone()
        await trio.sleep(POLL)


async def _keep_running(
    part: str, files: ArenaFiles, listener: int, options: Mapping[str, Any], say: Callable[[str], None], uid: int | None
) -> None:
    command = [sys.executable, "-P", "-m", f"referee.arena.{part}", str(files.root.resolve())]
    more: dict[str, Any] = {}
    if part == "web":
        command.append(str(listener))
        more["pass_fds"] = (listener, *(int(Path(file).name) for file in options["tls"] or ()))
    if uid is not None and part in UNPRIVILEGED:
        more |= {"user": uid, "group": uid, "extra_groups": []}
    while True:
        process = await anyio.open_process(
            command, stdout=subprocess.DEVNULL, stderr=None, start_new_session=True, cwd="/", **more
        )
        try:
            assert process.stdin is not None
            with suppress(anyio.BrokenResourceError):
                await process.stdin.send(json.dumps(options).encode() + b"\n")
            await process.wait()
        finally:
            await end(process, GRACE)
        if part != "web":
            await until_room(files, part, say)
        say(f"{part} has ended (status {process.returncode}) and is started again")
        await trio.sleep(PAUSE)


async def until_room(files: ArenaFiles, part: str, say: Callable[[str], None]) -> None:
    """Wait until the disk has space for a part that has ended.

    Raises:
        UsageError: the arena's folder is not there any more.
    """
    if not files.root.is_dir():
        raise UsageError(
            f"{files.root} was moved or deleted: if it was moved, nothing is lost, run the arena where it is now"
        )
    if not has_room(files.root):
        say(f"{part} waits until {files.root} has {ROOM // MIB} MiB free")
    while not has_room(files.root):  # noqa: ASYNC110 - other programs free it
        await trio.sleep(POLL)


async def follow_dates(files: ArenaFiles, say: Callable[[str], None]) -> None:
    """Change the state when a date passes, for ever. A date that passes while the disk is full takes effect later.

    Raises:
        UsageError: the state cannot be read, or not be written for another reason.
    """
    before = None
    while True:
        try:
            state = change_state(files, lambda state: after_dates(state, files.settings, now())).state
            if before not in (None, state):
                say("the final comes" if state == "final" else f"the arena is {state}")
            before = state
        except UsageError as failed:
            if not disk_is_full(failed):
                raise
        await trio.sleep(POLL)
