"""How programs are started: at once, in a session of their own, with three pipes, and with nothing of the referee's beside.

1. What the referee ignores or blocks a new program would ignore or block too, and many rely on the usual: under `nohup` SIGHUP
   would end no player, in a script's background neither would Ctrl-C. What is handled is not inherited, so what is ignored is
   handled for the moment of the start, by doing nothing. A signal that waits behind a block stays there: it is for the referee.
2. Python itself ignores two signals, and Popen gives players their usual meaning back by itself.
3. Only the main thread can do so, which is where cells are spawned; another one hands on what there is.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_POPENS_OWN: Final = frozenset({signal.SIGPIPE, signal.SIGXFSZ})
_OTHERS: Final = tuple(sorted(signal.valid_signals() - _POPENS_OWN - {signal.SIGKILL, signal.SIGSTOP}))


def spawn(
    argv: Sequence[str], *, cwd: Path | str = "/", env: Mapping[str, str] | None = None, passed: Collection[int] = ()
) -> subprocess.Popen[bytes]:
    """Start a program (theory).

    Args:
        cwd: the folder it starts in. env: its whole environment, none by default.
        passed: descriptors that it gets beside the three pipes.

    Raises:
        OSError: it cannot be started, or the machine has no descriptor, process or memory left.
    """
    with usual_signals():
        return subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env=env or {},
            start_new_session=True,
            pass_fds=passed,
        )


def discard(popen: subprocess.Popen[bytes], *also: Callable[[], object]) -> None:
    """Undo a start that failed on the referee's own side: the process is killed and reaped, its pipes are closed."""
    for undo in also:
        undo()
    popen.kill()
    with popen:
        pass


@contextmanager
def usual_signals() -> Iterator[None]:
    """What is started in here neither ignores nor blocks a signal, whatever this process does (theory, points 1 to 3)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ignored = [number for number in _OTHERS if signal.getsignal(number) is signal.SIG_IGN]
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        for number in ignored:
            signal.signal(number, _nothing)
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked & signal.sigpending())
        yield
    finally:
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def _nothing(_number: int, _frame: object) -> None:
    """As if it were ignored."""
