"""What a root referee's players see of files out of the reach of their uid.

1. A pooled uid cannot reach an interpreter below a home folder of mode 0700, and bubblewrap opens the path as that uid. Root can
   bind the interpreter to a reachable place, in a mount namespace of its own.
2. That namespace is made once for a bot and held by a descriptor; the thread that starts players enters it (`id_thread.py`). So a
   start needs no mounts, nothing of it is visible outside, and it ends with the referee. It lacks the file systems that no player
   is shown, such as /sys and control groups: bubblewrap reads the list of all mounts after each bind, and a line for a control
   group takes the kernel long. Without them a start takes 0.5 ms less.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Final
from uuid import uuid4

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.uid_pool import can_reach

_NOT_SHOWN: Final = "bpf,cgroup,cgroup2,debugfs,devpts,mqueue,sysfs,tracefs"
"""Types of file systems that no player is shown."""
_HOLD: Final = "echo; read -r _"


class Mounts:
    """The mounts for one bot or one jail.

    Attributes:
        namespace: a descriptor of their namespace; None before `show`, and if the referee is not root or may not mount.
    """

    def __init__(self, tempdir: Path, stack: ExitStack, uid: int | None) -> None:
        """Nothing is shown yet.

        Args:
            tempdir: the folder for an empty file or folder to bind over each path that is out of reach.
            stack: the stack that closes the namespace, and removes what was in that folder.
            uid: the uid that decides which paths are out of reach; None if the referee is not root.
        """
        self._uid = uid
        self._tempdir = tempdir
        self._stack = stack
        self._hidden: list[tuple[Path, Path]] = []
        self.namespace: int | None = None

    def can_reach(self, path: Path) -> bool:
        """Whether the player can read this path."""
        return self._uid is None or can_reach(path, self._uid)

    def can_show(self, path: Path) -> bool:
        """Whether `reachable` would succeed."""
        return self.can_reach(path) or can_unhide()

    def reachable(self, path: Path) -> Path:
        """The path under which the player can read this: its own, or the place where `show` binds it. It must be world-readable.

        Raises:
            IsolationError: it is out of reach, and root may not mount here.
        """
        if self.can_reach(path):
            return path
        if not can_unhide():
            raise IsolationError(isolation_errors.hidden(path))
        target = self._tempdir / f"shown-{uuid4().hex}"
        if path.is_dir():
            target.mkdir()
        else:
            target.touch()
        self._stack.callback(_remove_empty, target)
        self._hidden.append((path, target))
        return target

    def show(self) -> None:
        """Make the namespace, after all calls of `reachable`. Call this in a thread: it takes some milliseconds.

        Raises:
            IsolationError: something cannot be bound; the message quotes mount.
        """
        if self._uid is not None and can_unhide():
            self.namespace = _namespace(self._hidden)
            self._stack.callback(os.close, self.namespace)


def _remove_empty(target: Path) -> None:
    """Remove an empty file or folder. Nothing is bound to it in our own namespace."""
    with suppress(OSError):
        if target.is_dir():
            target.rmdir()
        else:
            target.unlink()


def can_unhide() -> bool:
    """Whether paths out of reach can be shown: only if we are root and may mount, which root in a container often may not."""
    return os.geteuid() == 0 and _can_mount()


def _namespace(hidden: list[tuple[Path, Path]]) -> int:
    """A descriptor of a mount namespace in which the first of each pair is bound to the second (theory, point 2)."""
    binds = [shlex.join([_tool("mount"), "--no-mtab", "--bind", str(source), str(target)]) for source, target in hidden]
    unmount = f"{_tool('umount')} --no-mtab --lazy --all --types {_NOT_SHOWN} 2>/dev/null || :"
    argv = [*_apart(), "/bin/sh", "-ec", "; ".join([*binds, unmount, _HOLD])]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stderr is not None
        if not holder.stdout.readline():
            raise IsolationError(isolation_errors.no_user(holder.stderr.read().decode(errors="replace")))
        return os.open(f"/proc/{holder.pid}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)


def _apart() -> list[str]:
    return [_tool("unshare"), "--mount", "--propagation", "private", "--"]


@cache
def _can_mount() -> bool:
    try:
        argv = [*_apart(), _tool("mount"), "--no-mtab", "--bind", "/", "/"]
    except IsolationError:
        return False
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


@cache
def _tool(name: str) -> str:
    path = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/bin:/usr/sbin:/bin:/sbin")
    if path is None:
        raise IsolationError(
            f"a root referee needs {name} to isolate players: install util-linux, or run as an ordinary user"
        )
    return path
