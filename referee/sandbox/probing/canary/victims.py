"""What a player might do to other processes of the machine, the referee among them."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import signal
from typing import Final

from .calls import Told, checked, ctypes, libc

PTRACE_SEIZE: Final = 0x4206
F_SETOWN: Final = 8


def signal_referee(told: Told) -> None:
    os.kill(told["referee"], signal.SIGCONT)


def kill_victim(told: Told) -> None:
    os.kill(told["victim"], signal.SIGKILL)


def own_signals(told: Told) -> None:
    """Make somebody else the receiver of a descriptor's SIGIO; without O_ASYNC none is sent."""
    fcntl.fcntl(0, F_SETOWN, told["referee"])


def trace(told: Told) -> None:
    checked(libc().ptrace(PTRACE_SEIZE, told["victim"], None, None))


def read_memory(told: Told) -> None:
    read = libc().process_vm_readv
    here = ctypes.create_string_buffer(8)
    piece = (ctypes.c_size_t * 2)(ctypes.addressof(here), 8)
    read.argtypes = [ctypes.c_int, *[ctypes.c_void_p, ctypes.c_ulong] * 2, ctypes.c_ulong]
    try:
        checked(read(told["victim"], ctypes.addressof(piece), 1, ctypes.addressof(piece), 1, 0))
    except OSError as refused:
        if refused.errno != errno.EFAULT:  # nothing lies at that address, but it was allowed to look
            raise


def limit_victim(told: Told) -> None:
    resource.prlimit(told["victim"], resource.RLIMIT_CORE, (0, 0))


def process_handle(told: Told) -> None:
    os.close(os.pidfd_open(told["victim"]))
