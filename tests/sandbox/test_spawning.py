"""A program starts with the usual signal settings and with the streams that the referee chooses."""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
import threading
from collections.abc import Iterator

import pytest

from referee.sandbox.cells.spawning import ALL_SOCKETS, LOG_SOCKET, PIPES, Wiring, spawn, usual_signals

IGNORED, BLOCKED = signal.SIGHUP, signal.SIGUSR1


@pytest.fixture
def careless() -> Iterator[None]:
    """A referee that ignores one signal and blocks another."""
    before = signal.signal(IGNORED, signal.SIG_IGN)
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {BLOCKED})
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
    signal.signal(IGNORED, before)


def signals() -> dict[str, set[int]]:
    """The signals that a new program ignores and blocks, except those that the C library reserves (32 and 33)."""
    with spawn(["/bin/cat", "/proc/self/status"], env={}) as cat:
        text = cat.stdout.read().decode()
    masks = {name: int(mask, 16) for name, mask in re.findall(r"^Sig(Ign|Blk):\s*(\w+)$", text, re.MULTILINE)}
    return {
        name: {number for number in signal.valid_signals() if mask >> (number - 1) & 1} for name, mask in masks.items()
    }


@pytest.mark.usefixtures("careless")
def test_a_program_ignores_and_blocks_no_signal():
    assert signals() == {"Ign": set(), "Blk": set()}


@pytest.mark.usefixtures("careless")
def test_the_referees_own_signal_settings_are_restored():
    signals()
    assert signal.getsignal(IGNORED) is signal.SIG_IGN
    assert BLOCKED in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.usefixtures("careless")
def test_an_ignored_signal_that_arrives_during_the_start_stays_ignored():
    with usual_signals():
        os.kill(os.getpid(), IGNORED)
    os.kill(os.getpid(), IGNORED)


@pytest.mark.usefixtures("careless")
def test_a_program_that_another_thread_starts_inherits_ignored_signals():
    masks: list[dict[str, set[int]]] = []
    thread = threading.Thread(target=lambda: masks.append(signals()))
    thread.start()
    thread.join()
    assert masks[0]["Ign"] == {IGNORED}


def test_signal_handlers_stay():
    assert signals() == {"Ign": set(), "Blk": set()}
    assert callable(signal.getsignal(signal.SIGINT))


# -- streams ---------------------------------------------------------------------------------------------------------

ECHOES = "import os\nos.write(2, b'log')\nwhile data := os.read(0, 99): os.write(1, data)\n"


@pytest.mark.parametrize("wiring", [PIPES, LOG_SOCKET, ALL_SOCKETS], ids=["pipes", "log", "all"])
def test_each_stream_is_a_pipe_or_a_socket_as_requested(wiring: Wiring):
    before = sorted(os.listdir("/proc/self/fd"))
    with spawn([sys.executable, "-I", "-S", "-c", ECHOES], wiring=wiring) as program:
        streams = (program.stdin, program.stdout, program.stderr)
        modes = [os.fstat(stream.fileno()).st_mode for stream in streams]
        assert [stat.S_ISSOCK(mode) for mode in modes] == list(wiring)
        assert [stat.S_ISFIFO(mode) for mode in modes] == [not pipe for pipe in wiring]
        program.stdin.write(b"hello")
        assert program.stdout.read(5) == b"hello"
        program.stdin.close()
        assert (program.stdout.read(), program.stderr.read()) == (b"", b"log"), "closing one stream closes no other"
    assert program.returncode == 0
    assert sorted(os.listdir("/proc/self/fd")) == before


WRONG_WAY = """
import os, sys
said = []
for way in (lambda: os.write(0, b'x'), lambda: os.read(1, 1), lambda: os.read(2, 1)):
    try:
        said.append(str(way()))
    except OSError as refused:
        said.append(type(refused).__name__)
os.write(1, ' '.join(said).encode())
"""


def test_a_socket_is_open_in_one_direction():
    with spawn([sys.executable, "-I", "-S", "-c", WRONG_WAY], wiring=ALL_SOCKETS) as program:
        assert program.stdout.read() == b"BrokenPipeError b'' b''"


def test_a_program_that_cannot_be_started_leaves_no_socket():
    before = sorted(os.listdir("/proc/self/fd"))
    with pytest.raises(FileNotFoundError):
        spawn(["/nowhere"], wiring=ALL_SOCKETS)
    assert sorted(os.listdir("/proc/self/fd")) == before
