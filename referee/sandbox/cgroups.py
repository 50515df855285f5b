"""Control groups, where there is one that is ours: a group for each player that counts all its memory and processes.

1. A group is never needed: resource limits hold without one. It adds what they miss, above all memory that is shared and the
   kernel's own for page tables, and the kernel's word for having ended a player for its memory.
2. Groups have one writer, usually systemd. So a group is ours only when its writer says so (`systemd-run --user --scope -p
   Delegate=yes`, which marks it) or when no other process is in it (a group made for it by hand); and when we may
   write to it. A group that others are in too is left alone, as is the one of a login session.
3. A group with groups in it that have controllers holds no processes itself. So all that is in ours moves into a leaf,
   `referee-own`; players' groups stand beside it. A referee that starts in that leaf uses the group around it.
4. A group is locked for as long as its player's referee lives, as the folders of matches are (`tempdir.py`): what can be
   locked was left behind and is removed by the next referee here.
5. A group goes only when the last of its processes has gone for good. What is too early is tried again with the next.
6. Control groups of version 1, which current distributions no longer have, are left alone.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from referee.errors import IsolationError
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.tempdir import hold

LEAF: Final = "referee-own"
"""Where the referee itself is."""
ROOM: Final = 32 * MIB
"""For what counts besides a player's own memory, so that RLIMIT_DATA, which a program can live with, comes first."""
_CELL: Final = "referee-cell-"
_OURS: Final = re.compile(rf"{_CELL}[0-9a-f]{{16}}")
_CONTROLLERS: Final = frozenset({"memory", "pids"})
_MARKS: Final = ("trusted.delegate", "user.delegate")
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_ROUNDS: Final = 10
"""How often what has forked in the meantime is moved after the others."""


class Setting(NamedTuple):
    """One line to write: the file, the value, and whether every kernel has it."""

    file: str
    value: str
    always: bool


def settings(limits: Limits) -> Sequence[Setting]:
    """What a player's group says."""
    return (
        Setting("memory.max", str(limits.memory + ROOM), always=True),
        Setting("memory.swap.max", "0", always=False),
        Setting("memory.oom.group", "1", always=False),
        Setting("pids.max", str(limits.threads + 1), always=True),  # one for the init of its namespace
    )


