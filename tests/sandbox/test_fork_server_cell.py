"""The fork server in its cell: what one program can leave for the next (nothing), and what the user sees if a start fails."""

import errno
import os
import resource
import select
import signal
import socket
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio.lowlevel
from leftovers import no_new_child
from raising import raising

from referee.errors import IsolationError
from referee.sandbox import uid_pool
from referee.sandbox.cells import bubblewrap, fork_server, full
from referee.sandbox.cells.bubblewrap import only_child
from referee.sandbox.cells.children import own_children
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program
from referee.sandbox.uid_pool import UIDS

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


@pytest.fixture
async def launch(bot):
    with open_sandbox(Level.FULL) as sandbox:
        yield await sandbox.prepare(bot)


async def line(cell):
    text = b""
    while not text.endswith(b"\n"):
        await trio.lowlevel.wait_readable(cell.stdout.fileno())
        chunk = os.read(cell.stdout.fileno(), 1024)
        assert chunk, cell.words(4096)
        text += chunk
    return text


async def begun(launch):
    """A program that runs."""
    cell = launch.spawn()
    await cell.settle()
    return cell


async def played(launch):
    """Starts a program, lets it leave what it can, and ends it: what it saw, and its server."""
    cell = await begun(launch)
    seen = await line(cell)
    os.write(cell.stdin.fileno(), b"!\n")
    assert await line(cell) == b"left\n"
    cell.kill()
    await cell.sweep()
    for stream in (cell.stdin, cell.stdout, cell.stderr):
        stream.close()
    cell.close()
    return seen, cell._server


async def test_a_program_finds_nothing_of_the_one_before_it(launch):
    matches = [await played(launch) for _ in range(3)]
    assert len({server for _, server in matches}) == 1
    assert len({seen for seen, _ in matches}) == 1
    assert matches[0][0].split()[:2] == [b"2", b"1"]


async def test_a_program_has_as_many_threads_as_without_a_server(tmp_path):
    """All but one of the limit, which is for the first process of its namespace. The server is not counted."""
    (tmp_path / "main.py").write_text(THREADS)
    with open_sandbox(Level.FULL) as sandbox:
        cell = (await sandbox.prepare(Bot("bot", [PYTHON, "main.py"], tmp_path))).spawn()
        await cell.settle()
        assert int(await line(cell)) == sandbox.limits.threads - 1
        cell.discard()


async def test_a_cell_that_may_not_make_namespaces_serves_once(launch, monkeypatch):
    """As where a security module takes the capabilities of what bubblewrap starts."""
    monkeypatch.setattr(bubblewrap, "_FOR_SERVER", ("--as-pid-1",))
    matches = [await played(launch) for _ in range(2)]
    assert len({server for _, server in matches}) == 2
    assert len({seen for seen, _ in matches}) == 1
    assert matches[0][0].split()[:2] == [b"2", b"1"]


def words_of(pid):
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


async def test_a_guard_knows_the_cell(launch):
    """If the referee is killed, it ends what it knows, even a cell that is still being made."""
    cell = await begun(launch)
    guards = [words for words in map(words_of, own_children()) if b"referee-guard" in words]
    call = b" ".join(words_of(cell._server.popen.pid))
    assert any(start + rest in call for *_, start, rest, _ in guards)
    cell.discard()


# The first one is as if no memory was left for the first process of its namespace, or it could not report.
LACKS = [(fork_server._ENDED, signal.SIGKILL)]
LACKS += [(fork_server._FAILED, number) for number in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)]


@pytest.mark.parametrize("report", LACKS)
async def test_a_machine_that_cannot_start_a_program_is_no_fault_of_the_bot(launch, monkeypatch, report):
    cell = launch.spawn()
    await cell._server.settle()
    monkeypatch.setattr(cell._server, "_receive", lambda: report)
    with trio.fail_after(20), pytest.raises(IsolationError, match="no process or memory left"):
        await cell.settle()
    monkeypatch.undo()
    cell.discard()


async def test_a_program_cannot_begin_while_its_user_has_too_many_descriptors_under_way(launch, monkeypatch):
    cell = launch.spawn()
    monkeypatch.setattr(socket, "send_fds", raising(OSError(errno.ETOOMANYREFS, os.strerror(errno.ETOOMANYREFS))))
    with pytest.raises(IsolationError, match="no process or memory left"):
        await cell.settle()
    cell.discard()


