"""Runs one untrusted build command: with compilers, one writable folder, and nothing else.

1. A build is as untrusted as a bot, and it may start other programs. So it gets its own namespaces, no network,
   compilers, its folder, a small /tmp, and a list of refused system calls (`jail.py`).
2. Limits hold from its first instruction, as for players: memory of a process, size of a file, number of processes. The memory
   of all processes together and the size of the folder are checked repeatedly. Files without a name show only in
   the free space of the disk, and memory outside of processes only in what the machine has available (`growth.py`). These may
   not shrink by more than `disk` and `machine`, whoever uses them.
3. Output is read continuously, and its first and last bytes are kept. The build is over when its first process ends. Processes
   that it left running are ended.
4. Its result is untrusted: names in the folder may be links to anywhere. Callers copy the result with
   `staging.stage`, which follows no link. The folder must be out of other users' reach, as a `tempdir` is: it may contain a
   stranger's setuid program, and a root referee's builds give everything in it to a pooled uid.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.contract.clock import seconds
from referee.errors import IsolationError, RefereeError
from referee.sandbox.builds.growth import available, free, outgrown
from referee.sandbox.builds.jail import Jail, JailCell, open_up, spawn_open
from referee.sandbox.cells.cell import BareCell
from referee.sandbox.cells.guard import guard_family
from referee.sandbox.isolation_errors import check_proc
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.log import Log
from referee.sandbox.meter import Meter
from referee.text.words import harmless

ROOM: Final = 16 * MIB
"""Free bytes of a disk without which no build begins: its compiler would fail as if the bot were to blame."""
LOOK: Final = 0.1
"""Seconds between two checks of a build's memory."""
WALKING: Final = 0.1
"""The largest share of the time for walks through its folder."""
FILES: Final = 1024
"""Descriptors of one process: the usual limit."""
SEEN: Final = 4096
"""The most processes that are checked; a jail holds far fewer."""
_CHUNK: Final = 64 * 1024
_PIPE: Final = 32
"""Chunks that a pipe can hold at most, and one more."""
REDUCED: Final = (
    "Builds are isolated by bubblewrap, which --isolation reduced does not use: build where --isolation full works and "
    "bring the program, or build trusted sources with --isolation none"
)
"""The error for a level without builds."""


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """What one build command may use; sizes in bytes, times in seconds."""

    seconds: float = 120.0
    """Twenty times what a bot of one file needs with a usual compiler; a small Rust crate needs a minute."""
    memory: int = 2048 * MIB
    """Of each process (private and writable), and of all together (resident). Twice what heavy C++ templates need."""
    machine: int = max(2, os.cpu_count() or 1) * memory
    """How much available memory the machine may lose during a build, at most nine tenths. As many builds as there are processors
    run at once, and each may use all of its memory."""
    file_size: int = 256 * MIB
    """The largest file: half of the folder's limit."""
    folder: int = 512 * MIB
    """The size of the folder after the build: more could not be staged."""
    folder_files: int = 20_000
    """Files and folders in it: more could not be staged."""
    disk: int = 8 * 1024 * MIB
    """How much space the folder's disk may lose during a build. Large, because other programs use the disk too."""
    tmp: int = 256 * MIB
    """/tmp, with as many files as the folder. Compilers put intermediate files there, a few MiB."""
    processes: int = 256
    """Processes and threads: javac starts 30, `make -j` a dozen."""
    output: int = 64 * 1024
    """Bytes of output that are kept, half of them from the end: some hundred error messages."""


@dataclass(frozen=True, slots=True)
class Built:
    """The result of a build command.

    Attributes:
        status: the exit status, 128 + n after signal n; None if the command was ended for exceeding a limit.
        output: stdout and stderr, capped, safe to show in a terminal.
        why: why the command was ended, in words that follow "the build"; None if it ended by itself.
    """

    status: int | None
    output: str
    why: str | None

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.status == 0


@trio.lowlevel.enable_ki_protection
async def build(
    name: str,
    argv: Sequence[str],
    folder: Path,
    *,
    limits: BuildLimits | None = None,
    binds: Sequence[Path] = (),
    env: Mapping[str, str] | None = None,
    level: Level = Level.FULL,
) -> Built:
    """Run one build command in a folder. When this returns or is cancelled, none of its processes is left (at level none: none
    of its process group or with its mark).

    Call it from the main thread. The folder's modes are widened so that the build may write in it.

    Args:
        name: the bot's name in messages.
        argv: a program on the jail's PATH or in the folder, and its arguments.
        folder: a scratch copy of a bot's folder that no other user can reach (theory, point 4); `program.FOLDER` in the jail.
        binds: other files and folders to show, read-only, at their own paths.
        env: variables besides PATH, HOME, TMPDIR and LANG.
        level: `NONE` runs it as an ordinary process, with limits of time and size only.

    Raises:
        IsolationError: the machine cannot isolate builds. BotError: its cell could not be set up because of the bot.
        RefereeError: the disk is full (`errors.disk_is_full`). OSError: the machine has no descriptor or process left.
    """
    limits = limits or BuildLimits()
    if level is Level.REDUCED:
        raise IsolationError(REDUCED)
    check_proc()
    with ExitStack() as stack:
        cell: JailCell | BareCell
        if level is Level.NONE:
            await trio.to_thread.run_sync(open_up, folder, None)
            areas = [_Area(folder, limits.folder)]
            family = stack.enter_context(guard_family())
            cell = spawn_open(name, argv, folder, env or {}, limits.file_size, family)
        else:
            make = partial(Jail, name, folder, binds, _process_limits(limits), stack)
            jail = await trio.to_thread.run_sync(make)
            areas = [_Area(folder, limits.folder), _Area(jail.tmp, limits.tmp, " in /tmp")]
            cell = jail.spawn(argv, env or {})
        for close in (cell.close, cell.stderr.close, cell.stdout.close, cell.stdin.close):
            stack.callback(close)
        try:
            run = _Run(cell, areas, limits)
            await run.to_its_end()
        finally:
            cell.kill()
            with trio.CancelScope(shield=True):
                await trio.lowlevel.wait_readable(cell.end)
                await cell.sweep()
        return await run.result()


