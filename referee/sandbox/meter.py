"""What a process uses, seen from outside by its number: CPU time, memory, threads, and how long it was kept from running.

1. CPU time is read from the process's own clock: all threads, those that have ended too, in nanoseconds, for 0.3 µs.
2. An open file of /proc/PID stays with its process: once that is reaped it fails, whoever has the number then. So a clock
   is believed only if that file still answers after it was read; else the last value stays.
3. A zombie has a clock that stands still and no memory. A first thread that has ended looks like one while the others go
   on: then what they hold is told by one of them.
4. Ready but not run: the kernel adds up, for each thread, how long it stood in a queue for a processor (schedstat). The
   host's part in that is what the busiest thread stood, less the CPU time of all other threads of the process, those
   that ended in between included: a program that keeps its own threads waiting has no excuse. In doubt it is too little:
   the queue that a thread stands in at the moment is not in it, nor is a thread that has ended.
5. A thread can put itself into a queue without need (sched_yield), but only stays there while somebody else is run.
6. A thread that executes a program takes over the number of the first thread, the time when that began too, and brings its
   own counts along: what it stood long ago then looks like the first thread's since. Its own number is gone with that. So
   the first thread may be any of those that are gone now, and is measured by whichever of these makes the least of it.
7. That holds if no thread was overlooked at first. A folder of threads that come and go may be listed with gaps, but not
   without it showing: as many are listed as there were before and afterwards, or one of the listed is gone later. The
   first thread is read last at first and first in the end, so that between its look and theirs nobody can change places.
   Other threads are told by number and start: numbers come round again. Where some were overlooked, neither the first
   thread nor a new one counts.
8. Whatever the threads' counts say, none ran longer than the process's clock, nor ran and stood longer than the time
   between the looks, and none waited longer than others had the processors: the busy time of those that the process may
   use, by the machine's own account (/proc/stat), less the CPU time of the process. Others are neighbours, other players,
   the kernel and the hypervisor; the referee is among them too, whoever judges knows its part. That account is in ticks
   of 10 ms, sampled: one for each processor is taken off. A group's quota keeps a process waiting while nobody runs: that is no
   case for it, for who uses up a quota may be itself.
9. Asleep is a process while none of its threads runs or is ready to: what is left of the time when all that they ran and stood
   is taken off. How long a thread has stood that is ready at the moment nobody knows (point 4): then it may be all of it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path
from time import clock_gettime_ns, monotonic_ns
from typing import Final, NamedTuple, TypeAlias

THREADS: Final = 256
"""How many threads are looked at: twice what a sandbox lets a player have."""

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_NS: Final = 1e-9
_NUM_THREADS, _STARTTIME = 17, 19  # fields of /proc/PID/stat behind the name
_TICK: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
"""Nanoseconds of the unit in which the machine accounts for its processors."""
_BUSY: Final = (1, 2, 3, 6, 7, 8)  # of a line of /proc/stat: user, nice, system, irq, softirq, steal; guests are users
_Ticks: TypeAlias = dict[int, int]
"""By processor: how long it was busy."""


class Thread(NamedTuple):
    """Nanoseconds on a processor, and ready for one; and when it began, in ticks since boot."""

    ran: int
    stood: int
    began: int


@dataclass(frozen=True, slots=True)
class Look:
    """The threads of a process at a moment: the first one, the others by number, and whether these are all."""

    first: Thread | None
    others: Mapping[str, Thread]
    complete: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes: `resident` in memory, shared pages too; `data` private and writable, touched or not, stacks included."""

    resident: int
    data: int


