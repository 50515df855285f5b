"""How a build is started: in bubblewrap with compilers to read, or as an ordinary process.

1. The jail contains /usr, the configuration of compilers, what the caller adds, the folder to write to, its own /proc, the usual
   devices and a small /tmp. A fork server starts the build, as it starts a player. But it may make no namespaces, so all that the
   build starts ends with its jail. Its list of calls refuses a few calls (`scripts/filters/builds.py`), where a player's allows a
   few.
2. A shell joins stderr to stdout, so that they stay in order. bubblewrap's own messages come separately. The shell waits for
   the end of its input before it becomes the build. Until its start is known, the build could kill or change the fork server,
   and what it makes that report would look like a failure of the machine.
3. A root referee's builds have a pooled uid, which becomes the owner of the folder. Hard links to files elsewhere keep
   their owner: they may belong to somebody else, and the build may only read them.
4. rustup installs compilers into the user's home. A build sees the active tool chain, at a separate place, and nothing next to
   it.
5. No namespace separates the kernel's keys. So the list refuses the calls that use keys, and /proc/keys, which names all keys
   of the user, is hidden.
"""

from __future__ import annotations

import math
import os
import shutil
import stat
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from typing_extensions import override

from referee.errors import BotError, IsolationError, out_of
from referee.sandbox.calls import seccomp
from referee.sandbox.cells import bubblewrap, fork_server
from referee.sandbox.cells.bubblewrap import Bounds, only_child, spawn_bubblewrap
from referee.sandbox.cells.cell import TOKEN, BareCell
from referee.sandbox.cells.children import adopt_orphans
from referee.sandbox.cells.fork_server import ForkServer, FullCell
from referee.sandbox.cells.full import bwrap_path
from referee.sandbox.cells.guard import guard_cells, token
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.cells.mounts import Mounts
from referee.sandbox.cells.spawning import PIPES, spawn
from referee.sandbox.limits import Limits
from referee.sandbox.runtimes import system
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.tempdir import tempdir
from referee.sandbox.uid_pool import UIDS, borrow_uid
from referee.text.words import shorten

CONFIGURATION: Final = (*system.RUNTIMES, "ld.so.conf", "ld.so.conf.d", "fpc*.cfg")
"""What a build sees of /etc."""
PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")
"""Where a build finds programs by name, besides those of `RUST`."""
RUST: Final = "/opt/rust"
"""Where a build finds a Rust that is not the distribution's."""
_JOINED: Final = 'read -r _; exec "$@" 2>&1'
_KEYS: Final = ("/proc/keys", "/proc/key-users")
_NOTHING: Final = Path("/dev/null")
_SHELL: Final = "/bin/sh"
_ULIMIT_BLOCK: Final = 512