def memory_held(pid: int) -> int:
    """Bytes of memory that a process and its descendants hold. Shared memory counts for each of them."""
    total, ahead = 0, [pid]
    for _ in range(SEEN):
        if not ahead:
            break
        pid = ahead.pop()
        with closing(Meter(pid)) as meter:
            total += meter.memory() or 0
        with suppress(OSError), os.scandir(f"/proc/{pid}/task") as tasks:
            for task in tasks:
                with suppress(OSError):  # it has ended since
                    ahead += map(int, Path(task.path, "children").read_bytes().split())
    return total


def output_lines(output: bytes) -> str:
    """A build's output as lines for a terminal."""
    lines = output.decode(errors="replace").split("\n")
    return "\n".join(harmless(line.removesuffix("\r").expandtabs()) for line in lines)


class _Area:
    """A folder that the build may write to: its limit, how messages name it, and the free space of its disk at the start."""

    def __init__(self, path: Path, most: int, words: str = "") -> None:
        self.path, self.most, self.words = path, most, words
        self.free = free(path)
        if self.free < ROOM:
            full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            raise RefereeError(f"{path} has too little space to build: free space there, or set TMPDIR") from full


class _Run:
    """One running build."""

    def __init__(self, cell: JailCell | BareCell, areas: Sequence[_Area], limits: BuildLimits) -> None:
        self._cell = cell
        self._areas = areas
        self._limits = limits
        self._output = Log(limits.output // 2)
        self._pipe = cell.stdout.fileno()
        self._available = available()
        self._most_lost = min(limits.machine, self._available * 9 // 10)
        self._why: str | None = None
        os.set_blocking(self._pipe, False)

    async def result(self) -> Built:
        """The result, after the end of all its processes."""
        for _ in range(_PIPE):
            if not self._read():
                break
        if self._why is None:  # what it wrote last has not been checked
            self._why = await trio.to_thread.run_sync(self._too_much)
        status = None if self._why is not None else self._cell.status()
        ended = 128 - status if status is not None and status < 0 else status
        return Built(ended, output_lines(self._output.both_ends()), self._why)

    async def to_its_end(self) -> None:
        """Start the build, read its output and check its limits, until it ends or exceeds one."""
        await self._cell.settle()
        self._cell.stdin.close()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._drain)
            with trio.move_on_after(self._limits.seconds) as patience:
                async with trio.open_nursery() as looking:
                    looking.start_soon(self._look, looking.cancel_scope)
                    await trio.lowlevel.wait_readable(self._cell.end)
                    looking.cancel_scope.cancel()
            if patience.cancelled_caught:
                self._why = f"took longer than {seconds(self._limits.seconds)}"
            nursery.cancel_scope.cancel()

    async def _look(self, following: trio.CancelScope) -> None:
        """Check what it uses. The longer a walk through its folder takes, the rarer the walks."""
        walk = 0.0
        while self._why is None:
            await trio.sleep(LOOK)
            self._why = await trio.to_thread.run_sync(self._too_greedy)
            now = trio.current_time()
            if self._why is None and now >= walk:
                self._why = await trio.to_thread.run_sync(self._too_much)
                end = trio.current_time()
                walk = end + (end - now) / WALKING
        following.cancel()

    def _too_greedy(self) -> str | None:
        if memory_held(self._cell.popen.pid) > self._limits.memory:
            return f"used more than {self._limits.memory / MIB:g} MiB of memory"
        if self._available - available() > self._most_lost:
            lost = f"{self._most_lost // MIB} MiB of available memory"
            return f"ran while the machine lost more than {lost}, which it may have taken"
        return None

    def _too_much(self) -> str | None:
        for area in self._areas:
            if area.free - free(area.path) > self._limits.disk:
                return f"ran while its disk lost more than {self._limits.disk / MIB:g} MiB, which it may have taken"
            much = outgrown(area.path, area.most, self._limits.folder_files)
            if much is not None:
                return much + area.words
        return None

    async def _drain(self) -> None:
        """Read chunk by chunk, so that a flood does not block other tasks."""
        more = True
        while more:
            await trio.lowlevel.wait_readable(self._pipe)
            more = self._read()

    def _read(self) -> bool:
        """Read a chunk from the pipe. Returns whether there was one."""
        with suppress(BlockingIOError):
            data = os.read(self._pipe, _CHUNK)
            self._output.add(data)
            return bool(data)
        return False


def _process_limits(limits: BuildLimits) -> Limits:
    """The limits of each process. The kernel counts some of them by user."""
    cpu = math.ceil(limits.seconds * (os.cpu_count() or 1)) + 1  # more than the limit of time allows on all processors
    size = limits.file_size
    return Limits(memory=limits.memory, stack=0, threads=limits.processes, files=FILES, cpu=cpu, file_size=size)
