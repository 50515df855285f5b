"""Who starts the cells of a sandbox: an ordinary user's referee itself; a root referee's spawner thread, as a pooled uid.

1. The kernel keeps ids, namespaces and capabilities for each thread, and a program that a thread starts inherits them. So a root
   referee needs no program in front of bubblewrap to change them: loading one takes 0.9 ms of CPU time, a quarter of a start.
   (Popen could change the ids of its child, but would have to fork the whole referee.)
2. For a task, the thread takes on the player's real and effective ids. It keeps root's as its saved ones, to return to. A program
   that it executes meanwhile loses these, and with them all capabilities. The thread makes the system calls itself, because the
   C library would change all threads. It has no groups, and no ambient capabilities, which programs would inherit.
   It keeps two capabilities if root has them: to set limits above the referee's own, and to kill, because the kernel asks
   whether a dying thread may send its children the signal of a parent's death.
3. It never is the main thread, which determines who may signal the referee. Signals of a parent's death follow the
   spawning thread, so it lives until all cells of its sandbox have ended.
4. A pooled uid cannot reach an interpreter below a home folder of mode 0700. Root binds the interpreter to a reachable place, in
   a mount namespace of the thread: nothing of it is visible outside, and it ends with the thread.
5. That namespace lacks the file systems that no player is shown, such as /sys and control groups. bubblewrap reads the list of
   all mounts after each bind, and a line for a control group takes the kernel long: a start takes 0.5 ms less without them.
6. A new network namespace takes the kernel 1.2 ms, and as long to remove. An empty one holds nothing of a player's own: not even
   the loopback interface is up. So the cells of a sandbox share the one of the thread. Players cannot make sockets in it:
   their list of calls has none.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, TypeVar
from uuid import uuid4

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.uid_pool import UIDS, can_reach

T = TypeVar("T")

_SYSTEM_CALLS: Final = {
    "x86_64": {"setresuid": 117, "setresgid": 119, "setgroups": 116},
    "aarch64": {"setresuid": 147, "setresgid": 149, "setgroups": 159},
}
_CLONE_NEWNS: Final = 0x0002_0000
_CLONE_NEWNET: Final = 0x4000_0000
_MS_BIND, _MS_REC, _MS_SLAVE, _MNT_DETACH = 4096, 16384, 1 << 19, 2
_CAPABILITIES_VERSION, _CAP_KILL, _CAP_SYS_RESOURCE = 0x2008_0522, 1 << 5, 1 << 24
_PR_CAP_AMBIENT, _CLEAR_ALL = 47, 4
_NOT_SHOWN: Final = frozenset({b"bpf", b"cgroup", b"cgroup2", b"debugfs", b"devpts", b"mqueue", b"sysfs", b"tracefs"})
"""Types of file systems that no cell shows (theory, point 5)."""


class Spawner:
    """For an ordinary user: tasks are run as they are, and players reach what the user reaches.

    Attributes:
        is_apart: whether what it starts is in an empty network namespace.
    """

    is_apart = False

    def run_as(self, uid: int | None, task: Callable[[], T]) -> T:
        """Run a task with the ids of a player: a uid, and a gid of the same number; None for the referee's own.

        Raises:
            IsolationError: root may not take on other ids here. Whatever the task raises.
        """
        assert uid is None
        return task()

    def can_show(self, path: Path) -> bool:
        """Whether `reachable` would succeed."""
        return True

    def reachable(self, path: Path) -> Path:
        """The path under which players can read this: its own, or a place where it is bound. It must be world-readable.

        Raises:
            IsolationError: it is out of reach, and root may not mount here.
        """
        return path


ORDINARY: Final = Spawner()


class RootSpawner(Spawner):
    """For root: a thread runs the tasks (theory)."""

    def __init__(self, tempdir: Path, stack: ExitStack, *, uid: int = UIDS[0], apart: bool = True) -> None:
        """Start the thread. A fork of this process cannot use it.

        Args:
            tempdir: gets an empty file or folder for each path that is out of reach, to bind it there.
            stack: ends the thread. Everything that the thread started must have ended before.
            uid: decides what is out of reach. Those of players all reach the same, because they own no files.
            apart: whether the thread gets an empty network, if that is possible here.

        Raises:
            IsolationError: root may not drop its groups here, or no thread can be started.
        """
        self._tempdir = tempdir
        self._uid = uid
        self._places: dict[Path, Path] = {}
        self._thread = ThreadPoolExecutor(1, "spawner")
        stack.callback(self._thread.shutdown)
        self._do(_drop)
        self.is_apart = apart and self._do(partial(_unshare, _CLONE_NEWNET))
        self.can_mount = self._do(_own_mounts)

    def run_as(self, uid: int | None, task: Callable[[], T]) -> T:
        assert uid is not None
        return self._do(partial(_run_as, uid, task))

    def can_show(self, path: Path) -> bool:
        return self.can_mount or can_reach(path, self._uid)

    def reachable(self, path: Path) -> Path:
        if can_reach(path, self._uid):
            return path
        if not self.can_mount:
            raise IsolationError(isolation_errors.hidden(path))
        if path not in self._places:
            place = self._tempdir / f"shown-{uuid4().hex}"
            if path.is_dir():
                place.mkdir()
            else:
                place.touch()
            self._do(partial(_bind, path, place))
            self._places[path] = place
        return self._places[path]

    def _do(self, task: Callable[[], T]) -> T:
        try:
            done = self._thread.submit(task)
        except RuntimeError:  # no thread can be started
            raise IsolationError(isolation_errors.SCARCE) from None
        return done.result()


# -- in the thread ---------------------------------------------------------------------------------------------------------


def _drop() -> None:
    """Drop what programs would inherit: groups and ambient capabilities."""
    _call("setgroups", 0, None)
    _LIBC.prctl(_PR_CAP_AMBIENT, *map(ctypes.c_ulong, (_CLEAR_ALL, 0, 0, 0)))


def _run_as(uid: int, task: Callable[[], T]) -> T:
    gids = os.getresgid()
    try:
        _call("setresgid", uid, uid, 0)
        _call("setresuid", uid, uid, 0)
        _keep_capabilities()
        return task()
    finally:
        _call("setresuid", 0, 0, 0)  # first: it brings back the right to change the group
        _call("setresgid", *gids)


def _keep_capabilities() -> None:
    """Make two capabilities effective again, as far as they are permitted (theory, point 2)."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_VERSION, 0))
    sets = ctypes.create_string_buffer(24)
    if _LIBC.capget(header, sets) == 0:
        _, permitted, inheritable, *rest = struct.unpack("=6I", sets.raw)
        kept = permitted & (_CAP_KILL | _CAP_SYS_RESOURCE)
        _LIBC.capset(header, struct.pack("=6I", kept, permitted, inheritable, 0, *rest[1:]))


