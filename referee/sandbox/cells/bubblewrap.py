"""A process in bubblewrap: its arguments, how it is limited, and how it ends.

1. A cell for a player has namespaces of its own for users, processes, network, IPC, host name, mounts and (where the
   kernel has them) cgroups; a root that holds /usr, what else its runtime needs and its own folder, all read-only; no /proc,
   and of all devices `null`, `random` and `urandom`. The root is the only tmpfs, and is made read-only: the memory of files in
   a tmpfs is not counted. There is no /dev/zero for the same reason: a shared mapping of it is in no process's data segment.
2. Its environment is what its runtime needs, and nothing of the user's: bubblewrap itself is started with none.
3. `--die-with-parent` follows the thread that spawned, so that one must outlive the cell.
4. The outer process is bubblewrap, the referee's child. Its child is the init process of the cell. When the init ends, everything
   in the cell ends.
5. bubblewrap executes a fork server, which starts nothing before it is told to. Until then its limits are set from outside, and
   all that it starts inherits them. It also becomes the kernel's first choice when memory runs out.
6. prlimit(2) requires one of two things: a capability (CAP_SYS_RESOURCE), which root in a container often lacks, or that all
   ids of the process are the caller's real ids. An ordinary user's player has the user's ids. A root referee's player has a
   pooled uid, so a thread takes on its real ids and sets the limits (`id_thread.py`). `prlimit` in front of bubblewrap would do
   the same, but takes 0.6 ms of CPU time to load.
7. Until the init is known, the process group is killed, which is bubblewrap's own. The init is in it even if bubblewrap has
   been killed by somebody else. And bubblewrap makes none later: the kernel adds no process to a group that it is killing.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.cells.cell import ChildCell
from referee.sandbox.cells.id_thread import Owner
from referee.sandbox.cells.spawning import ALL_SOCKETS, spawn
from referee.sandbox.limits import Limits
from referee.sandbox.meter import read_once
from referee.sandbox.program import FOLDER
from referee.sandbox.runtimes import Runtime

_Binds: TypeAlias = Iterable[tuple[Path, str]]
DEVICES: Final = ("/dev/null", "/dev/urandom")
_NAMESPACES: Final = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
)
_NOBODY: Final = ("--cap-drop", "ALL", "--hostname", "bot", "--uid", "65534", "--gid", "65534")
_SERVER: Final = "/fork-server"
"""Where a cell shows its fork server."""
_FOR_SERVER: Final = ("--as-pid-1", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SETPCAP")
"""It makes namespaces for each program, and gives up what it has for that before the program runs."""


def player(bwrap: str, runtime: Runtime, folder: Path, binds: _Binds, over: _Binds, server: Path) -> list[str]:
    """The call for a fork server, which starts a player again and again.

    Args:
        bwrap, server: the paths of bubblewrap and of the fork server on the host.
        folder: the bot's staged folder, seen as `FOLDER`.
        binds: what the runtime binds: (on the host, inside), all read-only. over: the same, over what those show.
    """
    call = [bwrap, *_NAMESPACES, *_NOBODY, *_FOR_SERVER, *_bind_options(binds, runtime.links), *_bind_options(over, ())]
    for device in DEVICES:
        call += ["--dev-bind", device, device]
    call += ["--symlink", "urandom", "/dev/random"]  # the same since Linux 5.6, and a mount less
    call += ["--ro-bind", str(server), _SERVER, "--ro-bind", str(folder), FOLDER]
    return [*call, *_inside(runtime.env), "--", _SERVER, *runtime.argv]


def build(
    bwrap: str,
    argv: Iterable[str],
    *,
    folder: Path,
    binds: _Binds,
    links: Iterable[tuple[str, str]],
    env: Mapping[str, str],
    tmp: Path,
    server: Path,
    filter_fd: int,
) -> list[str]:
    """The call for a build: `folder` and /tmp, which is `tmp`, may be written, and there are /proc and devices.

    The rest is as for a player. A build may change all processes in its cell (/proc/PID/mem), so the filter, a descriptor, holds
    for its fork server too. bubblewrap's own init is the first process, because it reaps orphans. /tmp is not a tmpfs: the memory
    of its files would not be counted, and bubblewrap limits it only since 0.7.
    """
    call = [bwrap, *_NAMESPACES, *_NOBODY]
    call += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--bind", str(tmp), "/tmp"]
    call += _bind_options(binds, links)  # after /tmp, because what is shown may be there
    call += ["--ro-bind", str(server), _SERVER, "--bind", str(folder), FOLDER]
    return [*call, *_inside(env), "--seccomp", str(filter_fd), "--", _SERVER, *argv]


def _bind_options(binds: _Binds, links: Iterable[tuple[str, str]]) -> list[str]:
    """What the program sees of the host, read-only, and the links to it."""
    call: list[str] = []
    for host, inside in binds:
        call += ["--ro-bind", str(host), inside]
    for target, inside in links:
        call += ["--symlink", target, inside]
    return call


def _inside(env: Mapping[str, str]) -> list[str]:
    """A read-only root, the working folder, and the environment."""
    call = ["--remount-ro", "/", "--chdir", FOLDER]
    for name, value in env.items():
        call += ["--setenv", name, value]
    return call


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for a process of this owner (None: the referee's own user), set before it starts (theory, points 5 and 6)."""

    limits: Limits
    owner: Owner | None = None

    def impose(self, pid: int) -> None:
        """Set the limits of a process. Its children inherit them.

        Raises:
            ProcessLookupError: it has ended.
            IsolationError: the referee's own limits are lower and cannot be raised, or root may not take on other ids.
        """
        if self.owner is None:
            self._set(pid)
        else:
            self.owner.limit(partial(self._set, pid))

    @contextmanager
    def room(self) -> Iterator[None]:
        """Raise the referee's own soft limit of processes: no process in a user namespace can exceed that of its maker."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        resource.setrlimit(resource.RLIMIT_NPROC, (hard, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))

    def _set(self, pid: int) -> None:
        for name, soft_and_hard in self.limits.rlimits().items():
            try:
                resource.prlimit(pid, getattr(resource, name), soft_and_hard)
            except PermissionError as failed:
                raise IsolationError(isolation_errors.low_limits(f"{name}: {failed.strerror}")) from None


SETTLE: Final = 20.0
"""Seconds that a cell may take to be set up: some milliseconds on an idle machine, much more on one that swaps."""
_BURIAL: Final = 1000
"""Milliseconds that all processes of a killed cell have to end; a few are usual."""
_WORDS_CAP: Final = 8192


def spawn_bubblewrap(call: Sequence[str], bounds: Bounds, *, passed: Collection[int] = ()) -> subprocess.Popen[bytes]:
    """Start bubblewrap under the ids of the bounds, which are not imposed yet. All its streams are sockets."""
    start = None if bounds.owner is None else bounds.owner.start
    with bounds.room():
        return spawn(call, passed=passed, wiring=ALL_SOCKETS, start=start)


class BubblewrapCell(ChildCell):
    """A process in bubblewrap; `end` and `pid` are bubblewrap's own."""

    def __init__(self, popen: subprocess.Popen[bytes], name: str, bounds: Bounds) -> None:
        """`name` is the bot's in messages. Raises: OSError: no descriptors left; bubblewrap is ended."""
        super().__init__(popen)
        self._name = name
        self._bounds = bounds
        self._init: int | None = None

    @staticmethod
    @override
    def abort(popen: subprocess.Popen[bytes]) -> None:
        """End bubblewrap and its init, which does not end with it yet."""
        with popen:
            os.killpg(popen.pid, signal.SIGKILL)
        with suppress(ChildProcessError):  # it has none yet, or the referee has not adopted it
            os.waitid(os.P_PGID, popen.pid, os.WEXITED)

    def failure(self) -> BotError | IsolationError:
        """Why bubblewrap has ended: its own words."""
        return isolation_errors.failure(self._name, self.words(_WORDS_CAP).decode(errors="replace"))

    def started(self) -> int | None:
        """The number of what bubblewrap has executed in the cell, usually as its init; None if that has ended."""
        return only_child(self.popen.pid)

    def limit(self) -> bool:
        """Find the init, and limit what bubblewrap has executed. Returns whether it is there. Raises: as `Bounds.impose`."""
        init, started = only_child(self.popen.pid), self.started()
        if init is None or started is None:
            return False
        try:
            self._init = os.pidfd_open(init)
            self._bounds.impose(started)
        except ProcessLookupError:
            return False
        # This protects other programs when memory runs out, and is not a limit.
        with suppress(OSError), open(f"/proc/{started}/oom_score_adj", "wb", buffering=0) as file:
            file.write(b"1000")
        return True

    @override
    def kill(self) -> None:
        """End the init process of the cell; all others end with it."""
        with suppress(ProcessLookupError):
            if self._init is not None:
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
            else:  # it may not end with bubblewrap yet (theory, point 7)
                os.killpg(self.popen.pid, signal.SIGKILL)

    async def all_gone(self) -> None:
        """Kill everything in the cell and wait until it is dead, so that `discard` does not block. Must not be cancelled."""
        self.kill()
        with trio.move_on_after(_BURIAL / 1000):
            await trio.lowlevel.wait_readable(self.end if self._init is None else self._init)

    @override
    def close(self) -> None:
        """Close it, and reap the init, which bubblewrap leaves behind: a zombie still counts as a process of its uid.

        The init ends right after bubblewrap, so there is hardly any wait. The referee can reap it only if it adopts orphans, as
        it does with players; otherwise the machine's own init process reaps it.
        """
        if self._init is None:
            with suppress(ChildProcessError):
                os.waitid(os.P_PGID, self.popen.pid, os.WEXITED)  # the init, if there is one
        else:
            self.kill()
            end_of_init = select.poll()
            end_of_init.register(self._init, select.POLLIN)
            if end_of_init.poll(_BURIAL):
                with suppress(ChildProcessError):
                    os.waitid(os.P_PIDFD, self._init, os.WEXITED | os.WNOHANG)
            os.close(self._init)
        super().close()  # last: the next player with this uid may start now


def only_child(pid: int | None) -> int | None:
    """The child of a process that has one; None if it has none, or if there is no process."""
    if pid is None:
        return None
    pids = read_once(f"/proc/{pid}/task/{pid}/children").split()
    return int(pids[0]) if pids else None
