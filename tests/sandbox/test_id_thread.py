"""The thread in which a root referee takes on the ids of players."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from threading import get_native_id

import pytest

from referee.errors import IsolationError
from referee.sandbox.cells import id_thread
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.cells.spawning import spawn
from referee.sandbox.uid_pool import borrow_uid

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
TELLS = """
import json, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({
    "uid": os.getresuid(), "gid": os.getresgid(), "groups": os.getgroups(),
    "capabilities": [status[name].strip() for name in ("CapPrm", "CapEff", "CapInh", "CapAmb")],
    "blocked": status["SigBlk"].strip(), "pid": os.getpid(), "network": os.readlink("/proc/self/ns/net"),
}))
"""
TELLING = ["/usr/bin/python3", "-I", "-c", TELLS]


@pytest.fixture
def stack():
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def owner(stack):
    stack.callback(os.setgroups, os.getgroups())
    os.setgroups([1])
    uid = stack.enter_context(borrow_uid())
    return Owner(IdThread(stack), uid)


def report_of(owner):
    """What a program says of itself, and its process."""
    with spawn(TELLING, start=owner.start) as program:
        out, errors = program.stdout.read(), program.stderr.read()
    assert errors == b""
    return json.loads(out), program


def ids():
    """This thread's ids and capabilities."""
    lines = Path(f"/proc/self/task/{get_native_id()}/status").read_text().splitlines()
    return [line for line in lines if line.startswith(("Uid:", "Gid:", "CapEff:", "CapPrm:"))]


def test_a_program_has_other_ids_and_no_groups_or_capabilities(owner):
    before, (says, program) = ids(), report_of(owner)
    assert (says["uid"], says["gid"], says["groups"]) == ([owner.uid] * 3, [owner.uid] * 3, [])
    assert set(says["capabilities"]) == {"0" * 16}
    assert says["pid"] == program.pid
    assert ids() == before


def test_capabilities_that_survive_a_change_of_ids_are_given_up():
    code = (
        "import ctypes, sys; sys.path.insert(0, sys.argv[1])\n"
        "from contextlib import ExitStack; from test_id_thread import IdThread, Owner, borrow_uid, report_of\n"
        "KILL, libc = 5, ctypes.CDLL(None)\n"
        "header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()\n"
        "libc.capget(header, sets); sets[2] |= 1 << KILL\n"
        "assert libc.capset(header, sets) == 0 == libc.prctl(47, 2, KILL, 0, 0)  # ambient\n"
        "with ExitStack() as s: print(report_of(Owner(IdThread(s), s.enter_context(borrow_uid())))[0]['capabilities'])"
    )
    ran = subprocess.run([sys.executable, "-c", code, Path(__file__).parent], capture_output=True, text=True)
    permitted, effective, inheritable, ambient = json.loads(ran.stdout.replace("'", '"'))
    assert (permitted, effective, ambient) == ("0" * 16,) * 3
    assert inheritable == f"{1 << 5:016x}"  # of no use without a file that grants it


def test_the_thread_returns_to_root(owner):
    before = owner.thread.do(ids)
    taken = f"\t{owner.uid}\t{owner.uid}\t0\t{owner.uid}"
    assert owner.start(ids)[:2] == [f"Uid:{taken}", f"Gid:{taken}"]
    assert owner.thread.do(ids) == before
    with pytest.raises(ZeroDivisionError):
        owner.start(lambda: 1 / 0)
    assert owner.thread.do(ids) == before


def test_a_program_blocks_no_signal_that_the_thread_has_inherited(stack):
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    try:
        owner = Owner(IdThread(stack), stack.enter_context(borrow_uid()))
        assert int(report_of(owner)[0]["blocked"], 16) == 0
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def test_a_call_that_is_interrupted_leaves_nothing_to_the_next(owner):
    heard = threading.Event()

    def interrupt(*_):
        if not heard.is_set():
            heard.set()
            raise InterruptedError

    def interrupted():
        while not heard.wait(0.01):  # the main thread may not wait yet
            os.kill(os.getpid(), signal.SIGUSR1)
        return "late"

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(InterruptedError):
            owner.thread.do(interrupted)
        assert owner.thread.do(lambda: "next") == "next"
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_the_thread_ends_with_its_stack(stack):
    before = set(threading.enumerate())  # idle threads of earlier tests may end meanwhile
    IdThread(stack)
    [thread] = set(threading.enumerate()) - before
    stack.close()
    assert not thread.is_alive()


def test_no_thread_can_be_started(stack, monkeypatch):
    def refused(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    with pytest.raises(IsolationError, match=r"^No process or thread can be started: "):
        IdThread(stack)


def test_an_architecture_whose_system_calls_are_unknown(stack, monkeypatch):
    monkeypatch.delitem(id_thread._CALLS, os.uname().machine)
    with pytest.raises(IsolationError, match="are not known on"):
        IdThread(stack)


def test_ids_that_cannot_be_taken_on(owner, monkeypatch):
    before = owner.thread.do(ids)
    calls = id_thread._CALLS[os.uname().machine]
    monkeypatch.setitem(id_thread._CALLS, os.uname().machine, calls._replace(setresgid=10**6))  # not a system call
    with pytest.raises(IsolationError, match="could not hand players to another user"):
        owner.start(ids)
    assert owner.thread.do(ids) == before


def test_a_mount_namespace_that_cannot_be_entered(owner):
    with open(os.devnull) as no_namespace, pytest.raises(IsolationError, match="a mount namespace cannot be entered"):
        Owner(owner.thread, owner.uid, no_namespace.fileno()).start(ids)
