"""Measures a process from outside: CPU time, memory, and how long it had to wait for a processor.

1. CPU time is read from the process's own clock: all threads, including those that have ended, in nanoseconds, in 0.3 µs.
2. An open file of /proc/PID belongs to its process: reading it fails after that process is reaped, even if the pid is used
   again.
3. A zombie has no memory. A main thread that has ended looks like a zombie while other threads run: then the memory is read
   from one of those, the newest first. If threads come and go, all that were listed may have ended before they are read. A
   program can do that on purpose, so they are listed again.
4. Run delay: for each thread, the kernel adds up how long it waited for a processor (schedstat), and adds a wait when it ends.
   The delay of a process is that of the thread that waited longest, minus the CPU time of its other threads, including those
   that have ended: time in which threads keep each other waiting does not count.
5. A thread that executes a program takes over the number of the first thread and keeps its own counts, so an old wait of this
   thread looks like one of the first thread. Its own number disappears. So the first thread may be any thread that
   has disappeared, and the comparison that shows the shortest wait counts.
6. This holds only if the first list of threads was complete. A list made while threads come and go may have gaps, but then
   the number of threads differs: before, afterwards, or from the list. In that case neither the first thread nor a new one
   counts. The first thread is read last at the start and first at the end, so that no thread can take its place in between.
7. If a later thread reuses a number, its counts are smaller, so less waiting is seen than there was. No player gains by it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path
from time import clock_gettime
from typing import Final, NamedTuple

THREADS: Final = 256
"""The most threads that are read: twice the limit of a sandbox."""
FEW: Final = 8
"""A process with more threads is watched only if the caller has time for it."""
NO_PROCESS: Final = 2**22
"""A number above those of all processes."""
_LISTS: Final = 16
"""How often threads are listed for one measurement of memory."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_NS: Final = 1e-9


class Counts(NamedTuple):
    """Times of a thread in nanoseconds: `ran` on a processor, `stood` waiting for one."""

    ran: int
    stood: int


@dataclass(frozen=True, slots=True)
class Threads:
    """The threads of a process at one moment: the first, the others by number, and whether the list is complete."""

    first: Counts | None
    others: Mapping[str, Counts]
    complete: bool


class Meter:
    """Measures the memory of one process. Close it at the end."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._statm = -1
        with suppress(FileNotFoundError, ProcessLookupError):
            self._statm = os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)

    def memory(self) -> int | None:
        """The bytes in memory now, shared pages too; None if it has ended, or no thread lived long enough to be read."""
        fields = _read(self._statm).split()
        if fields and fields[0] == b"0":
            fields = self._of_another_thread()
        return int(fields[1]) * _PAGE if fields else None

    def close(self) -> None:
        """Close the descriptor."""
        if self._statm >= 0:
            os.close(self._statm)
        self._statm = -1

    def _of_another_thread(self) -> list[bytes]:
        """Theory, point 3; empty without another thread, or if the pid belongs to another process now (point 2)."""
        with suppress(FileNotFoundError, ProcessLookupError):
            for _ in range(_LISTS):
                threads = os.listdir(f"/proc/{self._pid}/task")
                if len(threads) == 1:
                    break
                for thread in reversed(threads):
                    fields = read_once(f"/proc/{self._pid}/task/{thread}/statm").split()
                    if fields and fields[0] != b"0" and _read(self._statm):
                        return fields
        return []


def memory_peak(pid: int) -> int | None:
    """The most bytes that a process has held, which the kernel keeps (VmHWM); None if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024  # in KiB
    return None


