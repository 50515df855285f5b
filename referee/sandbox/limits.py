"""What a player may use, and the levels of isolation."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from referee.errors import UsageError

MIB: Final = 1 << 20
CPU_ROOM: Final = 1.25
"""Seconds beyond the clocks, for starting up and thinking between requests."""
DAY: Final = 86_400
Calls: TypeAlias = Literal["players", "ruby", "builds"]
"""Whose list of system calls holds (`calls/seccomp.py`)."""


class Level(StrEnum):
    """How a player is isolated. The default is `FULL`; the referee never falls back to a lower level."""

    FULL = "full"
    """Namespaces (bubblewrap), a list of allowed system calls, resource limits."""
    REDUCED = "reduced"
    """Landlock, the list of allowed system calls, resource limits: for machines that block user namespaces."""
    NONE = "none"
    """An ordinary process of the user: for trusted programs."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one player may use; sizes in bytes, times in seconds. The limits hold at levels full and reduced."""

    memory: int = 1024 * MIB
    """Private writable memory (RLIMIT_DATA), and resident memory, which is checked during the match."""
    address_space: int = 16 * 1024 * MIB
    """RLIMIT_AS: enough for a JVM. It limits page tables."""
    stack: int = 8 * MIB
    """RLIMIT_STACK: of the first thread, which RLIMIT_DATA does not count, and what the C library gives to each other thread,
    which it counts. 0 for the referee's own."""
    threads: int = 128
    files: int = 128
    signals: int = 1024
    """Timers and queued signals (RLIMIT_SIGPENDING)."""
    cpu: int = 150
    """RLIMIT_CPU, whole seconds: more than all clocks allow."""
    file_size: int = 0
    """The largest file that may be written. Players write none; builds do."""
    folder: int = 512 * MIB
    """The size of a bot's folder."""
    folder_files: int = 20_000

    def rlimits(self) -> dict[str, tuple[int, int]]:
        """The kernel's resource limits, soft and hard, by their names in `resource`."""
        same = {
            "RLIMIT_DATA": self.memory,
            "RLIMIT_AS": self.address_space,
            "RLIMIT_NPROC": self.threads,
            "RLIMIT_NOFILE": self.files,
            "RLIMIT_CORE": 0,
            "RLIMIT_FSIZE": self.file_size,
            "RLIMIT_MSGQUEUE": 0,
            "RLIMIT_MEMLOCK": 64 * 1024,
            "RLIMIT_SIGPENDING": self.signals,
        }
        if self.stack:
            same["RLIMIT_STACK"] = self.stack
        # A program can catch the signal of the soft CPU limit, but not that of the hard one.
        return {name: (value, value) for name, value in same.items()} | {"RLIMIT_CPU": (self.cpu, self.cpu + 1)}

    @classmethod
    def behind(cls, total: float | None, *, running: int, memory: int | None = None) -> Limits:
        """The usual limits for a match. The CPU time is more than the clocks allow, so it ends only players that they miss.

        Args:
            total: the seconds of all answers of one player together; None without a limit.
            running: the number of players during whose answers a player may run: all if it may ponder, else one.
            memory: bytes; None for the usual limit.
        """
        usual, cores = cls(), os.cpu_count() or 1  # a player may run as many threads at once
        cpu = DAY if total is None else math.ceil(total * running * cores * CPU_ROOM)
        return cls(memory=memory or usual.memory, cpu=min(max(cpu, usual.cpu), DAY))


def check_memory(memory: int | None, isolation: str) -> None:
    """Check that this level of isolation can enforce a memory limit. Raises: UsageError: it cannot."""
    if memory is not None and isolation == Level.NONE:
        raise UsageError("memory needs a sandbox, and isolation none has none: leave one of them out")
