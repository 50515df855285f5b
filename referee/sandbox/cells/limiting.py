"""A player's resource limits, set from outside while the player is still held, so that there is no moment without them.

1. prlimit(2) asks for one of two things: a capability (CAP_SYS_RESOURCE) that root in a container often lacks, or that all ids
   of the process are the caller's real ones. An ordinary user's player has the user's ids. A root referee's has a pooled uid.
2. So for root a thread takes on the player's ids, sets the limits and ends: the real ids alone. What it may do goes by the
   effective ones, which stay root's; and a real id says who may signal it, which is nobody, for whoever has that uid is
   the player in its cell. It does so by the kernel's own calls: the C library would change all threads.
3. It is never the main thread: whose `/proc/PID` is, and who may signal the referee, goes by that one, and other cells that
   start meanwhile look for it there. And nothing has to be put back, whatever happens.
4. It could as well be `prlimit` in front of bubblewrap, and was: one more program to load, 0.6 ms of processor time. From the
   moment that bubblewrap makes them, players' threads are counted by their own namespace.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Final

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.limits import Limits

_SETRESUID: Final = {"x86_64": 117, "aarch64": 147}
_SETRESGID: Final = {"x86_64": 119, "aarch64": 149}
_SAME: Final = -1
"""As an id: leave it as it is."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is imposed on a process that has `uid` and a gid of the same number; None for the referee's own."""

    limits: Limits
    uid: int | None = None

    def impose(self, pid: int) -> None:
        """Set the limits of a process; what it starts later has them too.

        Raises:
            ProcessLookupError: it is gone.
            IsolationError: the referee's own limits are lower and cannot be raised; or root may not take on other ids.
        """
        if self.uid is None:
            self._set(pid)
            return
        failed: list[Exception] = []
        thread = Thread(target=self._set_as, args=(self.uid, pid, failed))
        try:
            thread.start()
        except RuntimeError as none_left:
            raise IsolationError(isolation_errors.low_limits(str(none_left))) from None
        thread.join()
        if failed:
            raise failed[0]

    @contextmanager
    def room(self) -> Iterator[None]:
        """Meanwhile the referee's own soft limit of processes is as high as it may be.

        The kernel keeps the limit of the process that makes a user namespace, and no process in there can exceed it.
        """
        soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        resource.setrlimit(resource.RLIMIT_NPROC, (hard, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))

    def _set(self, pid: int) -> None:
        for name, soft_and_hard in self.limits.rlimits().items():
            try:
                resource.prlimit(pid, getattr(resource, name), soft_and_hard)
            except PermissionError as failed:
                raise IsolationError(isolation_errors.low_limits(f"{name}: {failed.strerror}")) from None

    def _set_as(self, uid: int, pid: int, failed: list[Exception]) -> None:
        """What a thread does that ends soon."""
        try:
            _take_on(uid)
            self._set(pid)
        except Exception as wrong:
            failed.append(wrong)


def _take_on(uid: int) -> None:
    """This thread has that uid and gid as its real ones (theory, point 2)."""
    if (machine := os.uname().machine) not in _SETRESUID:
        raise IsolationError(isolation_errors.no_user(f"the kernel's call for it is not known on {machine}"))
    _call(_SETRESGID[machine], uid)
    _call(_SETRESUID[machine], uid)


def _call(number: int, real: int) -> None:
    if _KERNEL.syscall(_long(number), _long(real), _long(_SAME), _long(_SAME)) != 0:
        why = os.strerror(ctypes.get_errno())
        raise IsolationError(isolation_errors.no_user(f"the real id {real} cannot be taken on: {why}"))


def _long(number: int) -> ctypes.c_long:
    return ctypes.c_long(number)


_KERNEL: Final = ctypes.CDLL(None, use_errno=True)
_KERNEL.syscall.restype = ctypes.c_long
