"""A player's resource limits, set from outside before the player starts, so that there is no moment without them.

1. prlimit(2) requires one of two things: a capability (CAP_SYS_RESOURCE), which root in a container often lacks, or that all
   ids of the process are the caller's real ids. An ordinary user's player has the user's ids. A root referee's player has a
   pooled uid.
2. So for root, a thread takes on the player's real ids and sets the limits (`id_thread.py`). Its effective ids stay root's, so it
   may still do everything.
3. `prlimit` in front of bubblewrap would do the same, but takes 0.6 ms of CPU time to load. Threads of players are counted by
   their own namespace from the start.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.cells.id_thread import Owner
from referee.sandbox.limits import Limits


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for a process of this owner; None for the referee's own user."""

    limits: Limits
    owner: Owner | None = None

    def impose(self, pid: int) -> None:
        """Set the limits of a process. Its children inherit them.

        Raises:
            ProcessLookupError: it has ended.
            IsolationError: the referee's own limits are lower and cannot be raised, or root may not take on other ids.
        """
        if self.owner is None:
            self._set(pid)
        else:
            self.owner.limit(partial(self._set, pid))

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
