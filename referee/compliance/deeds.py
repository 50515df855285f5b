"""What a process is doing at a moment, as the kernel tells it: waiting for input, computing, or neither.

1. A thread waits for input when it stands in a read of descriptor 0, or in a poll or epoll without a time limit (event
   loops, which may wait for something else: whoever asks makes sure). /proc/PID/task/TID/syscall has the call and its
   arguments, in numbers of the machine's own kind.
2. Of several threads one that waits for input is told first: whoever asks looks at the CPU time too.
3. Where that file may not be read, or the machine's numbers are not known here, it is not known (None), and whoever asks
   goes by the clock.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from fcntl import ioctl
from pathlib import Path
from stat import S_ISSOCK
from struct import unpack
from termios import FIONREAD, TIOCOUTQ
from typing import Final, NamedTuple

THREADS: Final = 64
"""How many threads are looked at."""


class Deed(Enum):
    """What a process does."""

    READS = "waits for input"
    RUNS = "computes"
    WAITS = "waits for something other than input"


class _Calls(NamedTuple):
    """Numbers of system calls: those that read from their first argument; which argument is the timeout of those that poll,
    as a number (`polls`) or a pointer (`selects`), and of those that wait for another thread (`futex`, a pointer).
    """

    reads: frozenset[int]
    polls: Mapping[int, int]
    selects: Mapping[int, int]
    futex: Mapping[int, int]


_CALLS: Final[Mapping[str, _Calls]] = {
    # read, readv, pread64; poll, epoll_wait, epoll_pwait; select, pselect6, ppoll, epoll_pwait2; futex
    "x86_64": _Calls(frozenset({0, 19, 17}), {7: 2, 232: 3, 281: 3}, {23: 4, 270: 4, 271: 2, 441: 3}, {202: 3}),
    # read, readv, pread64; epoll_pwait; pselect6, ppoll, epoll_pwait2; futex
    "aarch64": _Calls(frozenset({63, 65, 67}), {22: 3}, {72: 4, 73: 2, 441: 3}, {98: 3}),
}


def deed(pid: int) -> Deed | None:
    """What the process does now; None where nobody can tell, or it is gone."""
    seen = {what for what, _for_ever in _threads(pid)}
    return next((what for what in (Deed.READS, Deed.RUNS, Deed.WAITS) if what in seen), None)


def is_stuck(pid: int) -> bool:
    """Whether nothing but input can make the process go on: a thread waits for it, all others without end for each other."""
    threads = _threads(pid)
    return all(for_ever for _what, for_ever in threads) and any(what is Deed.READS for what, _for_ever in threads)


def unread(stdin: int) -> int:
    """Bytes that were written to a program's input and not read yet; of a socket, the memory that they take."""
    asked = TIOCOUTQ if S_ISSOCK(os.fstat(stdin).st_mode) else FIONREAD
    (count,) = unpack("i", ioctl(stdin, asked, bytes(4)))
    return int(count)


def peak(pid: int) -> int | None:
    """The most bytes that a process has had in memory until now; None when it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None


def _threads(pid: int) -> list[tuple[Deed, bool]]:
    """What each thread does, and whether it will do so until something comes from elsewhere; empty where nobody can tell."""
    calls = _CALLS.get(platform.machine())
    if calls is None:
        return []
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task")[:THREADS]:
            with suppress(FileNotFoundError, ProcessLookupError):
                found.append(_of_thread(Path(f"/proc/{pid}/task/{thread}/syscall").read_text(), calls))
    except OSError:
        return []
    return found


def _of_thread(told: str, calls: _Calls) -> tuple[Deed, bool]:
    """From a line of /proc/PID/task/TID/syscall: `running`, or the call's number and its six arguments."""
    words = told.split()
    if len(words) < 7:
        return Deed.RUNS, False
    call, arguments = int(words[0]), [int(word, 16) for word in words[1:7]]
    if call in calls.reads and arguments[0] == 0:
        return Deed.READS, True
    if call in calls.polls and arguments[calls.polls[call]] & 0xFFFFFFFF == 0xFFFFFFFF:  # -1
        return Deed.READS, True
    if call in calls.selects and arguments[calls.selects[call]] == 0:
        return Deed.READS, True
    return Deed.WAITS, call in calls.futex and arguments[calls.futex[call]] == 0
