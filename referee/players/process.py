"""A player that is a process: started, listened to, and ended so that nothing of it is left.

1. Processes are started with `subprocess.Popen` from the main thread, in a session and process group of their own. (trio's
   own spawning goes through a worker thread, and what a parent's death signals follows the thread that spawned.)
2. stderr is drained all the time by a task of its own, so that no player waits for its log; both ends of it are kept.
3. The end is a SIGKILL to the whole group, then waiting for the process by its pidfd, then reaping. The referee is a
   subreaper: the children of whatever died are the referee's by then, so a loop over its own children finds all that is
   left: members of the group by their group, daemons that left it by `TOKEN` in their environment, and nothing else. The
   process itself is reaped last: as long as it is not, nobody else can get its number or its group's.
4. The dead have no environment. A dead child of the referee that is no player and lies outside the referee's own session
   was adopted from some player, so whoever sweeps first reaps it. A live one without any environment may just be on
   its way through exec, and is looked at again for a moment. What clears its environment to stay is the sandbox's prey.
5. An end that was broken off (Ctrl-C) is done again from its beginning by the next: nothing is closed before all is dead.
6. A program that cannot be started is the user's error and raises `BotError`; everything after that is the player's.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from errno import ENOEXEC
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import uuid4

import trio

from referee.clock import Clock
from referee.errors import BotError, InvalidReply
from referee.game import Answer, Fault, FaultKind, Game, Request
from referee.players.base import Player
from referee.players.stream import END_OF_OUTPUT, Dialogue, Tap
from referee.wire import Log

TOKEN: Final = "REFEREE_PLAYER"
STATUS_WAIT: Final = 1.0
"""Seconds that a process whose output has ended gets to end too, so that the verdict can give its status."""
LOG_CHUNK: Final = 64 * 1024
EXEC_LOOKS: Final = 20
"""Looks, a millisecond apart, at a process without an environment (theory, point 4)."""
_PR_SET_CHILD_SUBREAPER: Final = 36
_running: Final[set[int]] = set()
"""The players' own processes, from their start until they are reaped."""


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


