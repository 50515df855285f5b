"""Makes sure that isolation holds before an untrusted program starts. Good verdicts are kept in the user's cache folder until
something changes that they depend on.

1. They depend on the boot, the namespaces and the filter that the referee itself runs in, the switches of the kernel, the
   user, bubblewrap's file, the interpreter, the list of system calls, the referee and its sandbox's files.
2. A verdict is not trusted: folder and file must be private (`private.py`), and the content must be exactly what would be
   written now.
3. If a verdict cannot be written, it is not remembered. This is not an error.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path

from referee import __version__
from referee.errors import BotError, IsolationError
from referee.files import private
from referee.sandbox import isolation_errors
from referee.sandbox.limits import Level
from referee.sandbox.opening import Sandbox

_CAP: Final = 64 * 1024


async def demand(sandbox: Sandbox, *, folder: Path | None = None) -> None:
    """Make sure that a sandbox isolates as its level promises. Level none promises nothing.

    Args:
        folder: where verdicts are remembered; None for the user's cache folder.

    Raises:
        IsolationError: it does not. The message says what a player could do, or what is missing.
    """
    if sandbox.level is Level.NONE:
        return
    folder = usual() if folder is None else folder
    depends = dependencies(sandbox.level, sandbox.parts)
    if recall(folder, sandbox.level) == depends:
        return
    from referee.sandbox.probing import probe  # not imported if the verdict is remembered

    try:
        attempts = await probe.canary(sandbox)
    except BotError as failed:
        raise IsolationError(f"Isolation cannot be tested: {failed}") from None
    probe.judge(attempts, sandbox.level)
    remember(folder, sandbox.level, depends)


def usual() -> Path:
    """The folder where verdicts are remembered."""
    return user_cache_path("referee")


def dependencies(level: Level, parts: Mapping[str, str]) -> dict[str, Any]:
    """Everything that a verdict on a sandbox of this level and these parts depends on, as JSON."""
    bwrap = shutil.which("bwrap")
    machine = isolation_errors.facts()
    sandbox = Path(__file__).parents[1]
    return {
        "level": level.value,
        "parts": dict(parts),
        "boot": isolation_errors.setting(Path("/proc/sys/kernel/random/boot_id")),
        "namespaces": [_link(Path("/proc/self/ns") / name) for name in ("mnt", "pid", "user", "net", "ipc")],
        "filtered": machine.filtered,
        "forbidden": [machine.userns_clone, machine.apparmor_userns],
        "user": [os.getuid(), os.geteuid()],
        "bubblewrap": bwrap and _stamp(Path(bwrap)),
        "interpreter": _stamp(Path(sys.executable)),
        "referee": __version__,
        "sandbox": [_stamp(path) for path in sorted([*sandbox.rglob("*.py"), *sandbox.glob("cells/fork-server-*")])],
    }


def recall(folder: Path, level: Level) -> dict[str, Any] | None:
    """What the last good verdict on a level depended on; None without one that can be trusted."""
    with suppress(OSError):
        if private.is_private(os.stat(folder, follow_symlinks=False)):
            depends = private.recall(_file(folder, level), _CAP)
            return depends if isinstance(depends, dict) else None
    return None


def remember(folder: Path, level: Level, depends: Mapping[str, Any]) -> None:
    """Keep a good verdict. If that fails, the canary runs again next time."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        private.keep(_file(folder, level), json.dumps(depends))


def forget(folder: Path, level: Level) -> None:
    """Remove a verdict that has proved wrong."""
    with suppress(OSError):
        _file(folder, level).unlink(missing_ok=True)


def _file(folder: Path, level: Level) -> Path:
    return folder / f"isolation-{level.value}.json"


def _stamp(path: Path) -> list[str | int]:
    """The state of a file: path, size, inode, time of its last change."""
    try:
        status = path.stat()
    except OSError:
        return [str(path)]
    return [str(path), status.st_size, status.st_ino, status.st_mtime_ns]


def _link(path: Path) -> str:
    with suppress(OSError):
        return os.readlink(path)
    return ""
