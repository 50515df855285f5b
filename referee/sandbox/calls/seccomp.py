"""Filters of system calls: the lists as the kernel takes them, ready for a spawn.

1. `scripts/filters` has the lists: `players.py` names the calls that a player may make, and what differs for Ruby; `builds.py`
   names those that a build may not make. They are compiled for each kind of machine. The programs are next to this file as data,
   4 to 5 kB each, so that users need no compiler of filters. A test compares them with the lists.
2. A descriptor hands the program to bubblewrap, which reads it from its offset to its end, or to a fork server. Each gets a
   fresh one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
from pathlib import Path
from typing import Final

from referee.errors import IsolationError
from referee.sandbox.limits import Calls

_MACHINES: Final = ("x86_64", "aarch64")


def file_of(listed: Calls, machine: str) -> Path:
    """The path of the filter for a kind of machine."""
    return Path(__file__).with_name(f"{listed}-{machine}.bpf")


@functools.cache
def bpf(listed: Calls = "players") -> bytes:
    """The filter for this machine: instructions of 8 bytes (`struct sock_filter`).

    Raises:
        IsolationError: there is none for this kind of machine.
    """
    machine = platform.machine()
    if machine not in _MACHINES:
        raise IsolationError(
            f"Players cannot be isolated on {machine}: the list of allowed system calls is for {' and '.join(_MACHINES)}; "
            "to run trusted programs without protection: --isolation none"
        )
    return file_of(listed, machine).read_bytes()


def digest() -> str:
    """Which filters players have, for records: 16 hexadecimal digits of a SHA-256 over the programs.

    Raises:
        IsolationError: as `bpf`.
    """
    return hashlib.sha256(bpf() + bpf("ruby")).hexdigest()[:16]


def as_memfd(listed: Calls = "players") -> int:
    """The filter in a fresh descriptor at offset 0, for one spawn; the caller closes it. Raises: as `bpf` and `memfd`."""
    return memfd("seccomp", bpf(listed))


def memfd(name: str, content: bytes) -> int:
    """A fresh descriptor in memory with `content`, at offset 0; not inherited unless it is passed on.

    Raises:
        OSError: no descriptors left.
    """
    fd = os.memfd_create(name, os.MFD_CLOEXEC)
    try:
        with open(fd, "wb", closefd=False) as file:
            file.write(content)
        os.lseek(fd, 0, os.SEEK_SET)
    except BaseException:
        os.close(fd)
        raise
    return fd
