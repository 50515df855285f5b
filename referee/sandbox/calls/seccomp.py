"""Filters of system calls: the lists as the kernel takes them, ready for a spawn.

1. There are two lists. `syscalls.py` names what a player may call, `builds.py` what a build may not. `scripts/filters.py`
   compiles each for each kind of machine. The programs lie beside this file as data, 4 to 5 kB each, so that no user needs
   a compiler of filters; a test compares them with the lists.
2. A descriptor hands the program to bubblewrap, which reads it from where it stands to its end. So each spawn gets a fresh one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.errors import IsolationError
from referee.sandbox.calls import builds, syscalls
from referee.sandbox.calls.syscalls import Rule

INSTRUCTION: Final = 8
"""Bytes of one instruction (`struct sock_filter`)."""


@dataclass(frozen=True, slots=True)
class CallList:
    """Which system calls a program may make. Calls of a foreign kind (32 bit, x32) always end the program.

    Attributes:
        name: of its files.
        unlisted: the answer to a call that fits no rule.
        rules: all rules for one of `syscalls.MACHINES`.
    """

    name: str
    unlisted: int
    rules: Callable[[str], tuple[Rule, ...]]


PLAYERS: Final = CallList("players", syscalls.UNLISTED, syscalls.rules)
BUILDS: Final = CallList("builds", builds.UNLISTED, builds.rules)
LISTS: Final = (PLAYERS, BUILDS)


def file_of(listed: CallList, machine: str) -> Path:
    """Where the filter for one of `syscalls.MACHINES` lies."""
    return Path(__file__).with_name(f"{listed.name}-{machine}.bpf")


@functools.cache
def bpf(listed: CallList = PLAYERS) -> bytes:
    """The filter for this machine.

    Raises:
        IsolationError: there is none for this kind of machine.
    """
    machine = platform.machine()
    if machine not in syscalls.MACHINES:
        known = " and ".join(syscalls.MACHINES)
        raise IsolationError(
            f"Players cannot be isolated on {machine}: the list of allowed system calls is for {known}; "
            "to run trusted programs without protection: --isolation none"
        )
    return file_of(listed, machine).read_bytes()


def digest() -> str:
    """Which filter players have, for records: 16 hexadecimal digits of a SHA-256 over the program.

    Raises:
        IsolationError: as `bpf`.
    """
    return hashlib.sha256(bpf()).hexdigest()[:16]


def as_memfd(listed: CallList = PLAYERS) -> int:
    """The filter in a fresh descriptor that stands at its beginning, for one spawn; the caller closes it.

    Raises:
        IsolationError: as `bpf`.
        OSError: no descriptors left.
    """
    return memfd("seccomp", bpf(listed))


def memfd(name: str, content: bytes) -> int:
    """A fresh descriptor in memory that stands at the beginning of `content`; not inherited unless it is passed on.

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
