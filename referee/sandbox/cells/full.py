"""Level full: bubblewrap's namespaces, the list of allowed system calls, resource limits.

1. The outer process is bubblewrap, the referee's child. Its child is the init of the cell, whose end is the end of
   everything in it; the program proper is the only child of that init.
2. Order of a start: spawn; read the init's number; open descriptors of it; set its limits (the program inherits them) and
   make it the kernel's first choice when memory runs out; join its cgroup where there is one; let it go; find the program.
   Only then does the program's code run, so there is no moment without limits.
3. The program has begun when it has another name than bubblewrap's; or after `BEGIN`, because it may call itself what it
   likes. A program that cannot be executed shows by an end without an exit status: that is a `BotError`, and comes before
   anybody is asked anything. Nor has it begun before the init has closed itself in, because only then does the init end
   with its parent.
4. A root referee gives every seat a uid of its own, because what belongs to root is free of some limits. It may not be
   allowed to set limits of other uids (a container's root), so a shell in front of bubblewrap sets them (`spare.py`).
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.errors import BotError, IsolationError
from referee.sandbox import diagnosis
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap import Descriptors, Status, player
from referee.sandbox.cells.cell import Cell, discard
from referee.sandbox.cgroups import Cgroup, Cgroups
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import FOLDER, Program
from referee.sandbox.runtimes import Runtime, describe
from referee.sandbox.spare import can_reach, can_unhide, root_line, spare_uid
from referee.sandbox.staging import stage

SETTLE: Final = 20.0
"""Seconds that a cell may take to be set up: some milliseconds on an idle machine, much more on one that swaps."""
BEGIN: Final = 0.5
"""Seconds after which a program that is there and has not ended is taken to have begun."""
_SPIN: Final = 200
"""Looks at a beginning program before sleeping between them: an exec is due within a millisecond."""
_BURIAL: Final = 1000
"""Milliseconds."""
_WORDS_CAP: Final = 8192


def bwrap_path() -> str:
    """Where bubblewrap is. Raises: IsolationError."""
    found = shutil.which("bwrap")
    if found is None:
        raise IsolationError(diagnosis.NO_BUBBLEWRAP)
    return str(Path(found).resolve())


class FullSandbox:
    """Starts programs in cells. Made by `opening.opened`, which also ends what is on `stack`."""

    level: Final = Level.FULL

    def __init__(self, limits: Limits, workshop: Path, cgroups: Cgroups | None, stack: ExitStack) -> None:
        self._limits = limits
        self._workshop = workshop
        self._cgroups = cgroups
        self._stack = stack
        self._bwrap = bwrap_path()
        self._launches = 0
        seccomp.bpf()  # whoever lacks what it needs should hear so before a bot is looked at

    @property
    def parts(self) -> Mapping[str, str]:
        """What is in force, for records."""
        return {
            "namespaces": "bubblewrap",
            "calls": f"seccomp {seccomp.digest()}",
            "memory": "cgroup" if self._cgroups is not None else "rlimit",
        }

    async def prepare(self, program: Program) -> FullLaunch:
        """Stage the bot's folder and find out what its runtime needs.

        Raises:
            BotError: its folder holds what may not be in one, or its program cannot run. IsolationError: see `opened`.
        """
        self._launches += 1
        number = self._launches  # others may be made ready meanwhile
        place = self._workshop / f"bot{number}"
        placed = await trio.to_thread.run_sync(stage, program, place, self._limits)
        runtime = await trio.to_thread.run_sync(partial(describe, program, FOLDER, placed, memory=self._limits.memory))
        uid = self._stack.enter_context(spare_uid()) if os.getuid() == 0 else None
        binds, hidden = self._reachable(runtime, uid, number)
        return FullLaunch(program, runtime, place, binds, hidden, uid, self._limits, self._cgroups, self._bwrap)

    def _reachable(
        self, runtime: Runtime, uid: int | None, launch: int
    ) -> tuple[list[tuple[Path, str]], list[tuple[Path, Path]]]:
        """What to bind from where: what a spare uid cannot reach is shown to it in the workshop first."""
        binds: list[tuple[Path, str]] = []
        hidden: list[tuple[Path, Path]] = []
        for bind, (host, inside) in enumerate(runtime.binds):
            if uid is None or can_reach(host, uid):
                binds.append((host, inside))
                continue
            if not can_unhide():
                raise IsolationError(diagnosis.hidden(host))
            shown = self._workshop / f"shown{launch}-{bind}"
            if host.is_dir():
                shown.mkdir()
            else:
                shown.touch()
            hidden.append((host, shown))
            binds.append((shown, inside))
        return binds, hidden


class FullLaunch:
    """See `Launch`: the staged folder and the runtime stay, so that it can be spawned again."""

    def __init__(
        self,
        program: Program,
        runtime: Runtime,
        folder: Path,
        binds: list[tuple[Path, str]],
        hidden: list[tuple[Path, Path]],
        uid: int | None,
        limits: Limits,
        cgroups: Cgroups | None,
        bwrap: str,
    ) -> None:
        self._program = program
        self._runtime = runtime
        self._folder = folder
        self._binds = binds
        self._before = [] if uid is None else root_line(uid, limits, hidden)
        self._limits = limits
        self._own_limits = None if uid is not None else limits  # those that are not set beforehand
        self._cgroups = cgroups
        self._bwrap = bwrap

    @property
    def name(self) -> str:
        """How messages call the bot."""
        return self._program.name

    def spawn(self) -> FullCell:
        """See `Launch`."""
        with ExitStack() as ours, ExitStack() as theirs:
            status, status_in = os.pipe()
            ours.callback(os.close, status)
            theirs.callback(os.close, status_in)
            block_out, block = os.pipe()
            ours.callback(os.close, block)
            theirs.callback(os.close, block_out)
            filter_fd = seccomp.as_memfd()
            theirs.callback(os.close, filter_fd)
            group = self._cgroups.cell(self._limits) if self._cgroups is not None else None
            if group is not None:
                ours.callback(group.remove)
            fds = Descriptors(status_in, block_out, filter_fd)
            call = player(
                self._bwrap,
                self._runtime.argv,
                folder=self._folder,
                binds=self._binds,
                links=self._runtime.links,
                env=self._runtime.env,
                proc=self._program.proc,
                fds=fds,
            )
            popen = subprocess.Popen(
                [*self._before, *call],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd="/",
                env={},
                start_new_session=True,
                pass_fds=(fds.status, fds.block, filter_fd),
            )
            try:
                cell = FullCell(popen, self.name, status, block, self._own_limits, group)
                cell.memory = self._limits.memory
            except BaseException:
                discard(popen)
                raise
            ours.pop_all()
            return cell


class FullCell(Cell):
    """A program in bubblewrap."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        name: str,
        status: int,
        block: int,
        limits: Limits | None,
        group: Cgroup | None,
    ) -> None:
        super().__init__(popen)
        os.set_blocking(status, False)
        self._name = name
        self._status_fd = status
        self._status = Status()
        self._block = block
        self._limits = limits
        self._group = group
        self._init: int | None = None
        self._program: tuple[int, int] | None = None

    @property
    def pid(self) -> int | None:
        """See `Cell`."""
        return None if self._program is None else self._program[0]

    async def settle(self) -> None:
        """See `Cell` (theory, points 2 and 3)."""
        try:
            with trio.fail_after(SETTLE):
                while self._status.child is None and not self._status.closed:
                    await self._listen()
                child = self._status.child
                if child is not None:
                    await self._release(child)
        except trio.TooSlowError:
            raise IsolationError(diagnosis.slow(self._name, SETTLE)) from None
        if self._status.closed and self._status.exit_code is None:
            raise self._failure()

    def kill(self) -> None:
        """See `Cell`: with the init goes everything."""
        if self._init is None:
            self.kill_outer()
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._init, signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """See `Cell`."""
        if self._program is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._program[1], number)

    def out_of_memory(self) -> bool:
        """See `Cell`."""
        return self._group is not None and self._group.oom_killed()

    def close(self) -> None:
        """See `Cell`."""
        super().close()
        os.close(self._status_fd)
        if self._block >= 0:
            os.close(self._block)
        if self._init is not None:
            self._reap(self._init)
            os.close(self._init)
        if self._program is not None:
            os.close(self._program[1])
        if self._group is not None:
            self._group.remove()

    def _reap(self, init: int) -> None:
        """Bury the init, which bubblewrap leaves behind: a dead one still counts as a process of its uid.

        It ends right behind bubblewrap, so there is next to nothing to wait for. It is the referee's to reap if the referee
        adopts orphans, as it does with players; else that of the machine's own first process.
        """
        self.kill()
        gone = select.poll()
        gone.register(init, select.POLLIN)
        if gone.poll(_BURIAL):
            with suppress(ChildProcessError):
                os.waitid(os.P_PIDFD, init, os.WEXITED | os.WNOHANG)

    async def _listen(self) -> None:
        await trio.lowlevel.wait_readable(self._status_fd)
        self._hear()

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            self._status.feed(os.read(self._status_fd, 4096))

    async def _release(self, child: int) -> None:
        """Set the limits, let it go, and wait until the program has begun or ended."""
        try:
            self._init = os.pidfd_open(child)
            if self._limits is not None:
                self._confine(child, self._limits)
            if self._group is not None:
                self._group.add(child)
        except (ProcessLookupError, FileNotFoundError):  # it gave up by itself: its last words say why
            while not self._status.closed:
                await self._listen()
            return
        with suppress(BrokenPipeError):
            os.write(self._block, b"!")
        os.close(self._block)
        self._block = -1
        looks, patience = 0, trio.current_time() + BEGIN
        while not self._begun(child, by_looks=trio.current_time() < patience) and not self._status.over:
            looks += 1
            await trio.sleep(0 if looks < _SPIN else 0.001)
            self._hear()
        # bubblewrap ends right behind the program that it could not execute, and only then tells nothing.
        while self._program is None and not self._status.over:
            await self._listen()

    def _begun(self, child: int, *, by_looks: bool) -> bool:
        """Whether the program proper runs; its number and a descriptor are known then."""
        pid = _only_child(child)
        if pid is None:
            return False
        try:
            if by_looks and Path(f"/proc/{pid}/comm").read_bytes() == b"bwrap\n":
                return False
            if by_looks and b"\nSeccomp:\t2\n" not in Path(f"/proc/{child}/status").read_bytes():
                return False
            self._program = (pid, os.pidfd_open(pid))
        except (ProcessLookupError, FileNotFoundError):
            return False
        return True

    @staticmethod
    def _confine(pid: int, limits: Limits) -> None:
        try:
            for which, soft, hard in _rlimits(limits):
                resource.prlimit(pid, which, (soft, hard))
        except PermissionError as failed:  # the referee's own are lower, and nobody may raise them
            raise IsolationError(diagnosis.low_limits(str(failed))) from None
        with suppress(OSError):  # a kindness to the rest of the machine, not a limit
            Path(f"/proc/{pid}/oom_score_adj").write_text("1000")

    def _failure(self) -> BotError | IsolationError:
        words = b""
        os.set_blocking(self.stderr.fileno(), False)
        with suppress(BlockingIOError):
            words = os.read(self.stderr.fileno(), _WORDS_CAP)
        return diagnosis.failure(self._name, words.decode(errors="replace"))


def _only_child(pid: int) -> int | None:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_bytes().split()
    except (ProcessLookupError, FileNotFoundError):
        return None
    return int(children[0]) if children else None


def _rlimits(limits: Limits) -> list[tuple[int, int, int]]:
    """(which, soft, hard) of a player that is in a user namespace of its own, where its threads are counted from 0."""
    same = [
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_AS, limits.address_space),
        (resource.RLIMIT_NPROC, limits.threads),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 64 * 1024),
        (resource.RLIMIT_SIGPENDING, limits.signals),
    ]
    return [(which, value, value) for which, value in same] + [(resource.RLIMIT_CPU, limits.cpu, limits.cpu + 1)]