class Jail:
    """A folder prepared for builds, until the stack closes. The folder `tmp` is /tmp inside."""

    def __init__(self, name: str, folder: Path, binds: Sequence[Path], limits: Limits, stack: ExitStack) -> None:
        """Change the owner of the writable folder if necessary, and find out what to show.

        Args:
            binds: files and folders to show read-only, each at its own path. limits: the limits of each process.

        Raises:
            IsolationError: bubblewrap is missing, or a root referee cannot show the folder to others.
        """
        self._name = name
        self._limits = limits
        adopt_orphans()
        self._tempdir = stack.enter_context(tempdir())
        stack.enter_context(guard_cells(self._tempdir))
        self._bwrap = bwrap_path()
        self._server = fork_server.copy_server(self._tempdir)
        uid = stack.enter_context(borrow_uid())
        mounts = Mounts(self._tempdir, stack, uid)
        self.tmp = self._tempdir / "tmp"
        self.tmp.mkdir()
        for writable in (self.tmp, folder):
            open_up(writable, uid)
        self._folder = mounts.reachable(folder)
        system_binds, self._links = system.system_binds(CONFIGURATION)
        self._binds = [*system_binds, *((_NOTHING, path) for path in _KEYS if os.path.exists(path))]
        self._binds += [(mounts.reachable(path), str(path)) for path in binds]
        self._path = list(PATH)
        if (rust := rust_outside_usr()) is not None:
            with suppress(IsolationError):
                self._binds.append((mounts.reachable(rust), RUST))
                self._path.insert(0, f"{RUST}/bin")
        mounts.show()
        seccomp.bpf("builds")  # read here, in a thread, so that it delays no match
        owner = None if uid is None else Owner(IdThread(stack), uid, mounts.namespace)
        self._bounds = Bounds(limits, owner)

    def spawn(self, argv: Sequence[str], env: Mapping[str, str]) -> JailCell:
        """Make a cell for a build command, which starts when the cell is settled and its stdin closed.

        Raises:
            OSError: the machine has no descriptor, process or memory left.
        """
        line, filter_fd = _joined(argv), seccomp.as_memfd("builds")
        usual = {"PATH": ":".join(self._path), "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}
        try:
            call = bubblewrap.build(
                self._bwrap,
                line,
                folder=self._folder,
                binds=self._binds,
                links=self._links,
                env={**usual, **env},
                tmp=self.tmp,
                server=self._server,
                filter_fd=filter_fd,
            )
            popen = spawn_bubblewrap(call, self._bounds, passed=(filter_fd,))
        finally:
            os.close(filter_fd)
        server = _BuildServer(popen, self._name, self._bounds, argv=line, calls="builds")
        try:
            return JailCell(server, PIPES, ForkServer.discard)
        except BaseException:  # no descriptors left
            server.discard()
            raise


class _BuildServer(ForkServer):
    """A fork server that is a child of bubblewrap's init (`bubblewrap.build`)."""

    @override
    def started(self) -> int | None:
        return only_child(super().started())


class JailCell(FullCell):
    """A build in its jail."""

    @property
    def popen(self) -> subprocess.Popen[bytes]:
        """bubblewrap, of which all processes in the jail descend."""
        return self._server.popen

    @override
    async def sweep(self) -> None:
        await self._server.all_gone()


def spawn_open(
    name: str, argv: Sequence[str], folder: Path, env: Mapping[str, str], file_size: int, family: str = ""
) -> BareCell:
    """Start a build command as an ordinary process that may write no file above `file_size`; `family`: see `guard`.

    Raises:
        BotError: it cannot be started. OSError: the machine has no descriptor, process or memory left.
    """
    host = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    shell, option, script, *rest = _joined(argv)
    # A lower limit of the user stays.
    limited = f"ulimit -c 0; ulimit -f {math.ceil(file_size / _ULIMIT_BLOCK)} 2>/dev/null; {script}"
    mark = token(family)
    adopt_orphans()
    try:
        popen = spawn([shell, option, limited, *rest], cwd=folder, env={**host, "LANG": "C.UTF-8", **env, TOKEN: mark})
    except OSError as failed:
        if out_of(failed):
            raise
        raise BotError(f"bot {shorten(name)} cannot be built in {shorten(str(folder))}: {failed.strerror}") from None
    return BareCell(popen, f"{TOKEN}={mark}".encode())


def rust_outside_usr() -> Path | None:
    """The tool chain that the rustc on PATH uses by default; None if there is no rustc, or if it is the distribution's."""
    rustc = shutil.which("rustc")
    if rustc is None or Path(rustc).resolve().is_relative_to("/usr"):
        return None
    try:
        sysroot = Path(answer(Path(rustc), "--print", "sysroot").partition("\n")[0])
    except (OSError, ValueError):
        return None
    return sysroot if (sysroot / "bin/rustc").is_file() else None


def open_up(folder: Path, uid: int | None) -> None:
    """Make a folder and everything in it writable for a build, which runs as `uid` (None: as us). No other program may use it.

    Raises:
        OSError: the folder is not ours, or does not exist.
    """
    _give(str(folder), None, uid)
    for _, folders, files, at in os.fwalk(folder, follow_symlinks=False):
        for name in folders + files:
            _give(name, at, uid)


def _give(name: str, at: int | None, uid: int | None) -> None:
    status = os.stat(name, dir_fd=at, follow_symlinks=False)
    is_folder = stat.S_ISDIR(status.st_mode)
    if not is_folder and not stat.S_ISREG(status.st_mode):
        return
    # Theory, point 3; an earlier build of ours may own it.
    if not is_folder and status.st_nlink > 1 and status.st_uid not in UIDS:
        return
    if uid is not None:
        os.chown(name, uid, uid, dir_fd=at, follow_symlinks=False)
    mode = stat.S_IMODE(status.st_mode) & 0o777 | (0o700 if is_folder else 0o600)
    if mode != stat.S_IMODE(status.st_mode):
        os.chmod(name, mode, dir_fd=at)


def _joined(argv: Sequence[str]) -> list[str]:
    return [_SHELL, "-c", _JOINED, _SHELL, *argv]
