"""The fork server without a cell: what it starts, what it reports, and when it ends."""

import errno
import hashlib
import os
import platform
import select
import shutil
import socket
import struct
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from referee.sandbox.calls import seccomp
from referee.sandbox.cells import fork_server
from referee.sandbox.cells.bubblewrap import only_child

pytestmark = pytest.mark.machine

SOURCES = Path(__file__).parents[2] / "scripts" / "forkserver"
READY, BEGUN, FAILED, ENDED = 1, 2, 3, 4
REPORT = struct.Struct("=ii")
MAY_MAKE_NAMESPACES = [] if os.geteuid() == 0 else ["/usr/bin/unshare", "--user", "--map-root-user"]
"""As a cell lets a fork server do. Without that, it ends with its first program."""


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_programs_in_the_package_are_up_to_date(machine):
    digest = hashlib.sha256((SOURCES / "fork_server.c").read_bytes()).hexdigest()
    assert f"source {digest}".encode() in fork_server.file_of(machine).read_bytes(), "run scripts/forkserver/compile"


@pytest.fixture(params=["in the package", "compiled here"])
def server(request, tmp_path):
    """The path of a fork server."""
    path = tmp_path / "fork-server"
    if request.param == "in the package":
        path.write_bytes(fork_server.file_of(platform.machine()).read_bytes())
        path.chmod(0o755)
    elif (compiler := shutil.which("gcc")) is None:
        pytest.skip("gcc is not installed")
    else:
        subprocess.run([SOURCES / "compile", compiler, path], check=True)
    return path


class Served:
    """A fork server without a cell, and our ends of its sockets."""

    def __init__(self, popen, starts, reports):
        self.popen, self.starts, self.reports = popen, starts, reports

    def start(self, stdin=b""):
        """Starts a program with this input; returns the ends of its stdout and stderr."""
        with ExitStack() as theirs:
            pipes = [os.pipe() for _ in range(3)]
            (far_in, near_in), (near_out, far_out), (near_err, far_err) = pipes
            for far in (far_in, far_out, far_err):
                theirs.callback(os.close, far)
            socket.send_fds(self.starts, [b"!"], [far_in, far_out, far_err])
            os.write(near_in, stdin)
            os.close(near_in)
            return (*self.report(), near_out, near_err)

    def report(self):
        return REPORT.unpack(self.reports.recv(REPORT.size, socket.MSG_WAITALL))


@contextmanager
def served(server, *argv, filtered=True, env=None):
    starts, far_starts = socket.socketpair()
    far_reports, reports = socket.socketpair()
    with starts, reports:
        with far_starts, far_reports:
            popen = subprocess.Popen(
                [*MAY_MAKE_NAMESPACES, server, *argv], stdin=far_starts, stdout=far_reports, env=env or {}
            )
        with popen:
            try:
                if filtered:
                    filter_fd = seccomp.as_memfd()
                    socket.send_fds(starts, [b"!"], [filter_fd])
                    os.close(filter_fd)
                control = Served(popen, starts, reports)
                assert control.report() == (READY, 0)
                yield control
            finally:
                starts.close()
                popen.kill()


def output(descriptor):
    with open(descriptor, "rb") as stream:
        return stream.read()


SHELL = "/bin/sh"


def ran(control, stdin=b""):
    """Runs a program to its end: its status, its output, its log."""
    kind, _, out, err = control.start(stdin)
    assert kind == BEGUN
    kind, status = control.report()
    assert kind == ENDED
    return status, output(out), output(err)


@pytest.mark.parametrize("status", [0, 7, 255])
def test_the_status_of_a_program_is_reported(server, status):
    with served(server, SHELL, "-c", f"exit {status}") as control:
        for _ in range(3):
            assert os.waitstatus_to_exitcode(ran(control)[0]) == status


def test_a_program_has_its_streams_its_environment_and_nothing_else(server):
    script = "read -r line; echo $line $GREETING; echo log >&2; for fd in 3 4 5 6 7 8 9; do echo >&$fd; done"
    with served(server, SHELL, "-c", script, env={"GREETING": "hello"}) as control:
        for word in (b"one", b"two"):
            _, out, err = ran(control, word + b"\n")
            log, *refused = err.splitlines()
            assert (out, log) == (word + b" hello\n", b"log")
            assert [line.count(b"ad file descriptor") for line in refused] == [1] * 7


def test_without_a_filter_nothing_is_started(server):
    with served(server, SHELL, "-c", "exit 0", filtered=False) as control:
        assert control.start()[:2] == (FAILED, errno.EINVAL)


def test_a_program_that_cannot_be_executed_is_reported_with_the_error(server, tmp_path):
    with served(server, str(tmp_path / "absent")) as control:
        assert control.start()[:2] == (FAILED, errno.ENOENT)


def test_the_end_of_the_starts_ends_the_server(server):
    with served(server, SHELL, "-c", "exit 0") as control:
        control.starts.close()
        assert control.popen.wait(20) == 0


def test_the_end_of_the_starts_ends_a_program_that_does_not_care(server):
    """As when the referee is killed, and the signal at a parent's death was not asked for in time."""
    with served(server, SHELL, "-c", "while :; do read -r line; done") as control:
        assert control.start()[0] == BEGUN
        first = only_child(control.popen.pid)
        left = [os.pidfd_open(pid) for pid in (first, only_child(first)) if pid is not None]
        control.starts.close()
        assert control.popen.wait(20) == 1
        for descriptor in left:
            assert select.select([descriptor], [], [], 20)[0]
            os.close(descriptor)


@pytest.mark.parametrize("count", [2, 4])
def test_a_message_with_a_wrong_number_of_descriptors_ends_the_server(server, count):
    with served(server, SHELL, "-c", "exit 0") as control:
        socket.send_fds(control.starts, [b"!"], [control.starts.fileno()] * count)
        assert control.popen.wait(20) in (0, 1)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_segment_without_bytes_in_the_file_begins_with_a_page(machine):
    """Linux before 6.7 kills the program otherwise, if the file ends before that page. The largest pages have 64 KiB."""
    content = fork_server.file_of(machine).read_bytes()
    (first,), (count,) = struct.unpack_from("=Q", content, 32), struct.unpack_from("=H", content, 56)
    headers = [struct.unpack_from("=IIQQQQQQ", content, first + number * 56) for number in range(count)]
    empty = [address for kind, _, _, address, _, in_file, _, _ in headers if kind == 1 and not in_file]
    assert empty
    assert all(address % 65536 == 0 for address in empty)
