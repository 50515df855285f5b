"""How programs are started: in their own session, with three streams, and nothing else of the referee's.

1. A new program inherits the signals that the referee ignores or blocks, for example SIGHUP under `nohup`, but many programs rely
   on the defaults. Handlers are not inherited. So an ignored signal gets a handler that does nothing, until the program is
   started, and no signal is blocked meanwhile.
2. Python itself ignores two signals. Popen restores their defaults.
3. Only the main thread can do this. Cells are spawned there, or by a thread for which it waits (`id_thread.py`); other threads
   pass on what they have.
4. A stream is a pipe or a pair of sockets. A program can put the process at the other end of a pipe to sleep, O_NONBLOCK or not:
   the pipe is locked while the program's bytes are copied, and the copy waits for the program's memory. Sockets copy
   before they lock. Each pair is open in one direction only, like a pipe; opening it by name (/dev/stdin) fails.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple


class Wiring(NamedTuple):
    """Which of a program's streams are pairs of sockets (theory, point 4); the others are pipes."""

    stdin: bool
    stdout: bool
    stderr: bool


PIPES: Final = Wiring(stdin=False, stdout=False, stderr=False)
"""For a program without a clock."""
LOG_SOCKET: Final = Wiring(stdin=False, stdout=False, stderr=True)
"""For a player that is asked alone: pipes are faster, and a player that blocks its own pipe loses its own time."""
ALL_SOCKETS: Final = Wiring(stdin=True, stdout=True, stderr=True)
"""For players whose clocks run at the same time."""

_POPENS_OWN: Final = frozenset({signal.SIGPIPE, signal.SIGXFSZ})
_OTHERS: Final = tuple(sorted(signal.valid_signals() - _POPENS_OWN - {signal.SIGKILL, signal.SIGSTOP}))


def spawn(
    argv: Sequence[str],
    *,
    cwd: Path | str = "/",
    env: Mapping[str, str] | None = None,
    passed: Collection[int] = (),
    wiring: Wiring = PIPES,
    start: Callable[[Callable[[], subprocess.Popen[bytes]]], subprocess.Popen[bytes]] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program (theory).

    Args:
        cwd: the folder it starts in. env: its whole environment, empty by default.
        passed: the descriptors that the program gets besides the three streams.
        wiring: which of the streams are sockets.
        start: calls its argument, which starts the program; None for nothing else. Streams are always the referee's own.

    Raises:
        OSError: it cannot be started, or the machine has no descriptor, process or memory left.
    """
    with ExitStack() as ours, ExitStack() as theirs, usual_signals():
        streams = make_streams(wiring, ours, theirs)

        def call() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                argv,
                stdin=streams[0][1],
                stdout=streams[1][1],
                stderr=streams[2][1],
                bufsize=0,
                cwd=cwd,
                env=env or {},
                start_new_session=True,
                pass_fds=passed,
            )

        popen = call() if start is None else start(call)
        popen.stdin, popen.stdout, popen.stderr = (near for near, _ in streams)
        ours.pop_all()
        return popen


def make_streams(wiring: Wiring, ours: ExitStack, theirs: ExitStack) -> list[tuple[IO[bytes], int]]:
    """The three streams of a program: the referee's end of each, and the program's. The stacks close them."""
    return [_stream(wiring[number], number == 0, ours, theirs) for number in range(3)]


def _stream(is_socket: bool, to_program: bool, ours: ExitStack, theirs: ExitStack) -> tuple[IO[bytes], int]:
    if is_socket:
        pair = socket.socketpair()
        pair[0].shutdown(socket.SHUT_RD if to_program else socket.SHUT_WR)
        near, far = (end.detach() for end in pair)
    else:
        near, far = reversed(os.pipe()) if to_program else os.pipe()
    theirs.callback(os.close, far)
    return ours.enter_context(open(near, "wb" if to_program else "rb", buffering=0)), far


@contextmanager
def usual_signals() -> Iterator[None]:
    """Programs that are started in this context neither ignore nor block a signal (theory, points 1 to 3)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ignored = [number for number in _OTHERS if signal.getsignal(number) is signal.SIG_IGN]
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        for number in ignored:
            signal.signal(number, _nothing)
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
        yield
    finally:
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def _nothing(_number: int, _frame: object) -> None:
    """Handle a signal by doing nothing."""
