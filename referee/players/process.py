"""The life of a program that plays: started, listened to, and ended so that nothing of it is left.

1. Processes are started with `subprocess.Popen` from the main thread, in a session and process group of their own. (trio's
   own spawning goes through a worker thread, and what a parent's death signals follows the thread that spawned.)
2. stderr is drained all the time by a task of its own, so that no player waits for its log; both ends of it are kept.
3. The end is a SIGKILL to the whole group, then waiting for the process by its pidfd, then a sweep (`children.py`) for
   what it left behind, by its group and by `TOKEN` in the environment. The process itself is reaped last: as long as it
   is not, nobody else can get its number or its group's.
4. An end that was broken off (Ctrl-C) is done again from its beginning by the next: nothing is closed before all is dead.
5. A program that cannot be started is the user's error and raises `BotError`; everything after that is the player's.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from errno import EAGAIN, EMFILE, ENFILE, ENOEXEC, ENOMEM
from pathlib import Path
from typing import Final, Protocol
from uuid import uuid4

import trio

from referee.errors import BotError
from referee.players import children
from referee.wire import Log

TOKEN: Final = "REFEREE_PLAYER"
STATUS_WAIT: Final = 1.0
"""Seconds that a process whose output has ended gets to end too, so that the verdict can give its status."""
_SCARCE: Final = frozenset({EAGAIN, EMFILE, ENFILE, ENOMEM})
LOG_CHUNK: Final = 64 * 1024


class Launch(Protocol):
    """How to start a bot: argv, the folder to start it in and its whole environment; `name` is how messages call it."""

    @property
    def name(self) -> str: ...
    @property
    def argv(self) -> Sequence[str]: ...
    @property
    def cwd(self) -> Path: ...
    @property
    def env(self) -> Mapping[str, str]: ...


class Process:
    """A program with its pipes, its log, its status and its end. Make it with `start`, end it with `end`.

    `stdin` and `stdout` are the referee's ends, non-blocking descriptors, good until the process is ended.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], pidfd: int, mark: bytes, hear: Callable[[bytes], None] | None
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._pidfd = pidfd
        self._mark = mark
        self._hear = hear
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._one_at_a_time = trio.Lock()
        self.pid = process.pid
        self.stdin, self.stdout = self._stdin.fileno(), self._stdout.fileno()
        self.log = Log()
        self.ended = False

    @classmethod
    @trio.lowlevel.enable_ki_protection
    def start(cls, launch: Launch, nursery: trio.Nursery, *, hear: Callable[[bytes], None] | None = None) -> Process:
        """Start the program; its stderr is drained by a task in `nursery`, and `hear` gets those bytes.

        Raises:
            BotError: the program cannot be started; one line that says what to do.
            OSError: the machine has no descriptor, process or memory left for it, which is no fault of the bot's.
        """
        children.expect()
        token = uuid4().hex
        try:
            popen = subprocess.Popen(
                launch.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=launch.cwd,
                env={**launch.env, TOKEN: token},
                start_new_session=True,
            )
        except OSError as failed:
            if failed.errno in _SCARCE:
                raise
            raise BotError(_cannot_start(launch, failed)) from None
        # Out of descriptors, a nursery that is closed: that is ours, and still nothing may stay.
        with ExitStack() as undo:
            undo.enter_context(popen)
            undo.callback(popen.kill)
            pidfd = os.pidfd_open(popen.pid)
            undo.callback(os.close, pidfd)
            process = cls(popen, pidfd, f"{TOKEN}={token}".encode(), hear)
            children.enter(popen.pid)
            undo.callback(children.leave, popen.pid)
            nursery.start_soon(process._drain)
            undo.pop_all()
        return process

    @trio.lowlevel.enable_ki_protection
    async def end(self, *, grace: float) -> None:
        """Close its input, give it `grace` seconds to leave by itself, then kill it and all that it left behind.

        May be called more than once, also while it is under way. Not cancelled midway.
        """
        with trio.CancelScope(shield=True):
            async with self._one_at_a_time:
                if not self.ended:
                    await self._end(grace)

    def status(self) -> int | None:
        """The exit status, negative for a signal, None while it runs; the process stays to be reaped."""
        info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if info is None:
            return None
        return info.si_status if info.si_code == os.CLD_EXITED else -info.si_status

    def is_over(self) -> bool:
        """Whether it has ended."""
        return children.is_dead(self.pid)

    async def how_it_ended(self) -> str:
        """Words for a process whose output ended; a signal or a status where there is one."""
        with trio.move_on_after(STATUS_WAIT):
            await trio.lowlevel.wait_readable(self._pidfd)
        status = self.status()
        if status is None:
            return "it closed its output and went on running"
        if status < 0:
            return f"ended by signal {-status} ({_signal_name(-status)})"
        return f"exited with status {status}"

    async def _end(self, grace: float) -> None:
        self._stdin.close()
        if grace:
            with trio.move_on_after(grace):
                await trio.lowlevel.wait_readable(self._pidfd)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        await trio.lowlevel.wait_readable(self._pidfd)
        await children.sweep(self.pid, self._mark)
        self.ended = True
        self._process.poll()
        try:
            self._drain_once(everything=True)
        finally:
            trio.lowlevel.notify_closing(self._stderr.fileno())
            for stream in (self._stdout, self._stderr):
                stream.close()
            os.close(self._pidfd)

    async def _drain(self) -> None:
        """Read stderr until it ends, a chunk at a time, so that a flood of it takes turns with everything else."""
        try:
            while not self.ended and self._drain_once():
                await trio.lowlevel.wait_readable(self._stderr.fileno())
        except trio.ClosedResourceError:
            pass

    def _drain_once(self, *, everything: bool = False) -> bool:
        """Read a chunk of stderr, or what is in the pipe; whether there may be more later."""
        # A child that outlived the kill could write for ever: a pipe's worth of chunks is all that can be left.
        for _ in range(32 if everything else 1):
            try:
                data = os.read(self._stderr.fileno(), LOG_CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.log.add(data)
            if self._hear is not None:
                self._hear(data)
        return True


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "a real-time signal"


def _cannot_start(launch: Launch, failed: OSError) -> str:
    program = launch.argv[0]
    match failed:
        case FileNotFoundError() | NotADirectoryError() if not launch.cwd.is_dir():
            reason = f"there is no folder {str(launch.cwd)!r} to start it in"
        case FileNotFoundError() if "/" in program and (launch.cwd / program).exists():
            reason = (
                f"{program!r} names an interpreter in its first line that is not here: install it, or correct the line"
            )
        case FileNotFoundError():
            reason = f"there is no program {program!r}: install it, or correct `run` in its bot.toml"
        case PermissionError():
            reason = f"{program!r} may not be executed: run chmod +x on it, or name its interpreter in front"
        case _ if failed.errno == ENOEXEC:
            reason = f"{program!r} is no program of this machine: build it here, or give a script a first line #!…"
        case _:
            reason = f"{program!r}: {failed.strerror}"
    return f"bot {launch.name} cannot be started: {reason}"
