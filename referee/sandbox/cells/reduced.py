"""Level reduced: Landlock, the list of allowed system calls, resource limits; for machines that forbid user namespaces.

1. The program is the referee's own child: a small launcher (`confine.py`) confines itself and then becomes the program.
   There is one process and no group or namespace to kill; the list of system calls lets it start no other.
2. A program can still ask whether a path exists, and for its size and times. It sees the host's name, its user and the numbers
   of other processes. The list of system calls keeps it from touching those.
3. The launcher writes to a descriptor of its own when it is confined, or which stage failed and why. The descriptor closes when
   the program begins.
"""

from __future__ import annotations

import json
import marshal
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError, out_of
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells import confine
from referee.sandbox.cells.bubblewrap import SETTLE
from referee.sandbox.cells.cell import ChildCell
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring, spawn
from referee.sandbox.cells.staged import StagingSandbox
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import Program
from referee.sandbox.runtimes import Runtime, base_python, system
from referee.sandbox.runtimes.bot_files import hide
from referee.sandbox.uid_pool import UIDS, borrow_uid, can_reach
from referee.text.words import harmless, shorten

_STATUS_CAP: Final = 4096
_LAUNCHER: Final = Path(confine.__file__)


class ReducedSandbox(StagingSandbox):
    """Starts programs that confine themselves. Made by `opening.open_sandbox`, which also ends what is on `stack`."""

    level: Final = Level.REDUCED

    def __init__(self, limits: Limits, tempdir: Path, stack: ExitStack, hidden: Iterable[Path] = ()) -> None:
        if (abi := confine.landlock_abi()) < 1:
            raise IsolationError(
                "This kernel has no Landlock (5.13 or newer, and `landlock` among its security modules): "
                "--isolation reduced cannot hold here. To run trusted programs without protection: --isolation none"
            )
        super().__init__(limits, tempdir, stack, hidden, {"files": f"landlock {abi}"})

    @override
    async def _launch(self, program: Program, resources: ExitStack) -> ReducedLaunch:
        folder, runtime = await self.stage_folder(program, resources)
        if os.getuid() == 0:
            for host, _ in runtime.binds:
                if not can_reach(host, UIDS[0]):
                    raise IsolationError(isolation_errors.out_of_reach(host))
        hide(program, self.hidden, resources)
        return ReducedLaunch(program.name, runtime, folder, self)


@dataclass(frozen=True)
class ReducedLaunch:
    """Starts a program at level reduced. Messages call the bot `name`."""

    name: str
    _runtime: Runtime
    _folder: Path
    _sandbox: ReducedSandbox

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> ReducedCell:
        """Start the program."""
        with ExitStack() as ours, ExitStack() as theirs, ExitStack() as resources:
            uid = resources.enter_context(borrow_uid())
            status, status_in = os.pipe()
            ours.callback(os.close, status)
            theirs.callback(os.close, status_in)
            filter_fd = seccomp.as_memfd(self._runtime.calls)
            theirs.callback(os.close, filter_fd)
            spec_fd = seccomp.memfd("spec", self._spec(uid))
            theirs.callback(os.close, spec_fd)
            passed = (status_in, filter_fd, spec_fd)
            popen = spawn(launch_line(base_python(), *passed), passed=passed, wiring=wiring)
            cell = ReducedCell(popen, self.name, status)
            cell.memory = self._sandbox.limits.memory
            cell.resources = resources.pop_all()
            ours.pop_all()
            return cell

    def _spec(self, uid: int | None) -> bytes:
        visible = {host: system.visible_in(host, self._sandbox.hidden) for host, _ in self._runtime.binds}
        whole = [str(host) for host, paths in visible.items() if paths == [host]]
        parts = [str(path) for host, paths in visible.items() if paths != [host] for path in paths]
        return spec(
            argv=self._runtime.argv,
            env=self._runtime.env,
            cwd=str(self._folder),
            read=[str(self._folder), *whole, "/dev/random", "/dev/urandom"],
            beside=parts,
            limits=self._runtime.room(self._sandbox.limits),
            uid=uid,
        )


class ReducedCell(ChildCell):
    """A program that has confined itself: one process, which is the outer one too."""

    def __init__(self, popen: subprocess.Popen[bytes], name: str, status: int) -> None:
        super().__init__(popen)
        os.set_blocking(status, False)
        self._name = name
        self._status = status

    @override
    async def settle(self) -> None:
        output = b""
        try:
            with trio.fail_after(SETTLE):
                while len(output) < _STATUS_CAP:
                    await trio.lowlevel.wait_readable(self._status)
                    chunk = os.read(self._status, _STATUS_CAP)
                    if not chunk:
                        break
                    output += chunk
        except trio.TooSlowError:
            raise IsolationError(isolation_errors.slow(self._name, SETTLE)) from None
        lines = [json.loads(line) for line in output.splitlines()]
        failed = next((line for line in lines if "failed" in line), None)
        if failed is not None and out_of(OSError(failed["errno"], "")):  # this is not the bot's fault
            raise IsolationError(isolation_errors.SCARCE)
        if failed is not None and failed["stage"] == "exec":
            raise BotError(f"bot {shorten(self._name)} cannot be started: {harmless(shorten(failed['failed']))}")
        if failed is not None or not lines:
            why = harmless(shorten(failed["failed"])) if failed else "its launcher ended without a message"
            raise IsolationError(f"The cell of bot {shorten(self._name)} could not be set up: {why}")

    @override
    def close(self) -> None:
        super().close()
        os.close(self._status)


def launch_line(python: Path, status: int, filter_fd: int, spec_fd: int) -> list[str]:
    """The command that becomes the player: the base of a virtual environment runs `confine.py`, with these descriptors.

    They must be inherited under their numbers, from 3 up. No other process may hold `status` open. The others are fresh ones of
    `seccomp.as_memfd` and `seccomp.memfd`.
    """
    return [str(python), "-I", "-S", "-B", str(_LAUNCHER), str(status), str(filter_fd), str(spec_fd)]


def spec(
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str,
    read: list[str],
    limits: Limits,
    *,
    beside: Sequence[str] = (),
    uid: int | None = None,
) -> bytes:
    """What to confine and to execute. Only this process may launch it: the player ends with its parent.

    Args:
        argv: the program, as an absolute path, and its arguments. env: its whole environment.
        read: files, and folders with all that is below them, that it may read and execute. All must exist. Links are
            followed.
        beside: the same, but of those that were found beside something hidden. They may have been removed since.
        uid: a pooled user to become, when started as root, with the group of the same number. Only then are threads limited:
            the kernel counts those of all processes of a user.
    """
    rlimits = limits.rlimits()
    if uid is None:
        del rlimits["RLIMIT_NPROC"]
    program = {"argv": list(argv), "env": dict(env), "cwd": cwd}
    files = {"read": read, "beside": list(beside)}
    return marshal.dumps({**program, **files, "limits": rlimits, "uid": uid, "parent": os.getpid()})
