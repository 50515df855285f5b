"""What the kernel tells of a process: whether it waits for input, computes, or waits for something else."""

from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import trio

from referee.compliance.deeds import Deed, deed, is_stuck, peak, unread

pytestmark = pytest.mark.skipif(platform.machine() not in {"x86_64", "aarch64"}, reason="other numbers of system calls")

READS = "sys.stdin.buffer.readline()"
SELECTS = "select.select([sys.stdin], [], [])"
SELECTS_FOR_A_WHILE = "select.select([sys.stdin], [], [], 600)"
POLLS = "p = select.poll(); p.register(0); p.poll()"
SPINS = "exec('while True: pass')"
WAITS = "threading.Event().wait()"
BESIDE = "threading.Thread(target=sys.stdin.buffer.readline).start(); threading.Event().wait({})"


@contextmanager
def running(code: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that has said that it is about to do this."""
    words = [sys.executable, "-c", f"import os, select, sys, threading; os.write(1, b'.'); {code}"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as popen:
        assert popen.stdout is not None
        popen.stdout.read(1)
        try:
            yield popen
        finally:
            popen.kill()


async def settled(pid: int, wanted: object, look) -> None:
    """Wait until it does it, and it goes on so for some looks."""
    calm = 0
    while calm < 5:
        calm = calm + 1 if look(pid) == wanted else 0
        await trio.sleep(0.01)


@pytest.mark.parametrize(("code", "wanted"), [(READS, Deed.READS), (SPINS, Deed.RUNS), (WAITS, Deed.WAITS)])
async def test_what_it_does(code, wanted):
    with running(code) as popen:
        await settled(popen.pid, wanted, deed)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [(READS, True), (SPINS, False), (WAITS, False), (BESIDE.format(""), True), (BESIDE.format("600"), False)],
)
async def test_whether_only_input_can_make_it_go_on(code, wanted):
    with running(code) as popen:
        await settled(popen.pid, wanted, is_stuck)


def test_what_is_not_read_is_counted():
    with running(WAITS) as popen:
        assert popen.stdin is not None
        assert unread(popen.stdin.fileno()) == 0
        os.write(popen.stdin.fileno(), b"12345")
        assert unread(popen.stdin.fileno()) == 5


def test_what_is_not_read_from_a_socket_is_seen():
    near, far = socket.socketpair()
    with near, far:
        assert unread(near.fileno()) == 0
        near.send(b"12345")
        assert unread(near.fileno()) > 0
        far.recv(5)
        assert unread(near.fileno()) == 0


def test_the_peak_is_what_was_held_and_let_go():
    with running("x = bytearray(60_000_000); del x; os.write(1, b'.'); threading.Event().wait()") as popen:
        assert popen.stdout is not None
        popen.stdout.read(1)
        assert 60_000_000 < (peak(popen.pid) or 0) < 200_000_000


def test_who_is_gone_does_nothing():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert deed(gone.pid) is None
    assert not is_stuck(gone.pid)
    assert peak(gone.pid) is None