class ProcessPlayer(Player):
    """One process for one match. Make it with `start`, end it with `end`."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        process: subprocess.Popen[bytes],
        token: str,
        tap: Tap | None,
        hear: Callable[[bytes], None] | None,
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._game = game
        self._seat = seat
        self._process = process
        self._token = token
        self._pidfd = os.pidfd_open(process.pid)
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._dialogue = Dialogue(
            self._stdin.fileno(), self._stdout.fileno(), cap=game.reply_cap, tap=tap, over=self._is_over
        )
        self._encode, self._decode, self._reply_lines = game.encode, game.decode, game.reply_lines
        self._hear = hear
        self._closed = False
        self.log = Log()

    @classmethod
    @trio.lowlevel.enable_ki_protection
    def start(
        cls,
        launch: Launch,
        game: Game[Any, Any],
        seat: int,
        nursery: trio.Nursery,
        *,
        tap: Tap | None = None,
        hear: Callable[[bytes], None] | None = None,
    ) -> ProcessPlayer:
        """Start the program; its stderr is drained by a task in `nursery`, and `hear` gets those bytes.

        Raises:
            BotError: the program cannot be started; one line that says what to do.
        """
        _adopt_orphans(os.getpid())
        token = uuid4().hex
        try:
            process = subprocess.Popen(
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
            raise BotError(_cannot_start(launch, failed)) from None
        try:
            player = cls(game, seat, process, token, tap, hear)
            nursery.start_soon(player._drain)
        except BaseException:  # out of descriptors, a nursery that is closed: ours, and still nothing may stay
            process.kill()
            with process:
                raise
        _running.add(process.pid)
        return player

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """See `Player.ask`."""
        ask = request.ask
        lines, elapsed = await self._dialogue.exchange(self._encode(request), self._reply_lines(ask), clock)
        if not isinstance(lines, Fault):
            try:
                action = self._decode(ask, lines)
            except InvalidReply as wrong:
                lines = Fault(FaultKind.INVALID, str(wrong))
            else:
                line = lines[0] if len(lines) == 1 else b"\n".join(lines)
                return Answer(self._seat, action, line.removesuffix(b"\r").decode(errors="replace"), elapsed)
        if lines.kind is FaultKind.EXIT:
            lines = Fault(FaultKind.EXIT, await self._how_it_ended() + lines.detail.removeprefix(END_OF_OUTPUT))
        await self.end(grace=0)
        return Answer(self._seat, lines, None, elapsed)

    @trio.lowlevel.enable_ki_protection
    async def end(self, *, grace: float) -> None:
        """See `Player.end`."""
        if self._closed:
            return
        with trio.CancelScope(shield=True):
            self._stdin.close()
            if grace:
                with trio.move_on_after(grace):
                    await trio.lowlevel.wait_readable(self._pidfd)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await trio.lowlevel.wait_readable(self._pidfd)
            await self._sweep()
        self._closed = True
        self._process.poll()
        _running.discard(self._process.pid)
        try:
            self._drain_once(everything=True)
        finally:
            self._dialogue.close()
            trio.lowlevel.notify_closing(self._stderr.fileno())
            for stream in (self._stdout, self._stderr):
                stream.close()
            os.close(self._pidfd)

    def last_words(self, count: int) -> list[str]:
        """The last lines of stderr that hold more than blanks."""
        return self.log.last_lines(count)

    async def _how_it_ended(self) -> str:
        """Words for a process whose output ended; a signal or a status where there is one."""
        with trio.move_on_after(STATUS_WAIT):
            await trio.lowlevel.wait_readable(self._pidfd)
        status = self._peek_status()
        if status is None:
            return "it closed its output and went on running"
        if status < 0:
            return f"ended by signal {-status} ({_signal_name(-status)})"
        return f"exited with status {status}"

    def _peek_status(self) -> int | None:
        """The exit status, negative for a signal, None while it runs; the process stays to be reaped."""
        info = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if info is None:
            return None
        return info.si_status if info.si_code == os.CLD_EXITED else -info.si_status

    def _is_over(self) -> bool:
        return self._peek_status() is not None

    async def _drain(self) -> None:
        """Read stderr until it ends, a chunk at a time, so that a flood of it takes turns with everything else."""
        try:
            while not self._closed and self._drain_once():
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

    async def _sweep(self) -> None:
        """Kill and reap what the process left behind (theory, points 3 and 4)."""
        mark = f"{TOKEN}={self._token}".encode()
        looks = EXEC_LOOKS
        while looks:
            claims = [(pid, self._left_behind(pid, mark)) for pid in _children()]
            # By descriptor from here on: another sweep may reap one of them, and its number go to somebody else.
            left = [os.pidfd_open(pid) for pid, mine in claims if mine]
            for pidfd in left:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            for pidfd in left:
                await trio.lowlevel.wait_readable(pidfd)
                _reap(pidfd)
            if not left:
                if all(mine is False for _, mine in claims):
                    return
                looks -= 1
                await trio.sleep(0.001)

    def _left_behind(self, pid: int, mark: bytes) -> bool | None:
        """Whether this child of the referee is to go; None where that cannot be told yet."""
        if pid in _running:
            return False
        try:
            if os.getpgid(pid) == self._process.pid:
                return True
            if os.getsid(pid) == os.getsid(0):
                return False
            if environment := _environment(pid):
                return mark in environment
            dead = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except OSError:
            return False
        return dead or None


@cache
def _adopt_orphans(_pid: int) -> None:
    """Make this process a subreaper, once; a fork of it is none until it says so itself, hence the argument."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # inherited: the kernel would throw every status away
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """The referee's own children, whichever thread started them."""
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            found += map(int, (task / "children").read_text().split())
    return found


def _environment(pid: int) -> list[bytes]:
    """The environment, empty for the dead and the dying."""
    try:
        return [entry for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") if entry]
    except ProcessLookupError:
        return []


def _reap(pidfd: int) -> None:
    with suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOHANG)
    os.close(pidfd)


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
