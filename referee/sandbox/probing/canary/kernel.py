"""What a player might take of memory and threads, and doors into the kernel that it has no use for."""

from __future__ import annotations

import _thread
import errno
import mmap
import os
import resource
from typing import Final

from .calls import Told, call, checked, ctypes, libc

MIB: Final = 1 << 20
STACK: Final = 64 * 1024
MOST_THREADS: Final = 1024
"""A limit above is none for a player."""
CLONE_NEWUSER: Final = 0x10000000
KEYCTL_GET_KEYRING_ID: Final = 0
SESSION_KEYRING: Final = -3


def own_limits(told: Told) -> None:
    now = resource.getrlimit(resource.RLIMIT_CORE)
    try:
        resource.setrlimit(resource.RLIMIT_CORE, now)
    except ValueError:  # so Python calls EPERM here
        raise PermissionError(errno.EPERM, "not allowed") from None


def affinity(told: Told) -> None:
    os.sched_setaffinity(0, os.sched_getaffinity(0))


def shared_memory(told: Told) -> None:
    mmap.mmap(-1, MIB).close()


def zero_device(told: Told) -> None:
    device = os.open("/dev/zero", os.O_RDWR)
    try:
        mmap.mmap(device, MIB).close()
    finally:
        os.close(device)


def memory_file(told: Told) -> None:
    os.close(os.memfd_create("canary"))


def shared_segment(told: Told) -> None:
    segment = checked(libc().shmget(0, ctypes.c_size_t(4096), 0o1600))
    checked(libc().shmctl(segment, 0, None))  # IPC_RMID


def memory(told: Told) -> None:
    limit = resource.getrlimit(resource.RLIMIT_DATA)[0] if told["memory"] is None else told["memory"]
    if limit != resource.RLIM_INFINITY:
        mmap.mmap(-1, limit + 64 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def threads(told: Told) -> None:
    """Each waits for a lock that is given back at the end."""
    limit = resource.getrlimit(resource.RLIMIT_NPROC)[0] if told["threads"] is None else told["threads"]
    if not 0 <= limit <= MOST_THREADS:
        return
    gate = _thread.allocate_lock()
    running: list[None] = []
    _thread.stack_size(STACK)

    def wait() -> None:
        with gate:
            pass
        running.pop()

    with gate:
        try:
            for _ in range(limit + 16):
                running.append(None)
                _thread.start_new_thread(wait, ())
        except RuntimeError:  # the interpreter does not tell the number
            running.pop()
            raise OSError(errno.EAGAIN, "no more threads") from None
        finally:
            _thread.stack_size(0)
    while running:
        os.sched_yield()


def io_uring(told: Told) -> None:
    os.close(call(425, 425, 1, bytes(120)))


def userfault(told: Told) -> None:
    os.close(call(323, 282, os.O_CLOEXEC))


def keyring(told: Told) -> None:
    call(250, 219, KEYCTL_GET_KEYRING_ID, SESSION_KEYRING, 0)


def watch_files(told: Told) -> None:
    os.close(call(294, 26, os.O_CLOEXEC))


def namespace(told: Told) -> None:
    """Last but one: where it works, this process stands in another namespace afterwards."""
    checked(libc().unshare(CLONE_NEWUSER))
