"""A thread of a root referee that takes on the ids of players, to start them and to set their limits.

1. The kernel keeps ids, capabilities and namespaces for each thread, and a new process gets those of the thread that starts it.
   The C library would change all threads, so this one makes the system calls itself. Popen could change the ids of the new
   process, but would have to fork the whole referee; a program in front of bubblewrap, such as nsenter, costs a sixth of a start.
2. The saved uid stays root's, so that the thread can return. The new process cannot: executing a program overwrites its saved
   uid and takes its capabilities.
3. A uid says who may signal and trace a process. Only one player has this uid, and it is in its cell or not started yet. Besides,
   the kernel lets nobody but root trace or read a process that has changed its effective ids.
4. It is never the main thread, which determines the owner of `/proc/PID` and who may signal the referee.
5. Parent-death signals follow the thread that spawned. So this one lives as long as the sandbox.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from referee.errors import IsolationError, out_of
from referee.sandbox import isolation_errors

_CLONE_FS: Final = 0x200
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
_SAME: Final = -1
"""As an id: leave it as it is."""
_ROOT: Final = 0

T = TypeVar("T")


class _Calls(NamedTuple):
    """Numbers of system calls."""

    setgroups: int
    setresuid: int
    setresgid: int


_CALLS: Final = {"x86_64": _Calls(116, 117, 119), "aarch64": _Calls(159, 147, 149)}


class IdThread:
    """The thread. It does one thing at a time, while its caller waits."""

    def __init__(self, stack: ExitStack) -> None:
        """Start it; `stack` ends it. Raises: IsolationError: no thread is left, or root may not give up its groups here."""
        self._executor = stack.enter_context(ThreadPoolExecutor(1))
        try:
            self.do(_separate)
        except RuntimeError as none_left:
            raise IsolationError(out_of(none_left)) from None

    def do(self, function: Callable[[], T]) -> T:
        """Call a function in the thread, with the caller's signal mask. Returns and raises what the function does."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())

        def task() -> T:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            return function()

        return self._executor.submit(task).result()


@dataclass(frozen=True, slots=True)
class Owner:
    """The uid and gid under which a root referee starts a cell, and a descriptor of the mount namespace for it, if any."""

    thread: IdThread
    uid: int
    mounts: int | None = None

    def start(self, function: Callable[[], T]) -> T:
        """Call a function that starts a program: the program gets these ids, no other group, and no capability.

        Raises:
            IsolationError: root may not take on other ids or namespaces here. And what the function raises.
        """

        def start() -> T:
            if self.mounts is not None:
                _check(_LIBC.setns(self.mounts, 0), "a mount namespace cannot be entered")
            with _with_ids(self.uid, effective=True):
                return function()

        return self.thread.do(start)

    def limit(self, function: Callable[[], T]) -> T:
        """Call a function that sets limits of a process with these ids, which are the thread's real ids. Raises: as `start`."""

        def limit() -> T:
            with _with_ids(self.uid, effective=False):
                return function()

        return self.thread.do(limit)


def _separate() -> None:
    """Give up the groups, and capabilities that survive a change of the uid. Get a root folder, to enter mount namespaces."""
    _LIBC.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    _check(_LIBC.unshare(_CLONE_FS), "the thread cannot have its own root folder")
    _call(_numbers().setgroups, 0, 0)


@contextmanager
def _with_ids(uid: int, *, effective: bool) -> Iterator[None]:
    """The thread has this uid and gid as real ids, and as effective ones too if asked for."""
    calls, also = _numbers(), uid if effective else _SAME
    _call(calls.setresgid, uid, also, _SAME)
    _call(calls.setresuid, uid, also, _SAME)
    try:
        yield
    finally:
        _call(calls.setresuid, _ROOT, _ROOT, _SAME)
        _call(calls.setresgid, _ROOT, _ROOT, _SAME)


def _numbers() -> _Calls:
    if (machine := os.uname().machine) not in _CALLS:
        raise IsolationError(isolation_errors.no_user(f"its system calls are not known on {machine}"))
    return _CALLS[machine]


def _call(number: int, *arguments: int) -> None:
    result = _LIBC.syscall(*map(ctypes.c_long, (number, *arguments)))
    _check(result, f"ids {', '.join(map(str, arguments))} cannot be taken on")


def _check(result: int, what: str) -> None:
    if result != 0:
        raise IsolationError(isolation_errors.no_user(f"{what}: {os.strerror(ctypes.get_errno())}"))


_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