class Meter:
    """Looks at one process; close it in the end. One that is gone from the beginning has used nothing that is known."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = _clock(pid)
        self._cpu: float | None = None
        self._statm = self._stat = -1
        with suppress(FileNotFoundError, ProcessLookupError):
            self._statm = os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
            try:
                self._stat = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
            except BaseException:
                self.close()
                raise

    def cpu(self) -> float | None:
        """CPU seconds that all its threads have used until now, or did when it was last seen; None if it never was."""
        used = _read_clock(self._clock)
        if used is not None and _read(self._statm):
            self._cpu = used * _NS
        return self._cpu

    def memory(self) -> Memory | None:
        """What it holds now; None when it is over, a zombie included."""
        fields = _read(self._statm).split()
        if fields and fields[0] == b"0":
            fields = self._of_another_thread()
        if not fields:
            return None
        return Memory(int(fields[1]) * _PAGE, int(fields[5]) * _PAGE)

    def threads(self) -> int | None:
        """How many threads it has now, None when it is over."""
        fields = _read(self._stat).rpartition(b")")[2].split()
        if not fields:
            return None
        return int(fields[_NUM_THREADS]) - (fields[0] in b"ZX") or None

    def close(self) -> None:
        """Give the descriptors back; what comes later finds nothing."""
        for descriptor in (self._statm, self._stat):
            if descriptor >= 0:
                os.close(descriptor)
        self._statm = self._stat = -1

    def _of_another_thread(self) -> list[bytes]:
        """Theory, point 3; empty where there is none, or the number is another process's by now (point 2)."""
        with suppress(FileNotFoundError, ProcessLookupError), os.scandir(f"/proc/{self._pid}/task") as threads:
            for thread in threads:
                fields = Path(thread.path, "statm").read_bytes().split()
                if fields[0] != b"0" and _read(self._statm):
                    return fields
        return []


class Waiting:
    """Watches a process from the moment it is made, for how long the host kept it waiting (theory, points 4 to 8).

    It holds no descriptors. What cannot be seen (a process that is over, a kernel without schedstat) has not waited.
    """

    __slots__ = ("_at", "_before", "_busy", "_clock", "_pid", "_started", "_used")

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = _clock(pid)
        self._at = monotonic_ns()
        self._started = _started(pid)
        self._used = _read_clock(self._clock)
        self._busy = _busy()
        others, complete = _other_threads(pid)
        self._before = Look(_thread(f"/proc/{pid}/task/{pid}"), others, complete)

    def slept(self) -> float:
        """Seconds since then in which it neither ran nor was ready to (theory, point 9); 0 while one of its threads is."""
        if _is_ready(self._pid):
            return 0.0
        now = Look(_thread(f"/proc/{self._pid}/task/{self._pid}"), *_other_threads(self._pid))
        used, elapsed = _read_clock(self._clock), monotonic_ns() - self._at
        if self._started is None or self._used is None or used is None or _started(self._pid) != self._started:
            return 0.0
        return asleep(self._before, now, used=used - self._used, elapsed=elapsed) * _NS

    def stalled(self) -> float:
        """Seconds since then that it was ready to run and others than itself were run; never below 0."""
        first = _thread(f"/proc/{self._pid}/task/{self._pid}")
        now = Look(first, *_other_threads(self._pid))
        busy, allowed = _busy(), _processors(self._pid)
        used = _read_clock(self._clock)
        if self._started is None or self._used is None or used is None or _started(self._pid) != self._started:
            return 0.0
        used -= self._used
        part = host_part(self._before, now, used=used, elapsed=monotonic_ns() - self._at)
        return min(part, run_instead(self._busy, busy, allowed, used=used)) * _NS


def host_part(before: Look, now: Look, *, used: int, elapsed: int) -> int:
    """Nanoseconds of waiting between two looks that are not a process's own doing, as far as its threads tell.

    Args:
        used: what all threads of the process used in between, those that ended included.
        elapsed: what passed in between.
    """
    gone = [thread for number, thread in before.others.items() if not _same(thread, now.others.get(number))]
    between = []
    if now.first is not None and before.first is not None and before.complete:
        between += _since([before.first, *gone], now.first)
    for number, thread in now.others.items():
        earlier = before.others.get(number)
        if earlier is not None and _same(earlier, thread):
            between += _since([earlier], thread)
        elif before.complete:
            between.append((thread.ran, thread.stood))
    if not between:
        return 0
    ran, stood = max((min(ran, used), stood) for ran, stood in between)
    return max(0, min(stood, elapsed - ran) - max(0, used - ran))


def asleep(before: Look, now: Look, *, used: int, elapsed: int) -> int:
    """Nanoseconds between two looks in which no thread of a process ran or was ready to; never below 0.

    Args:
        used, elapsed: see `host_part`.
    """
    stood = sum(_stood(before.others.get(number), thread) for number, thread in now.others.items())
    if now.first is not None:
        stood += _stood(before.first, now.first)
    return max(0, elapsed - used - stood)


