"""Orphans: what the children of the referee leave behind comes to the referee, and not to the machine's first process.

Whoever adopts them has to bury them: `players/children.py` for players, a cell for its own first process. The machine's first
process may take its time, or be a container's that never does, and the dead count as processes of their uid until then.
"""

from __future__ import annotations

import ctypes
import os
import signal
from functools import cache
from typing import Final

_PR_SET_CHILD_SUBREAPER: Final = 36


def adopt_orphans() -> None:
    """Make this process the one that its descendants' orphans come to; once is enough."""
    _adopt(os.getpid())


@cache
def _adopt(_pid: int) -> None:
    """A fork of this process adopts none until it says so itself, hence the argument."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # inherited: the kernel would throw every status away
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
