"""Control groups, where there is one that is ours: a group for each player that counts all its memory and processes.

1. A group is never needed: resource limits hold without one. It adds what they miss, above all memory that is shared and the
   kernel's own for page tables, and the kernel's word for having ended a player for its memory.
2. Groups have one writer, usually systemd. So a group is ours only when its writer says so (`systemd-run --user --scope -p
   Delegate=yes`, which marks it) or when nobody but this process is in it (a group made for it by hand); and when we may
   write to it. A group that others are in too is left alone, as is the one of a login session.
3. Version 2: a group with groups in it that have controllers holds no processes itself. So all that is in ours moves into a
   leaf, `referee-own`; players' groups stand beside it. Who finds itself in that leaf uses the group around it.
4. Version 1: memory and pids are trees of their own; a player has a group in each, and nothing is moved.
5. A group is locked for as long as its player's referee lives, as the folders of matches are (staging.py, point 6): what can
   be locked was left behind and is removed by the next referee here.
6. A group goes only when the last of its processes has gone for good. What is too early is tried again with the next.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.errors import IsolationError
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.workshop import hold

LEAF: Final = "referee-own"
"""Where the referee itself is, with version 2."""
ROOM: Final = 32 * MIB
"""For what counts besides a player's own memory, so that RLIMIT_DATA, which a program can live with, comes first."""
_CELL: Final = "referee-cell-"
_OURS: Final = re.compile(rf"{_CELL}[0-9a-f]{{16}}")
_MARKS: Final = ("trusted.delegate", "user.delegate")
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_ROUNDS: Final = 10
"""How often what has forked in the meantime is moved after the others."""

_Version: TypeAlias = Literal[1, 2]


class Setting(NamedTuple):
    """One line to write: the controller whose group it goes to, the file, the value, and whether every kernel has it."""

    controller: str
    file: str
    value: str
    always: bool


def settings(version: _Version, limits: Limits) -> Sequence[Setting]:
    """What a player's group says."""
    memory = str(limits.memory + ROOM)
    pids = Setting("pids", "pids.max", str(limits.threads + 1), always=True)  # one for the init of its namespace
    if version == 1:
        return (
            Setting("memory", "memory.limit_in_bytes", memory, always=True),
            Setting("memory", "memory.memsw.limit_in_bytes", memory, always=False),  # with swap: no more than without
            pids,
        )
    return (
        Setting("memory", "memory.max", memory, always=True),
        Setting("memory", "memory.swap.max", "0", always=False),
        Setting("memory", "memory.oom.group", "1", always=False),
        pids,
    )


class Cgroup:
    """The group of one player, made by `Cgroups.cell`."""

    def __init__(self, version: _Version, folders: Mapping[str, Path], locks: Sequence[int]) -> None:
        self._version = version
        self._folders = folders
        self._locks = locks
        self._oom_killed = False
        self._peak: int | None = None

    def add(self, pid: int) -> None:
        """Move a process into it, with all its threads; what it starts later is in it too.

        Raises:
            ProcessLookupError: it is gone.
            IsolationError: it cannot be moved.
        """
        for folder in _distinct(self._folders):
            try:
                _write(folder / "cgroup.procs", str(pid))
            except ProcessLookupError:
                raise
            except OSError as failed:
                raise IsolationError(
                    f"a player cannot be moved into the control group {folder} ({failed.strerror}): start the referee in a "
                    "group of its own, or in none"
                ) from None

    def oom_killed(self) -> bool:
        """Whether the kernel ended a process of it for the group's memory; stays known when the group is removed."""
        name = "memory.oom_control" if self._version == 1 else "memory.events"
        with suppress(OSError):
            lines = (self._folders["memory"] / name).read_text().splitlines()
            self._oom_killed = any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)
        return self._oom_killed

    def peak(self) -> int | None:
        """The most bytes that it has held at once, None where the kernel does not say."""
        name = "memory.max_usage_in_bytes" if self._version == 1 else "memory.peak"
        with suppress(OSError, ValueError):
            self._peak = int((self._folders["memory"] / name).read_text())
        return self._peak

    def remove(self) -> None:
        """Give the group back, and end whatever is left in it where the kernel can (theory, point 6)."""
        self.oom_killed()
        self.peak()
        for folder in _distinct(self._folders):
            _remove(folder)
        for lock in self._locks:
            os.close(lock)
        self._locks = ()


