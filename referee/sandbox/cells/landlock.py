"""The command and the specification for the launcher of level reduced, `confine.py`."""

from __future__ import annotations

import marshal
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.sandbox.cells import confine
from referee.sandbox.limits import MIB, Limits

_LAUNCHER: Final = Path(confine.__file__)
_STACK: Final = 8 * MIB
"""The C library also gives this much to each thread, and stacks count as memory."""


def launch_line(python: Path, *, status_fd: int, seccomp_fd: int, spec_fd: int) -> list[str]:
    """The command that becomes the player. All three descriptors must be inherited under their numbers, from 3 up.

    Args:
        python: an interpreter that needs no environment and no site-packages: the base of a virtual environment.
        status_fd: the descriptor for its one line (`confine.py`, point 1); no other process may hold this end open.
        seccomp_fd: `seccomp.as_memfd()`, a fresh one for each launch.
        spec_fd: `spec(…)` in a `seccomp.memfd`, a fresh one for each launch.
    """
    return [str(python), "-I", "-S", "-B", str(_LAUNCHER), str(status_fd), str(seccomp_fd), str(spec_fd)]


def spec(
    *,
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str,
    read: Sequence[str],
    write: Sequence[str],
    limits: Limits,
    uid: int | None = None,
) -> bytes:
    """What to confine and to execute. Only this process may launch it: the player ends with its parent.

    Args:
        argv: the program, as an absolute path, and its arguments.
        env: the program's whole environment.
        cwd: the folder it is started in.
        read: files, and folders with all that is below them, that it may read and execute. All must exist. Links are
            followed.
        write: files that it may write.
        uid: a pooled user to become, when started as root, with the group of the same number. Only then are threads limited:
            the kernel counts those of all processes of a user.
    """
    rlimits = limits.rlimits() | {"RLIMIT_STACK": (_STACK, _STACK)}
    if uid is None:
        del rlimits["RLIMIT_NPROC"]
    return marshal.dumps(
        {
            "argv": list(argv),
            "env": dict(env),
            "cwd": cwd,
            "read": list(read),
            "write": list(write),
            "limits": rlimits,
            "uid": uid,
            "parent": os.getpid(),
        }
    )