async def test_a_server_is_replaced_before_it_has_used_up_its_processor_time(launch, monkeypatch):
    monkeypatch.setattr(fork_server, "STARTS", 2)
    first, second, third = [(await played(launch))[1] for _ in range(3)]
    assert first is second
    assert second is not third


async def test_a_server_that_was_killed_at_rest_is_replaced(launch):
    _, server = await played(launch)
    signal.pidfd_send_signal(server._init, signal.SIGKILL)
    await trio.lowlevel.wait_readable(server.end)
    assert (await played(launch))[1] is not server


async def test_a_program_whose_server_is_killed_was_killed(launch):
    cell = await begun(launch)
    signal.pidfd_send_signal(cell._server._init, signal.SIGKILL)
    await cell.sweep()
    assert cell.status() == 128 + signal.SIGKILL
    cell.discard()


@pytest.mark.parametrize("nonsense", [0x137F, 0x7F, -1, 0xFFFF])
async def test_a_status_that_no_program_can_have_counts_as_killed(launch, monkeypatch, nonsense):
    """As if a build had changed its server."""
    cell = await begun(launch)
    monkeypatch.setattr(cell._server, "_receive", lambda *_: (fork_server._ENDED, nonsense))
    assert cell.status() == 128 + signal.SIGKILL
    monkeypatch.undo()
    cell.discard()


async def test_what_is_hidden_later_is_covered_in_a_new_cell(launch, tmp_path):
    _, server = await played(launch)
    launch._sandbox.hidden.append(Path("/usr/share"))
    assert (await played(launch))[1] is not server


async def test_servers_at_rest_are_few_and_end_with_their_bot(launch, monkeypatch):
    monkeypatch.setattr(full, "AT_REST", 2)
    cells = [launch.spawn() for _ in range(3)]
    for cell in cells:
        await cell.settle()
        cell.discard()
    first, *kept = (cell._server for cell in cells)
    assert launch._sandbox._at_rest == kept
    assert first.popen.returncode is not None
    launch._sandbox.tidy(0)
    assert launch._sandbox._at_rest == []
    assert None not in [server.popen.returncode for server in kept]


async def test_a_cell_that_is_closed_after_its_bot_was_removed_is_ended(launch):
    cell = await begun(launch)
    launch._sandbox.tidy(0)
    cell.discard()
    assert cell._server.popen.returncode is not None


async def test_half_of_the_uids_are_left_for_players(launch):
    cells = [launch.spawn() for _ in range(2)]
    for cell, uid in zip(cells, (UIDS[-1], UIDS[0]), strict=True):
        await cell.settle()
        cell._server.uid = uid
        cell.discard()
    assert launch._sandbox._at_rest == [cells[1]._server]


async def test_servers_at_rest_give_way_if_something_is_lacking(launch, monkeypatch):
    _, rested = await played(launch)
    launch._sandbox.hidden.append(Path("/usr/share"))
    spawned = bubblewrap.spawn_bubblewrap

    def lacking(*args, **options):
        if launch._sandbox._at_rest:
            raise OSError(errno.EMFILE, "Too many open files")
        return spawned(*args, **options)

    monkeypatch.setattr(bubblewrap, "spawn_bubblewrap", lacking)
    _, server = await played(launch)
    assert rested.popen.returncode is not None
    assert launch._sandbox._at_rest == [server]


@pytest.mark.parametrize("room", [0, 1])
async def test_a_start_without_descriptors_left_leaves_nothing(launch, room):
    await played(launch)
    before = set(os.listdir("/proc/self/fd"))
    cell = launch.spawn()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + room, hard))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            await cell.settle()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    cell.discard()
    assert set(os.listdir("/proc/self/fd")) <= before


async def test_a_limit_of_processes_that_is_reached_is_no_fault_of_the_bot(launch):
    _, server = await played(launch)
    few = replace(server._bounds, limits=replace(server._bounds.limits, threads=1))
    few.impose(only_child(server.popen.pid))
    cell = launch.spawn()
    with pytest.raises(IsolationError, match="no process or memory left"):
        await cell.settle()
    cell.discard()


