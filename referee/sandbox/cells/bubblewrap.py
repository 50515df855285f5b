"""The arguments of bubblewrap. Pure.

1. A cell for a player has namespaces of its own for users, processes, network, IPC, host name, mounts and (where the
   kernel has them) cgroups; a root that holds /usr, what else its runtime needs and its own folder, all read-only; no /proc,
   and of all devices `null`, `random` and `urandom`. The root is the only tmpfs, and is made read-only: the memory of files in
   a tmpfs is not counted. There is no /dev/zero for the same reason: a shared mapping of it is in no process's data segment.
2. Its environment is what its runtime needs, and nothing of the user's: bubblewrap itself is started with none.
3. For a player and for a build, bubblewrap executes a fork server, which starts the program when its limits are set.
4. `--die-with-parent` follows the thread that spawned, so that one must outlive the cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from referee.sandbox.program import FOLDER
from referee.sandbox.runtimes import Runtime

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


def player(
    bwrap: str,
    runtime: Runtime,
    *,
    folder: Path,
    binds: Iterable[tuple[Path, str]],
    over: Iterable[tuple[Path, str]],
    server: Path,
) -> list[str]:
    """The call for a fork server, which starts a player again and again.

    Args:
        bwrap: bubblewrap's own path.
        runtime: the program inside, its links and its environment.
        folder: the bot's staged folder, seen as `FOLDER`.
        binds: what the runtime binds: (on the host, inside), all read-only. over: the same, over what those show.
        server: the fork server on the host.
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
    binds: Iterable[tuple[Path, str]],
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


def _bind_options(binds: Iterable[tuple[Path, str]], links: Iterable[tuple[str, str]]) -> list[str]:
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