class Cgroup:
    """The group of one player, made by `Cgroups.cell`; `lock` holds it until it is removed."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        self._lock: int | None = lock
        self._oom_killed = False

    def add(self, pid: int) -> None:
        """Move a process into it, with all its threads; what it starts later is in it too.

        Raises:
            ProcessLookupError: it is gone.
            IsolationError: it cannot be moved.
        """
        try:
            _write(self.folder / "cgroup.procs", str(pid))
        except ProcessLookupError:
            raise
        except OSError as failed:
            raise IsolationError(
                f"a player cannot be moved into the control group {self.folder} ({failed.strerror}): start the referee in a "
                "group of its own, or in none"
            ) from None

    def oom_killed(self) -> bool:
        """Whether the kernel ended a process of it for the group's memory; stays known when the group is removed."""
        with suppress(OSError):
            lines = (self.folder / "memory.events").read_text().splitlines()
            self._oom_killed = any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)
        return self._oom_killed

    def remove(self) -> None:
        """Give the group back, and end whatever is left in it where the kernel can (theory, point 5)."""
        self.oom_killed()
        _remove(self.folder)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class Cgroups:
    """A place for players' groups: the group `folder`, that they stand in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def cell(self, limits: Limits) -> Cgroup:
        """A new group for one player.

        Raises:
            IsolationError: it cannot be made, or not be limited.
        """
        self.sweep()
        group = None
        try:
            while group is None:
                group = self._new()
            for setting in settings(limits):
                with suppress(*(() if setting.always else (FileNotFoundError, PermissionError))):
                    _write(group.folder / setting.file, setting.value)
        except OSError as failed:
            if group is not None:
                group.remove()
            raise IsolationError(
                f"no control group can be made in {self.folder} ({failed}): start the referee in a group of its own, or in none"
            ) from None
        return group

    def sweep(self) -> None:
        """Remove the groups of players that ended with their referees, and those that it was too early for."""
        with suppress(OSError):
            for name in os.listdir(self.folder):
                if _OURS.fullmatch(name):
                    with suppress(OSError):
                        lock = hold(self.folder / name)
                        if lock is not None:
                            _remove(self.folder / name)
                            os.close(lock)

    def _new(self) -> Cgroup | None:
        """None: another took it for one that was left behind."""
        folder = self.folder / (_CELL + secrets.token_hex(8))
        folder.mkdir()
        lock = None
        try:
            lock = hold(folder)
        except FileNotFoundError:
            pass
        finally:
            if lock is None:
                _remove(folder)
        return None if lock is None else Cgroup(folder, lock)


def find(proc: Path = Path("/proc")) -> Cgroups | None:
    """The place for players' groups, None where there is none that is ours (theory, point 2); looked for once a process.

    This process moves into a leaf.
    """
    return _find(proc, os.getpid())


@cache
def _find(proc: Path, pid: int) -> Cgroups | None:
    try:
        found = _looked_for(proc, pid)
    except (OSError, ValueError):
        return None
    if found is not None:
        found.sweep()
    return found


def _looked_for(proc: Path, pid: int) -> Cgroups | None:
    own = _own(proc)
    if own is None or not set((own / "cgroup.controllers").read_text().split()) >= _CONTROLLERS:
        return None
    if own.name == LEAF:
        base = own.parent
        if not _is_writable(base):
            return None
    elif _is_ours(own, pid):
        base = own
        _settle(base)
    else:
        return None
    handed_down = set((base / "cgroup.subtree_control").read_text().split())
    return Cgroups(base) if handed_down >= _CONTROLLERS else None


def _settle(base: Path) -> None:
    """Move all that is in a group into its leaf, and hand its controllers down (theory, point 3)."""
    leaf = base / LEAF
    leaf.mkdir(exist_ok=True)
    for _ in range(_ROUNDS):
        for pid in (base / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                _write(leaf / "cgroup.procs", pid)
        with suppress(OSError):  # busy: somebody has forked
            _write(base / "cgroup.subtree_control", "+memory +pids")
            return


def _is_ours(folder: Path, pid: int) -> bool:
    """Theory, point 2."""
    if not _is_writable(folder):
        return False
    for mark in _MARKS:
        with suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return (folder / "cgroup.procs").read_text().split() == [str(pid)]


def _is_writable(folder: Path) -> bool:
    return all(os.access(path, os.W_OK, effective_ids=True) for path in (folder, folder / "cgroup.procs"))


def _own(proc: Path) -> Path | None:
    """The folder of this process's group."""
    path = next((line[3:] for line in (proc / "self/cgroup").read_text().splitlines() if line.startswith("0::")), None)
    for root, point in _mounts(proc) if path is not None else ():
        assert path is not None
        with suppress(ValueError):  # it lies outside of what is mounted there
            inside = PurePosixPath(path).relative_to(root)
            if ".." not in inside.parts and (point / inside).is_dir():
                return point / inside
    return None


def _mounts(proc: Path) -> Iterator[tuple[str, Path]]:
    """Of each mount of control groups: which of their folders, and where."""
    for line in (proc / "self/mountinfo").read_text().splitlines():
        fields = line.split()
        if fields[fields.index("-", 6) + 1] == "cgroup2":
            root, point = (_OCTAL.sub(lambda octal: chr(int(octal[1], 8)), field) for field in fields[3:5])
            yield root, Path(point)


def _write(file: Path, value: str) -> None:
    """The kernel's files take a value in one piece, and are never made."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)


def _remove(folder: Path) -> None:
    with suppress(OSError):  # from Linux 5.14 on
        _write(folder / "cgroup.kill", "1")
    with suppress(OSError):
        folder.rmdir()
