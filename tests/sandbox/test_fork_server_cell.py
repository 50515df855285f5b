"""The fork server in its cell: what one program can leave for the next (nothing), and what the user sees if a start fails."""

import errno
import os
import resource
import signal
import socket
import sys
from functools import partial
from pathlib import Path

import pytest
import trio.lowlevel

from referee.errors import IsolationError
from referee.sandbox.cells import bubblewrap, fork_server, full
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened
from referee.sandbox.program import Program

pytestmark = pytest.mark.machine

Bot = partial(Program, trusted=True)
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
TRACES = """
import ctypes, os, socket, sys, threading
prctl = ctypes.CDLL(None).prctl
numbers = []
def note(): numbers.append(threading.get_native_id())
thread = threading.Thread(target=note)
thread.start()
thread.join()
print(os.getpid(), os.getppid(), *numbers, os.umask(0), prctl(30), prctl(25), socket.gethostname(), flush=True)
for line in sys.stdin:  # leave what can be left
    for _ in range(50):
        thread = threading.Thread(target=note)
        thread.start()
        thread.join()
    prctl(29, 12345)  # a timer slack
    os.umask(0o77)
    print("left", flush=True)
"""

THREADS = """
import threading, time
threading.stack_size(64 * 1024)
try:
    while threading.active_count() < 500:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
except RuntimeError:
    pass
print(threading.active_count(), flush=True)
time.sleep(60)
"""


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "main.py").write_text(TRACES)
    return Bot("bot", [PYTHON, "main.py"], tmp_path / "bot")


async def line(cell):
    text = b""
    while not text.endswith(b"\n"):
        await trio.lowlevel.wait_readable(cell.stdout.fileno())
        chunk = os.read(cell.stdout.fileno(), 1024)
        assert chunk, cell.words(4096)
        text += chunk
    return text


async def played(launch):
    """Starts a program, lets it leave what it can, and ends it: what it saw, and its server."""
    cell = launch.spawn()
    await cell.settle()
    seen = await line(cell)
    os.write(cell.stdin.fileno(), b"!\n")
    assert await line(cell) == b"left\n"
    cell.kill()
    await cell.sweep()
    for stream in (cell.stdin, cell.stdout, cell.stderr):
        stream.close()
    cell.close()
    return seen, cell._server


async def test_a_program_finds_nothing_of_the_one_before_it(bot):
    with opened(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        matches = [await played(launch) for _ in range(3)]
    assert len({server for _, server in matches}) == 1
    assert len({seen for seen, _ in matches}) == 1
    assert matches[0][0].split()[:2] == [b"2", b"1"]


async def test_a_program_has_as_many_threads_as_without_a_server(tmp_path):
    """All but one of the limit, which is for the first process of its namespace. The server is not counted."""
    (tmp_path / "main.py").write_text(THREADS)
    with opened(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(Bot("bot", [PYTHON, "main.py"], tmp_path))).spawn()
        await cell.settle()
        assert int(await line(cell)) == sandbox.limits.threads - 1
        cell.discard()


async def test_a_cell_that_may_not_make_namespaces_serves_once(bot, monkeypatch):
    """As where a security module takes the capabilities of what bubblewrap starts."""
    monkeypatch.setattr(bubblewrap, "_FOR_SERVER", ("--as-pid-1",))
    with opened(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        matches = [await played(launch) for _ in range(2)]
    assert len({server for _, server in matches}) == 2
    assert len({seen for seen, _ in matches}) == 1
    assert matches[0][0].split()[:2] == [b"2", b"1"]


async def test_a_program_that_ends_before_it_begins_is_no_fault_of_the_bot(bot, monkeypatch):
    """As if its namespace's first process was killed, because no memory was left, or could not report."""
    with opened(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(bot)).spawn()
        monkeypatch.setattr(cell._server, "_receive", lambda: (fork_server._ENDED, signal.SIGKILL, []))
        with trio.fail_after(20), pytest.raises(IsolationError, match="no process or memory left"):
            await cell.settle()
        monkeypatch.undo()
        cell.discard()


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE])
async def test_a_machine_without_processes_is_no_fault_of_the_bot(bot, monkeypatch, number):
    with opened(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(bot)).spawn()
        monkeypatch.setattr(cell._server, "_receive", lambda: (fork_server._FAILED, number, []))
        with pytest.raises(IsolationError, match="no process or memory left"):
            await cell.settle()
        monkeypatch.undo()
        cell.discard()


async def test_a_program_cannot_begin_while_its_user_has_too_many_descriptors_under_way(bot, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ETOOMANYREFS, os.strerror(errno.ETOOMANYREFS))

    with opened(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(bot)).spawn()
        monkeypatch.setattr(socket, "send_fds", refuse)
        with pytest.raises(IsolationError, match="no process or memory left"):
            await cell.settle()
        cell.discard()


async def test_a_referee_without_descriptors_says_so(bot, monkeypatch):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with opened(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(bot)).spawn()
        send = cell._server._send

        def send_and_have_none_left(descriptors):
            send(descriptors)
            if len(descriptors) == 3:
                resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))

        monkeypatch.setattr(cell._server, "_send", send_and_have_none_left)
        try:
            with pytest.raises(OSError, match="Too many open files"):
                await cell.settle()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        cell.discard()


async def test_a_server_is_replaced_before_it_has_used_up_its_processor_time(bot, monkeypatch):
    monkeypatch.setattr(fork_server, "_MOST_STARTS", 2)
    with opened(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        first, second, third = [(await played(launch))[1] for _ in range(3)]
    assert first is second
    assert second is not third


async def test_a_server_that_was_killed_at_rest_is_replaced(bot):
    with opened(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        _, server = await played(launch)
        signal.pidfd_send_signal(server._init, signal.SIGKILL)
        await trio.lowlevel.wait_readable(server.end)
        assert (await played(launch))[1] is not server


async def test_a_program_whose_server_is_killed_was_killed(bot):
    with opened(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(bot)).spawn()
        await cell.settle()
        signal.pidfd_send_signal(cell._server._init, signal.SIGKILL)
        await cell.sweep()
        assert cell.status() == 128 + signal.SIGKILL
        cell.discard()


async def test_what_is_hidden_later_is_covered_in_a_new_cell(bot, tmp_path):
    with opened(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        _, server = await played(launch)
        sandbox.hidden.append(Path("/usr/share"))
        assert (await played(launch))[1] is not server


async def test_servers_at_rest_are_few_and_end_with_their_bot(bot, monkeypatch):
    monkeypatch.setattr(full, "AT_REST", 2)
    with opened(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        cells = [launch.spawn() for _ in range(3)]
        for cell in cells:
            await cell.settle()
            cell.discard()
        first, *kept = (cell._server for cell in cells)
        assert sandbox._at_rest == kept
        assert first.popen.returncode is not None
        sandbox.tidy(0)
        assert sandbox._at_rest == []
        assert None not in [server.popen.returncode for server in kept]
