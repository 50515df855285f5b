"""A player's resource limits, set from outside while the player is still held, so that there is no moment without them.

1. prlimit(2) asks for one of two things: a capability (CAP_SYS_RESOURCE) that root in a container often lacks, or that all ids
   of the process are the caller's real ones. An ordinary user's player has the user's ids. A root referee's has a spare uid.
2. So root takes on the player's ids for that moment: the real ones alone. What it may do goes by the effective ids, which stay
   root's; and a real id says who may signal it, which is nobody, for whoever has that uid is the player in its cell.
3. This thread alone takes them on, by the kernel's own calls: the C library would change all threads, and what another of them
   starts in that moment would have a real uid that is not its effective one, which shells and loaders take for setuid.
   Ctrl-C waits meanwhile.
4. It could as well be `prlimit` in front of bubblewrap, and was: one more program to load, 0.45 ms of each start and 0.6 ms of
   processor time. From the moment that bubblewrap makes them, players' threads are counted by their own namespace.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import trio

from referee.errors import IsolationError
from referee.sandbox import diagnosis
from referee.sandbox.limits import Limits

_MEMLOCK: Final = 64 * 1024
_SETRESUID: Final = {"x86_64": 117, "aarch64": 147}
_SETRESGID: Final = {"x86_64": 119, "aarch64": 149}
_SAME: Final = -1
"""As an id: leave it as it is."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is imposed on a process that has `uid` and a gid of the same number; None for the referee's own."""

    limits: Limits
    uid: int | None = None

    @trio.lowlevel.enable_ki_protection
    def impose(self, pid: int) -> None:
        """Set the limits of a process; what it starts later has them too.

        Raises:
            ProcessLookupError: it is gone.
            IsolationError: the referee's own are lower, and nobody may raise them; or root may not take on other ids.
        """
        with _real_ids(self.uid):
            try:
                for which, soft, hard in rlimits(self.limits):
                    resource.prlimit(pid, which, (soft, hard))
            except PermissionError as failed:
                raise IsolationError(diagnosis.low_limits(str(failed))) from None


def rlimits(limits: Limits) -> list[tuple[int, int, int]]:
    """(which, soft, hard) of a player that is in a user namespace of its own, where its threads are counted from 0."""
    same = [
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_AS, limits.address_space),
        (resource.RLIMIT_NPROC, limits.threads),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, _MEMLOCK),
        (resource.RLIMIT_SIGPENDING, limits.signals),
    ]
    return [(which, value, value) for which, value in same] + [(resource.RLIMIT_CPU, limits.cpu, limits.cpu + 1)]


@contextmanager
def _real_ids(uid: int | None) -> Iterator[None]:
    """This thread has that uid and gid as its real ones (theory, points 2 and 3)."""
    if uid is None:
        yield
        return
    machine, own_uid, own_gid = os.uname().machine, os.getuid(), os.getgid()
    _call(_SETRESGID[machine], uid)
    try:
        _call(_SETRESUID[machine], uid)
        try:
            yield
        finally:
            _call(_SETRESUID[machine], own_uid)
    finally:
        _call(_SETRESGID[machine], own_gid)


def _call(number: int, real: int) -> None:
    if _KERNEL.syscall(_long(number), _long(real), _long(_SAME), _long(_SAME)) != 0:
        why = os.strerror(ctypes.get_errno())
        raise IsolationError(diagnosis.no_user(f"the real id {real} cannot be taken on: {why}"))


def _long(number: int) -> ctypes.c_long:
    return ctypes.c_long(number)


_KERNEL: Final = ctypes.CDLL(None, use_errno=True)
_KERNEL.syscall.restype = ctypes.c_long
