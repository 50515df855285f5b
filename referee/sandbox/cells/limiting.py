"""A player's resource limits, set from outside while the player is still held, so that there is no moment without them.

1. prlimit(2) requires one of two things: a capability (CAP_SYS_RESOURCE), which root in a container often lacks, or that all
   ids of the process are the caller's real ids. An ordinary user's player has the user's ids. A root referee's player has a
   pooled uid.
2. So for root, a short-lived thread takes on the player's real ids and sets the limits. Its effective ids stay root's, so it may
   still do everything. A real uid says who may signal a process; only the player has this one, and it is in its cell. The
   thread makes the system calls itself, because the C library would change all threads.
3. It is never the main thread, which determines the owner of `/proc/PID` and who may signal the referee. Nothing has to be
   restored, whatever happens.
4. `prlimit` in front of bubblewrap would do the same, but takes 0.6 ms of CPU time to load. Threads of players are counted by
   their own namespace from the start.
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
    """Limits for a process with this uid and a gid of the same number; None for the referee's own."""

    limits: Limits
    uid: int | None = None

    def impose(self, pid: int) -> None:
        """Set the limits of a process. Its children inherit them.

        Raises:
            ProcessLookupError: it has ended.
            IsolationError: the referee's own limits are lower and cannot be raised, or root may not take on other ids.
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
        """Raise the referee's own soft limit of processes as far as possible.

        The kernel keeps the limit of the process that makes a user namespace, and no process inside can exceed it.
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
        """Runs in a separate thread."""
        try:
            _take_on(uid)
            self._set(pid)
        except Exception as wrong:
            failed.append(wrong)


def _take_on(uid: int) -> None:
    """Make this uid and gid the real ones of this thread (theory, point 2)."""
    if (machine := os.uname().machine) not in _SETRESUID:
        raise IsolationError(isolation_errors.no_user(f"its system calls are not known on {machine}"))
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