def run_instead(before: _Ticks, now: _Ticks, processors: Collection[int], *, used: int) -> int:
    """Nanoseconds in which these processors ran others than a process that used so many itself; never below 0."""
    ticks = sum(now[one] - before[one] - 1 for one in processors if one in now and one in before)
    return max(0, ticks * _TICK - used)


def _same(before: Thread, now: Thread | None) -> bool:
    return now is not None and now.began == before.began


def _stood(before: Thread | None, now: Thread) -> int:
    """How long it stood since then; all that it ever did, if it is another."""
    return max(0, now.stood - (before.stood if before is not None and _same(before, now) else 0))


def _since(possible: list[Thread], now: Thread) -> list[tuple[int, int]]:
    """What a thread ran and stood since it was one of these, the least of it; nothing if it was none: counts never fall."""
    between = [(now.ran - thread.ran, now.stood - thread.stood) for thread in possible]
    return sorted((one for one in between if min(one) >= 0), key=sum)[:1]


def _other_threads(pid: int) -> tuple[dict[str, Thread], bool]:
    """All but the first one, and whether these are all; that is for sure only with a later look (theory, point 7)."""
    others: dict[str, Thread] = {}
    count = _count(pid)
    with suppress(FileNotFoundError, ProcessLookupError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            if len(others) == THREADS:
                break
            if thread.name != str(pid) and (seen := _thread(thread.path)) is not None:
                others[thread.name] = seen
    return others, count == _count(pid) == len(others) + 1


def _thread(folder: str) -> Thread | None:
    """By its folder in /proc; None when it is gone."""
    try:
        ran, stood, _ = Path(folder, "schedstat").read_bytes().split()
        return Thread(int(ran), int(stood), int(_fields(folder)[_STARTTIME]))
    except (FileNotFoundError, ProcessLookupError):
        return None


def _is_ready(pid: int) -> bool:
    """Whether a thread of it is running, or waits to be run."""
    with suppress(FileNotFoundError, ProcessLookupError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            with suppress(FileNotFoundError, ProcessLookupError):
                if _fields(thread.path)[0] == b"R":
                    return True
    return False


def _started(pid: int) -> bytes | None:
    """When a process began, which no later one with its number shares."""
    try:
        return _fields(f"/proc/{pid}")[_STARTTIME]
    except (FileNotFoundError, ProcessLookupError):
        return None


def _count(pid: int) -> int:
    """How many threads a process has, the first one too when it has ended; 0 when it is gone."""
    try:
        return int(_fields(f"/proc/{pid}")[_NUM_THREADS])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _fields(folder: str) -> list[bytes]:
    """Of `stat`, behind the name: that stands in parentheses, and may hold any byte and parentheses too."""
    return Path(folder, "stat").read_bytes().rpartition(b")")[2].split()


def _busy() -> _Ticks:
    """The machine's account of its processors; none where it is hidden."""
    busy: _Ticks = {}
    with suppress(FileNotFoundError, PermissionError), open("/proc/stat", "rb") as account:
        for line in account:
            if not line.startswith(b"cpu"):
                break
            fields = line.split()
            if fields[0] != b"cpu":
                busy[int(fields[0][3:])] = sum(int(fields[field]) for field in _BUSY)
    return busy


def _processors(pid: int) -> set[int]:
    """Those that its first thread may run on; none when it is gone."""
    try:
        return os.sched_getaffinity(pid)
    except ProcessLookupError:
        return set()


def _clock(pid: int) -> int:
    """The kernel's number for a process's CPU clock, as clock_getcpuclockid(3) makes it."""
    return (~pid << 3) | 2


def _read_clock(clock: int) -> int | None:
    """Nanoseconds; None when its process is gone."""
    try:
        return clock_gettime_ns(clock)
    except OSError as gone:
        if gone.errno != EINVAL:
            raise
        return None


def _read(descriptor: int) -> bytes:
    """A short file of /proc, empty when its process is reaped, or was never seen."""
    if descriptor < 0:
        return b""
    try:
        return os.pread(descriptor, 1024, 0)
    except ProcessLookupError:
        return b""