def _own_mounts() -> bool:
    """Give the thread its own mounts; returns whether that is possible here. Later mounts of the host still reach it."""
    if not _unshare(_CLONE_NEWNS) or _LIBC.mount(None, b"/", None, ctypes.c_ulong(_MS_REC | _MS_SLAVE), None) != 0:
        return False  # in the second case, the unmounting below would reach the host
    for line in Path("/proc/thread-self/mountinfo").read_bytes().splitlines():
        fields = line.split()
        if fields[fields.index(b"-") + 1] in _NOT_SHOWN:
            place = re.sub(rb"\\(\d{3})", lambda octal: bytes([int(octal[1], 8)]), fields[4])
            _LIBC.umount2(place, _MNT_DETACH)  # one that is locked stays
    return True


def _unshare(kind: int) -> bool:
    """Whether the thread has a namespace of its own now."""
    return bool(_LIBC.unshare(kind) == 0)


def _bind(source: Path, place: Path) -> None:
    if _LIBC.mount(os.fsencode(source), os.fsencode(place), None, ctypes.c_ulong(_MS_BIND), None) != 0:
        why = os.strerror(ctypes.get_errno())
        raise IsolationError(isolation_errors.no_user(f"{source} cannot be mounted: {why}"))


def _call(name: str, *arguments: int | None) -> None:
    """Make a system call for this thread alone (theory, point 2)."""
    if (machine := os.uname().machine) not in _SYSTEM_CALLS:
        raise IsolationError(isolation_errors.no_user(f"the system calls of {machine} are not known"))
    longs = [ctypes.c_long(argument or 0) for argument in arguments]
    if _LIBC.syscall(ctypes.c_long(_SYSTEM_CALLS[machine][name]), *longs) != 0:
        why = os.strerror(ctypes.get_errno())
        raise IsolationError(isolation_errors.no_user(f"{name} {arguments[0]}: {why}"))


_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