class ProcessWitness:
    """Measures a process's CPU time, and how long it waited for a processor (theory, points 4 to 7).

    Close it at the end. A process that has ended, or a kernel without schedstat, shows no waiting.

    Attributes:
        cpu: see `cpu_clock`.
    """

    __slots__ = ("_before", "_first", "_folder", "_pid", "_used", "cpu")

    def __init__(self, pid: int) -> None:
        self._pid = str(pid)
        self.cpu = cpu_clock(pid)
        self._folder = self._first = -1
        self._before = Threads(None, {}, complete=False)
        self._used = 0.0
        with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            self._folder = os.open(f"/proc/{pid}/task", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                self._first = os.open(f"{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._folder)
            except BaseException:
                self.close()
                raise

    @property
    def threads(self) -> int:
        """How many threads it has; 0 if it has ended."""
        return 0 if self._folder < 0 else max(0, os.fstat(self._folder).st_nlink - 2)

    def watch(self, *, many: bool = False) -> bool:
        """Start to measure its run delay, if it has few threads or `many` is set. Returns whether it did."""
        if not many and self.threads > FEW:
            return False
        others, complete = self._others()
        self._before = Threads(_counts(_read(self._first)), others, complete)
        self._used = self.cpu()
        return True

    def stood(self) -> float:
        """Seconds since then in which it was ready to run and did not run, as far as the kernel has booked them."""
        first = _counts(_read(self._first))
        now = Threads(first, *self._others())
        return run_delay(self._before, now, used=round((self.cpu() - self._used) / _NS)) * _NS

    def is_ready(self) -> bool:
        """Whether one of its threads runs or waits for a processor; False if the kernel has no schedstat."""
        return b"R" in self._states()

    def is_stuck(self) -> bool:
        """Whether one of its threads waits in the kernel, out of reach of signals, as for a disk (state D)."""
        return b"D" in self._states()

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in (self._folder, self._first):
            if descriptor >= 0:
                os.close(descriptor)
        self._folder = self._first = -1

    def _states(self) -> set[bytes]:
        """The states of all threads, a letter each; empty if the kernel has no schedstat."""
        if self._first < 0:
            return set()
        stats = (read_once(f"{name}/stat", self._folder) for name in self._thread_numbers())
        return {stat.rpartition(b")")[2][1:2] for stat in stats}

    def _others(self) -> tuple[dict[str, Counts], bool]:
        """All threads but the first, and whether these are all (theory, point 6)."""
        count = self.threads
        others: dict[str, Counts] = {}
        if count <= 1:
            return others, count == self.threads == 1
        for name in [name for name in self._thread_numbers() if name != self._pid][:THREADS]:
            counts = _counts(read_once(f"{name}/schedstat", self._folder))
            if counts is not None:
                others[name] = counts
        return others, count == self.threads == len(others) + 1

    def _thread_numbers(self) -> list[str]:
        """The threads, by number."""
        try:
            return [] if self._folder < 0 else os.listdir(self._folder)
        except (FileNotFoundError, ProcessLookupError):
            return []


def run_delay(before: Threads, now: Threads, *, used: int) -> int:
    """Nanoseconds of waiting between two looks that are not the process's own doing (theory, points 4 to 7).

    All threads of the process, those that ended included, `used` so much CPU time in between.
    """
    gone = [thread for number, thread in before.others.items() if number not in now.others]
    between = []
    if now.first is not None and before.first is not None and before.complete:
        between += _since([before.first, *gone], now.first)
    for number, thread in now.others.items():
        earlier = before.others.get(number)
        if earlier is not None:
            between += _since([earlier], thread)
        elif before.complete:
            between.append(thread)
    return max((stood - max(0, used - ran) for ran, stood in between if stood > used - ran), default=0)


def _since(possible: list[Counts], now: Counts) -> list[Counts]:
    """The smallest change since one of these counts; empty if it came from none of them, because counts never fall."""
    between = [Counts(now.ran - thread.ran, now.stood - thread.stood) for thread in possible]
    return sorted((change for change in between if min(change) >= 0), key=sum)[:1]


def _counts(schedstat: bytes) -> Counts | None:
    """The counts in a `schedstat` file; None if it is empty."""
    fields = schedstat.split()
    return Counts(int(fields[0]), int(fields[1])) if len(fields) >= 2 else None


def read_once(path: str, folder: int | None = None) -> bytes:
    """A file of /proc, by its path or below an open folder; empty if its process is gone. pathlib takes five times as long."""
    with suppress(FileNotFoundError, ProcessLookupError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
        try:
            return os.read(descriptor, 2**16)
        finally:
            os.close(descriptor)
    return b""


def _read(descriptor: int) -> bytes:
    """A short file of /proc; empty if its process has been reaped or was never found."""
    if descriptor < 0:
        return b""
    try:
        return os.pread(descriptor, 1024, 0)
    except ProcessLookupError:
        return b""


def cpu_clock(pid: int) -> Callable[[], float]:
    """Returns a function that reads the CPU clock of a process: seconds used by all its threads, including ended ones.

    A reading costs about 0.3 µs and works for processes of any user. After the process has ended, the function returns the
    last value, even if another process has the number by then: that one's clock starts at zero.
    """
    number = (~pid << 3) | 2  # the clock's id, as clock_getcpuclockid(3) computes it
    last = 0.0

    def read() -> float:
        nonlocal last
        try:
            used = clock_gettime(number)
        except OSError as gone:
            if gone.errno != EINVAL:
                raise
            return last
        if used > last:
            last = used
        return last

    return read
