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
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path
from time import clock_gettime_ns
from typing import Final, TypeAlias

THREADS: Final = 256
"""How many threads are looked at: twice what a sandbox lets a player have."""

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_NS: Final = 1e-9
_NUM_THREADS, _STARTTIME = 17, 19  # fields of /proc/PID/stat behind the name
_Queued: TypeAlias = dict[str, tuple[int, int]]
"""By thread: nanoseconds on a processor, and ready for one."""


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
    """Watches a process from the moment it is made, for how long the host kept it waiting (theory, point 4).

    It holds no descriptors. What cannot be seen (a process that is over, a kernel without schedstat) has not waited.
    """

    __slots__ = ("_before", "_clock", "_pid", "_started", "_used")

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = _clock(pid)
        self._started = _started(pid)
        self._used = _read_clock(self._clock)
        self._before = _queued(pid)

    def stalled(self) -> float:
        """Seconds since then that it was ready to run and others than itself were run; never below 0."""
        now = _queued(self._pid)
        used = _read_clock(self._clock)
        if self._started is None or self._used is None or used is None or _started(self._pid) != self._started:
            return 0.0
        return host_part(self._before, now, used - self._used) * _NS


def host_part(before: _Queued, now: _Queued, used: int) -> int:
    """Nanoseconds of waiting that the host is to blame for between two looks at a process's threads.

    Args:
        used: what all threads of the process used in between, those that ended included.
    """
    if len(before) >= THREADS:  # not all were seen: one that is new now may be older than the first look
        now = {thread: stood for thread, stood in now.items() if thread in before}
    between = []
    for thread, (ran, stood) in now.items():
        ran_before, stood_before = before.get(thread, (0, 0))
        if ran < ran_before or stood < stood_before:  # another thread with the number of one that has ended
            ran_before = stood_before = 0
        between.append((ran - ran_before, stood - stood_before))
    if not between:
        return 0
    ran, stood = max(between)
    return max(0, stood - max(0, used - ran))


def _queued(pid: int) -> _Queued:
    queued: _Queued = {}
    with suppress(FileNotFoundError, ProcessLookupError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            if len(queued) == THREADS:
                break
            with suppress(FileNotFoundError, ProcessLookupError):
                ran, stood, _ = Path(thread.path, "schedstat").read_bytes().split()
                queued[thread.name] = int(ran), int(stood)
    return queued


def _started(pid: int) -> bytes | None:
    """When a process began, which no later one with its number shares."""
    try:
        # Its name stands in parentheses, and may hold any byte and parentheses too.
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[_STARTTIME]
    except (FileNotFoundError, ProcessLookupError):
        return None


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
