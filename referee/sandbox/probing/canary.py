"""A player that attacks: it tries what no player may do, and prints one line of JSON for each attack.

It runs in a player's cell as a separate program, so it uses only the standard library. One line of JSON on stdin names the
targets that the referee has prepared:

    {"port": 40123, "secret": "/path", "referee": 4711, "victim": 4712, "memory": 1073741824, "threads": 128}

    {"attack": "fork", "refused": true, "by": "EPERM"}
    {"attack": "read a secret file", "refused": false, "by": ""}

Each attack stands for one layer or one rule of the cell; `tests/hostile` has many more. No attack does harm where nothing stops
it: signals that a process ignores, memory that is asked for and not touched, files that are removed at once. What succeeded is
undone. Where `memory` or `threads` is null, some limit must be in force, and hold.
"""

from __future__ import annotations

import _thread
import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

MIB: Final = 1 << 20
STACK: Final = 64 * 1024
MOST_THREADS: Final = 1024
"""A limit above this is none for a player."""
F_SETOWN: Final = 8
PTRACE_SEIZE: Final = 0x4206
CLONE_NEWUSER: Final = 0x1000_0000
IO_URING_SETUP: Final = 425

Baits = dict[str, Any]
Attack = Callable[[Baits], None]


def descriptors(baits: Baits) -> None:
    """A descriptor that is open beside the three streams was inherited, unless exec closes it: libffi may open its own file."""
    for number in range(3, 1024):
        try:
            os.fstat(number)
        except OSError:
            continue
        if os.get_inheritable(number):
            return
    raise OSError(errno.EBADF, "none")


def fork(baits: Baits) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def start_a_program(baits: Baits) -> None:
    os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", ":"], {}), 0)


def connect(baits: Baits) -> None:
    with socket.create_connection(("127.0.0.1", baits["port"]), timeout=1):
        pass


def netlink(baits: Baits) -> None:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as sender:
        sender.bind((0, 0))


def read_secret(baits: Baits) -> None:
    with open(baits["secret"], "rb") as file:
        file.read(1)


def list_processes(baits: Baits) -> None:
    if not any(name.isdigit() and int(name) not in (1, os.getpid()) for name in os.listdir("/proc")):
        raise OSError(errno.ESRCH, "nobody else")


def write_in(folder: str) -> Attack:
    def write(baits: Baits) -> None:
        path = os.path.join(folder, f".canary-{os.urandom(8).hex()}")  # a new name: another may be left
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with suppress(OSError):  # it has written, whether or not it may remove
            os.unlink(path)

    return write


def signal_referee(baits: Baits) -> None:
    os.kill(baits["referee"], signal.SIGCONT)


def own_signals(baits: Baits) -> None:
    """Make the referee the receiver of a descriptor's SIGIO; without O_ASYNC none is sent."""
    fcntl.fcntl(0, F_SETOWN, baits["referee"])


def trace(baits: Baits) -> None:
    check_result(LIBC.ptrace(PTRACE_SEIZE, baits["victim"], None, None))


def own_limits(baits: Baits) -> None:
    now = resource.getrlimit(resource.RLIMIT_CORE)
    try:
        resource.setrlimit(resource.RLIMIT_CORE, now)
    except ValueError:  # Python's word for EPERM here
        raise PermissionError(errno.EPERM, "not allowed") from None


def shared_memory(baits: Baits) -> None:
    mmap.mmap(-1, MIB).close()


def zero_device(baits: Baits) -> None:
    device = os.open("/dev/zero", os.O_RDWR)
    try:
        mmap.mmap(device, MIB).close()
    finally:
        os.close(device)


def memory_file(baits: Baits) -> None:
    os.close(os.memfd_create("canary"))


def memory(baits: Baits) -> None:
    limit = resource.getrlimit(resource.RLIMIT_DATA)[0] if baits["memory"] is None else baits["memory"]
    if limit != resource.RLIM_INFINITY:
        mmap.mmap(-1, limit + 64 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def threads(baits: Baits) -> None:
    """Each thread waits for a lock that is released at the end."""
    limit = resource.getrlimit(resource.RLIMIT_NPROC)[0] if baits["threads"] is None else baits["threads"]
    if not 0 <= limit <= MOST_THREADS:
        return
    gate = _thread.allocate_lock()
    running: list[None] = []
    _thread.stack_size(STACK)

    def wait() -> None:
        with gate:
            pass
        running.pop()

    with gate:
        try:
            for _ in range(limit + 16):
                running.append(None)
                _thread.start_new_thread(wait, ())
        except RuntimeError:  # Python does not report the errno
            running.pop()
            raise OSError(errno.EAGAIN, "no more threads") from None
        finally:
            _thread.stack_size(0)
    while running:
        os.sched_yield()


def io_uring(baits: Baits) -> None:
    os.close(check_result(LIBC.syscall(ctypes.c_long(IO_URING_SETUP), 1, bytes(120))))


def namespace(baits: Baits) -> None:
    check_result(LIBC.unshare(CLONE_NEWUSER))


ATTACKS: Final[tuple[tuple[str, Attack], ...]] = (
    ("use an inherited descriptor", descriptors),
    ("fork", fork),
    ("start another program", start_a_program),
    ("connect by TCP to the referee's machine", connect),
    ("open a netlink socket", netlink),
    ("read a secret file", read_secret),
    ("list processes", list_processes),
    ("write in its own folder", write_in(".")),
    ("write in /tmp", write_in("/tmp")),
    ("signal the referee", signal_referee),
    ("send the referee SIGIO", own_signals),
    ("trace another process", trace),
    ("change its own limits", own_limits),
    ("share anonymous memory", shared_memory),
    ("map /dev/zero", zero_device),
    ("make a file of memory", memory_file),
    ("take more memory than the limit", memory),
    ("start more threads than the limit", threads),
    ("io_uring", io_uring),
    ("enter a user namespace", namespace),
)
"""In this order. The last one, where it works, puts this process into another namespace."""


def attempt(attack: Attack, baits: Baits) -> tuple[bool, str]:
    """(refused, by what)."""
    try:
        attack(baits)
    except OSError as refused:
        return True, errno.errorcode.get(refused.errno or 0, str(refused.errno))
    except MemoryError:
        return True, "ENOMEM"
    except Exception as other:  # a bug of the attack is not a refusal
        return False, f"{type(other).__name__}: {other}"
    return False, ""


def main() -> None:
    baits = json.loads(sys.stdin.readline())
    for name, attack in ATTACKS:
        refused, by = attempt(attack, baits)
        print(json.dumps({"attack": name, "refused": refused, "by": by}), flush=True)


def check_result(result: int) -> int:
    """A C function's result; OSError for -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


LIBC: Final = ctypes.CDLL(None, use_errno=True)

if __name__ == "__main__":
    main()