class Cgroups:
    """A place for players' groups.

    Attributes:
        version: of control groups.
        folders: by controller, memory and pids: the group that players' groups stand in.
    """

    def __init__(self, version: _Version, folders: Mapping[str, Path]) -> None:
        self.version = version
        self.folders = folders

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
            for setting in settings(self.version, limits):
                file = group._folders[setting.controller] / setting.file
                with suppress(*(() if setting.always else (FileNotFoundError, PermissionError))):
                    _write(file, setting.value)
        except OSError as failed:
            if group is not None:
                group.remove()
            raise IsolationError(
                f"no control group can be made in {self.folders['memory']} ({failed}): start the referee in a group of its "
                "own, or in none"
            ) from None
        return group

    def sweep(self) -> None:
        """Remove the groups of players that ended with their referees, and those that it was too early for."""
        for folder in _distinct(self.folders):
            with suppress(OSError):
                for name in os.listdir(folder):
                    if _OURS.fullmatch(name):
                        with suppress(OSError):
                            lock = hold(folder / name)
                            if lock is not None:
                                _remove(folder / name)
                                os.close(lock)

    def _new(self) -> Cgroup | None:
        """None: another took it for one that was left behind."""
        name = _CELL + secrets.token_hex(8)
        folders = {controller: folder / name for controller, folder in self.folders.items()}
        locks: list[int] = []
        group = Cgroup(self.version, folders, locks)
        try:
            for folder in _distinct(folders):
                folder.mkdir()
                lock = hold(folder)
                if lock is None:
                    group.remove()
                    return None
                locks.append(lock)
        except FileNotFoundError:
            group.remove()
            return None
        except OSError:
            group.remove()
            raise
        return group


def find(proc: Path = Path("/proc")) -> Cgroups | None:
    """The place for players' groups, None where there is none that is ours (theory, point 2); looked for once a process.

    With version 2 this process moves into a leaf.
    """
    return _find(proc, os.getpid())


@cache
def _find(proc: Path, pid: int) -> Cgroups | None:
    try:
        found = _second(proc, pid) or _first(proc, pid)
    except (OSError, ValueError):
        return None
    if found is not None:
        found.sweep()
    return found


def _second(proc: Path, pid: int) -> Cgroups | None:
    own = _own(proc, "")
    if own is None or not {"memory", "pids"} <= set((own / "cgroup.controllers").read_text().split()):
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
    if not {"memory", "pids"} <= set((base / "cgroup.subtree_control").read_text().split()):
        return None
    return Cgroups(2, {"memory": base, "pids": base})


def _first(proc: Path, pid: int) -> Cgroups | None:
    folders = {}
    for controller in ("memory", "pids"):
        own = _own(proc, controller)
        if own is None or not _is_ours(own, pid):
            return None
        folders[controller] = own
    return Cgroups(1, folders)


def _settle(base: Path) -> None:
    """Move all that is in a group of version 2 into its leaf, and hand its controllers down (theory, point 3)."""
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


def _own(proc: Path, controller: str) -> Path | None:
    """The folder of this process's group in a controller's tree; an empty name is version 2."""
    for line in (proc / "self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            break
    else:
        return None
    for kind, options, root, point in _mounts(proc):
        if kind == ("cgroup" if controller else "cgroup2") and (not controller or controller in options):
            with suppress(ValueError):  # it lies outside of what is mounted there
                inside = PurePosixPath(path).relative_to(root)
                if ".." not in inside.parts and (point / inside).is_dir():
                    return point / inside
    return None


def _mounts(proc: Path) -> Iterator[tuple[str, Sequence[str], str, Path]]:
    """Of each mount: the file system, its options, which of its folders, and where."""
    for line in (proc / "self/mountinfo").read_text().splitlines():
        fields = line.split()
        behind = fields.index("-", 6)
        root, point = (_OCTAL.sub(lambda octal: chr(int(octal[1], 8)), field) for field in fields[3:5])
        yield fields[behind + 1], fields[-1].split(","), root, Path(point)


def _distinct(folders: Mapping[str, Path]) -> Sequence[Path]:
    return list(dict.fromkeys(folders.values()))


def _write(file: Path, value: str) -> None:
    """The kernel's files take a value in one piece, and are never made."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)


def _remove(folder: Path) -> None:
    with suppress(OSError):  # only version 2 has it, from Linux 5.14 on
        _write(folder / "cgroup.kill", "1")
    with suppress(OSError):
        folder.rmdir()