async def test_a_start_whose_bubblewrap_is_killed_leaves_nothing(launch):
    """Its init may not end with it yet."""
    with no_new_child():
        cell = launch.spawn()
        while only_child(cell._server.popen.pid) is None:
            await trio.lowlevel.checkpoint()
        cell._server.popen.kill()
        await trio.lowlevel.wait_readable(cell._server.end)
        cell.kill()
        with trio.fail_after(20):
            await cell.sweep()
        cell.discard()


async def test_a_server_that_ends_before_a_start_is_a_failure_of_the_cell(launch):
    await played(launch)
    cell = launch.spawn()
    cell._server.kill()
    await trio.lowlevel.wait_readable(cell._server.end)
    with pytest.raises(IsolationError, match="could not be set up"):
        await cell.settle()
    cell.discard()


async def test_a_server_that_does_not_start_anything_is_too_slow(launch, monkeypatch):
    monkeypatch.setattr(fork_server, "SETTLE", 0.1)
    cell = launch.spawn()
    await cell._server.settle()
    signal.pidfd_send_signal(cell._server._init, signal.SIGSTOP)
    monkeypatch.setattr(cell._server, "settle", trio.lowlevel.checkpoint)
    with pytest.raises(IsolationError, match="was not set up within"):
        await cell.settle()
    cell.discard()
    assert launch._sandbox._at_rest == []


@pytest.mark.parametrize("fresh", [True, False])
async def test_which_servers_rest(launch, monkeypatch, fresh):
    """Those whose program has ended, if it had namespaces of its own."""
    if not fresh:
        monkeypatch.setattr(bubblewrap, "_FOR_SERVER", ("--as-pid-1",))
    ended, running = cells = [launch.spawn() for _ in range(2)]
    for cell in cells:
        await cell.settle()
    ended.stdin.close()
    await trio.lowlevel.wait_readable(ended.end)
    assert ended.status() == 0
    for cell in cells:
        cell.close()  # before its stdin, whose end would end the program
        for stream in (cell.stdin, cell.stdout, cell.stderr):
            stream.close()
    assert launch._sandbox._at_rest == ([ended._server] if fresh else [])
    assert running._server.popen.returncode is not None


async def test_without_namespaces_of_its_own_a_program_ends_with_its_cell(launch, monkeypatch):
    monkeypatch.setattr(bubblewrap, "_FOR_SERVER", ("--as-pid-1",))
    cell = await begun(launch)
    cell.kill()
    await cell.sweep()
    assert select.select([cell._program.pidfd], [], [], 0)[0], "it has ended"
    cell.discard()


@pytest.mark.parametrize("lacks", ["streams", "a match"])
async def test_a_cell_in_which_nothing_was_started_leaves_nothing(launch, monkeypatch, lacks):
    before = set(os.listdir("/proc/self/fd"))
    with no_new_child():
        if lacks == "streams":
            monkeypatch.setattr(full, "FullCell", raising(OSError(errno.EMFILE, "Too many open files")))
            with pytest.raises(OSError, match="Too many open files"):
                launch.spawn()
        else:
            launch.spawn().discard()
    assert set(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(os.getuid() != 0, reason="only a root referee has pooled uids")
async def test_the_uid_of_a_cell_is_lent_until_its_end(launch, monkeypatch):
    _, server = await played(launch)
    monkeypatch.setattr(uid_pool, "UIDS", [server.uid])
    with pytest.raises(IsolationError, match="in use"):
        uid_pool.borrow_uid().__enter__()
    launch._sandbox.tidy(0)
    while True:
        try:
            with uid_pool.borrow_uid() as uid:
                assert uid == server.uid
            break
        except IsolationError:  # a cell of another test was faster
            await trio.lowlevel.checkpoint()


async def test_a_player_without_a_cell_takes_no_server_along(bot):
    with open_sandbox(Level.NONE) as bare, open_sandbox(Level.FULL) as sandbox:
        cell = (await bare.prepare(bot)).spawn()
        launch = await sandbox.prepare(bot)
        _, server = await played(launch)
        cell.kill()
        await trio.lowlevel.wait_readable(cell.end)
        await cell.sweep()
        cell.discard()
        assert (await played(launch))[1] is server
