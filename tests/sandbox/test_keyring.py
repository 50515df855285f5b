"""The launcher that gives a build a session keyring of its own, run for real in front of a program that tells what it finds."""

import ctypes
import errno
import json
import os
import platform
import signal
import subprocess
import sys

import filters
import pytest
from filters.players import ALLOW, CallList, Rule
from sandbox.probes import building

from referee.sandbox.builds import keyring

MACHINE = platform.machine()
KEYCTL = {"x86_64": 250, "aarch64": 219}.get(MACHINE, -1)
SESSION = -3
LINE = [sys.executable, "-I", "-S", "-B", keyring.__file__]
TELLS = f"""
import ctypes, json, os
libc = ctypes.CDLL(None)
keys = ctypes.create_string_buffer(64)
print(json.dumps({{
    "keyring": libc.syscall({KEYCTL}, 0, {SESSION}, 0),
    "bytes of keys": libc.syscall({KEYCTL}, 11, {SESSION}, keys, 64),
    "environment": sorted(os.environ),
    "status": open("/proc/self/status").read(),
    "descriptors": sorted(map(int, os.listdir("/proc/self/fd"))),
    "process": os.getpid(),
}}))
"""


def session_keyring(create=0):
    """The number of this process's."""
    return ctypes.CDLL(None).syscall(KEYCTL, 0, SESSION, create)


needs_keys = pytest.mark.skipif(session_keyring() < 0, reason="no keys on this machine")


def told(*passed):
    program = ["/usr/bin/env", "-u", "LC_CTYPE", sys.executable, "-I", "-S", "-c", TELLS]
    with subprocess.Popen([*LINE, *program], env={"SECRET": "x"}, stdout=subprocess.PIPE, pass_fds=passed) as process:
        out, _ = process.communicate()
    said = json.loads(out)
    assert said["process"] == process.pid, "it is the process that was started, not a child of it"
    return said


@needs_keys
def test_each_program_gets_a_new_empty_keyring_and_the_caller_keeps_its_own():
    before = session_keyring()
    first, second = told(), told()
    assert len({before, first["keyring"], second["keyring"]}) == 3
    assert (first["bytes of keys"], session_keyring()) == (0, before)


def test_the_program_gets_the_descriptors_but_no_environment():
    reading, writing = os.pipe()
    said = told(writing)
    os.close(reading)
    os.close(writing)
    assert writing in said["descriptors"]
    assert reading not in said["descriptors"]
    assert "SECRET" not in said["environment"]


def test_no_signal_is_ignored():
    line = [*LINE, "/bin/grep", "SigIgn", "/proc/self/status"]
    ignored = int(subprocess.check_output(line, text=True).split()[1], 16)
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)


@pytest.fixture(scope="session")
def where_keyctl_fails(tmp_path_factory):
    """The first words of a command in which keyctl fails with this error."""
    place = building.tempdir(tmp_path_factory)

    def start(error):
        listed = CallList(ALLOW, lambda machine: (Rule("for this test", error, ("keyctl",)),))
        (place / f"keyctl-{error}").write_bytes(filters.compiled(MACHINE, listed))
        return [building.compiled("under", place), str(place / f"keyctl-{error}")]

    return start


@pytest.mark.parametrize("error", [errno.ENOSYS, errno.EPERM])
def test_where_nobody_can_use_keys_the_program_starts_all_the_same(where_keyctl_fails, error):
    done = subprocess.run([*where_keyctl_fails(error), *LINE, "/bin/echo", "begun"], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"begun\n", b"")


@pytest.mark.parametrize("error", [errno.EDQUOT, errno.ENOMEM])
def test_without_a_keyring_the_program_does_not_start(where_keyctl_fails, error):
    done = subprocess.run([*where_keyctl_fails(error), *LINE, "/bin/echo", "begun"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"keyring: {os.strerror(error)}\n")
