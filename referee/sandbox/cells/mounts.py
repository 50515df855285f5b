"""What a root referee's players see of files out of the reach of their uid.

1. A pooled uid cannot reach an interpreter below a home folder of mode 0700, and bubblewrap opens the path as that uid. Root can
   bind the interpreter to a reachable place, in a mount namespace of its own.
2. That namespace is made once for a bot, by a thread, because a thread can have one of its own. It is held by a descriptor, and
   the thread that starts players enters it (`id_thread.py`). So a start needs no mounts, nothing of it is visible outside, and
   it ends with the referee.
3. It lacks /sys, which no player is shown: bubblewrap reads the list of all mounts after each bind, and a line for a control
   group takes the kernel long. Without them a cell is made in 0.5 ms less.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import cache, partial
from pathlib import Path
from typing import Final, TypeVar
from uuid import uuid4

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.cells.id_thread import IdThread
from referee.sandbox.uid_pool import can_reach

_CLONE_NEWNS: Final = 0x20000
_MS_BIND: Final = 0x1000
_MS_REC: Final = 0x4000
_MS_PRIVATE: Final = 0x40000
_MNT_DETACH: Final = 2

T = TypeVar("T")


class Mounts:
    """The mounts for one bot or one jail.

    Attributes:
        namespace: a descriptor of their namespace; None before `show`, and if the referee is not root or may not mount.
    """

    def __init__(self, tempdir: Path, stack: ExitStack, uid: int | None) -> None:
        """Nothing is shown yet.

        Args:
            tempdir: where each path that is out of reach gets an empty file or folder to bind it to, until `stack` closes.
            uid: the uid that decides which paths are out of reach; None if the referee is not root.
        """
        self._uid = uid
        self._tempdir = tempdir
        self._stack = stack
        self._hidden: list[tuple[Path, Path]] = []
        self.namespace: int | None = None

    def reachable(self, path: Path) -> Path:
        """The path under which the player can read this: its own, or the place where `show` binds it. It must be world-readable.

        Raises:
            IsolationError: it is out of reach, and root may not mount here.
        """
        if self._uid is None or can_reach(path, self._uid):
            return path
        if not can_mount():
            raise IsolationError(isolation_errors.out_of_reach(path))
        target = self._tempdir / f"shown-{uuid4().hex}"
        if path.is_dir():
            target.mkdir()
        else:
            target.touch()
        self._stack.callback(_remove_empty, target)
        self._hidden.append((path, target))
        return target

    def show(self) -> None:
        """Make the namespace, after all calls of `reachable`. Raises: IsolationError: something cannot be bound."""
        if self._uid is not None and can_mount():
            self.namespace = _in_own_namespace(partial(_namespace, self._hidden))
            self._stack.callback(os.close, self.namespace)


@cache
def can_mount() -> bool:
    """Whether paths out of reach can be shown: root in a container often may not mount."""
    try:
        _in_own_namespace(partial(_mount, "/", "/"))
    except IsolationError:
        return False
    return True


def _remove_empty(target: Path) -> None:
    """Remove an empty file or folder, to which nothing is bound in our own namespace."""
    with suppress(OSError):
        if target.is_dir():
            target.rmdir()
        else:
            target.unlink()


def _in_own_namespace(function: Callable[[], T]) -> T:
    """Call a function in a thread that has a mount namespace of its own."""

    def call() -> T:
        if _LIBC.unshare(_CLONE_NEWNS) != 0:
            raise _refusal("unshare")
        _mount("none", "/", _MS_REC | _MS_PRIVATE)
        return function()

    with ExitStack() as stack:
        return IdThread(stack).do(call)


def _namespace(hidden: Sequence[tuple[Path, Path]]) -> int:
    """A descriptor of this thread's mount namespace, in which the first of each pair is bound to the second (theory)."""
    _LIBC.umount2(b"/sys", _MNT_DETACH)
    for source, target in hidden:
        _mount(str(source), str(target))
    return os.open("/proc/thread-self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)


def _mount(source: str, target: str, flags: int = _MS_BIND) -> None:
    if _LIBC.mount(os.fsencode(source), os.fsencode(target), None, ctypes.c_ulong(flags), None) != 0:
        raise _refusal(f"mount {source}")


def _refusal(what: str) -> IsolationError:
    return IsolationError(isolation_errors.no_user(f"{what}: {os.strerror(ctypes.get_errno())}"))


_LIBC: Final = ctypes.CDLL(None, use_errno=True)
