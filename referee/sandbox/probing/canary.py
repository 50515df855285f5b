"""A player that attacks: it tries what no player may do, and prints one line of JSON for each attack.

It runs in a player's cell, so it is one file that needs the standard library alone. It is told in one line of JSON on
stdin what the referee put there to be attacked:

    {"port": 40123, "abstract": "\\u0000name", "socket": "/path", "secret": "/path", "referee": 4711, "victim": 4712,
     "memory": 1073741824, "threads": 128}

    {"attack": "fork", "refused": true, "by": "EPERM"}
    {"attack": "read a secret file", "refused": false, "by": ""}
    {"attack": "io_uring", "refused": null, "by": "this Python has no ctypes"}

Each attack is made so that it harms nobody where nothing stops it: signals that a process ignores, memory that is asked for
and not touched, files that are removed at once. What succeeded is undone. `refused` is null for what could not be tried.
Where `memory` or `threads` is null, some limit must be in force, and hold.
"""

from __future__ import annotations

import _thread
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
from typing import Any, Final

try:
    import ctypes
except ImportError:  # an interpreter built without it: some attacks cannot be tried
    ctypes = None  # type: ignore[assignment]

Told = dict[str, Any]
Attack = Callable[[Told], None]

MIB: Final = 1 << 20
STACK: Final = 64 * 1024
MOST_THREADS: Final = 1024
"""A limit above is none for a player."""
PTRACE_SEIZE: Final = 0x4206
CLONE_NEWUSER: Final = 0x10000000
KEYCTL_GET_KEYRING_ID: Final = 0
SESSION_KEYRING: Final = -3
F_SETOWN: Final = 8
LINE: Final = '{"attack": "%s", "refused": false, "by": ""}'


class Untried(Exception):
    """This interpreter or processor cannot make the attack."""


def libc() -> Any:
    """The C library, whose functions leave their errno to `checked`."""
    if ctypes is None:
        raise Untried("this Python has no ctypes")
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """A C function's result; OSError for -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(x86_64: int, aarch64: int, *arguments: object) -> int:
    """A system call by its number."""
    number = {"x86_64": x86_64, "aarch64": aarch64}.get(os.uname().machine)
    if number is None:
        raise Untried("this processor's number of the call is not known")
    return checked(libc().syscall(ctypes.c_long(number), *arguments))


def fork(told: Told) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def start_a_program(told: Told) -> None:
    os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", ":"], {}), 0)


def shell(told: Told) -> None:
    # When it works this process is the shell: the shell prints the line.
    sys.stdout.flush()
    os.execv("/bin/sh", ["sh", "-c", "echo '%s'" % (LINE % "execute /bin/sh")])


def connect(told: Told) -> None:
    with socket.create_connection(("127.0.0.1", told["port"]), timeout=1):
        pass


def listen(told: Told) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()


def datagram(told: Told) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"canary", ("127.0.0.1", told["port"] or 9))


def unix(address: str) -> Attack:
    def connect(told: Told) -> None:
        with socket.socket(socket.AF_UNIX) as sender:
            sender.connect(told[address])

    return connect


def netlink(told: Told) -> None:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as sender:
        sender.bind((0, 0))


def read_secret(told: Told) -> None:
    with open(told["secret"], "rb") as file:
        file.read(1)


def read_passwords(told: Told) -> None:
    with open("/etc/passwd", "rb") as file:
        file.read(1)


def list_processes(told: Told) -> None:
    if not any(name.isdigit() and int(name) not in (1, os.getpid()) for name in os.listdir("/proc")):
        raise OSError(errno.ESRCH, "nobody else")


def write_in(folder: str) -> Attack:
    def write(told: Told) -> None:
        path = os.path.join(folder, f".canary-{os.getpid()}")
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(path)

    return write


def fifo(told: Told) -> None:
    path = f".canary-{os.getpid()}"
    os.mkfifo(path)
    os.unlink(path)


def signal_referee(told: Told) -> None:
    os.kill(told["referee"], signal.SIGCONT)


def kill_victim(told: Told) -> None:
    os.kill(told["victim"], signal.SIGKILL)


def own_signals(told: Told) -> None:
    """Make somebody else the receiver of a descriptor's SIGIO; without O_ASYNC none is sent."""
    fcntl.fcntl(0, F_SETOWN, told["referee"])


def trace(told: Told) -> None:
    checked(libc().ptrace(PTRACE_SEIZE, told["victim"], None, None))


def read_memory(told: Told) -> None:
    read = libc().process_vm_readv
    here = ctypes.create_string_buffer(8)
    piece = (ctypes.c_size_t * 2)(ctypes.addressof(here), 8)
    read.argtypes = [ctypes.c_int, *[ctypes.c_void_p, ctypes.c_ulong] * 2, ctypes.c_ulong]
    try:
        checked(read(told["victim"], ctypes.addressof(piece), 1, ctypes.addressof(piece), 1, 0))
    except OSError as refused:
        if refused.errno != errno.EFAULT:  # nothing lies at that address, but it was allowed to look
            raise


def limit_victim(told: Told) -> None:
    resource.prlimit(told["victim"], resource.RLIMIT_CORE, (0, 0))


def process_handle(told: Told) -> None:
    os.close(os.pidfd_open(told["victim"]))


def own_limits(told: Told) -> None:
    now = resource.getrlimit(resource.RLIMIT_CORE)
    try:
        resource.setrlimit(resource.RLIMIT_CORE, now)
    except ValueError:  # so Python calls EPERM here
        raise PermissionError(errno.EPERM, "not allowed") from None


def affinity(told: Told) -> None:
    os.sched_setaffinity(0, os.sched_getaffinity(0))


def shared_memory(told: Told) -> None:
    mmap.mmap(-1, MIB).close()


def zero_device(told: Told) -> None:
    device = os.open("/dev/zero", os.O_RDWR)
    try:
        mmap.mmap(device, MIB).close()
    finally:
        os.close(device)


def memory_file(told: Told) -> None:
    os.close(os.memfd_create("canary"))


def shared_segment(told: Told) -> None:
    segment = checked(libc().shmget(0, ctypes.c_size_t(4096), 0o1600))
    checked(libc().shmctl(segment, 0, None))  # IPC_RMID


def memory(told: Told) -> None:
    limit = resource.getrlimit(resource.RLIMIT_DATA)[0] if told["memory"] is None else told["memory"]
    if limit != resource.RLIM_INFINITY:
        mmap.mmap(-1, limit + 64 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def threads(told: Told) -> None:
    """Each waits for a lock that is given back at the end."""
    limit = resource.getrlimit(resource.RLIMIT_NPROC)[0] if told["threads"] is None else told["threads"]
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
        except RuntimeError:  # the interpreter does not tell the number
            running.pop()
            raise OSError(errno.EAGAIN, "no more threads") from None
        finally:
            _thread.stack_size(0)
    while running:
        os.sched_yield()


def io_uring(told: Told) -> None:
    os.close(call(425, 425, 1, bytes(120)))


def userfault(told: Told) -> None:
    os.close(call(323, 282, os.O_CLOEXEC))


def keyring(told: Told) -> None:
    call(250, 219, KEYCTL_GET_KEYRING_ID, SESSION_KEYRING, 0)


def watch_files(told: Told) -> None:
    os.close(call(294, 26, os.O_CLOEXEC))


def session(told: Told) -> None:
    os.setsid()


def root_folder(told: Told) -> None:
    os.chroot("/")


def namespace(told: Told) -> None:
    """Last but one: where it works, this process stands in another namespace afterwards."""
    checked(libc().unshare(CLONE_NEWUSER))


def descriptors(told: Told) -> None:
    """Whatever is open beside the three streams was left by somebody."""
    for number in range(3, 1024):
        try:
            os.fstat(number)
        except OSError:
            continue
        return
    raise OSError(errno.EBADF, "none")


ATTACKS: Final[tuple[tuple[str, Attack], ...]] = (
    ("use an inherited descriptor", descriptors),
    ("fork", fork),
    ("start another program", start_a_program),
    ("connect by TCP to the referee's machine", connect),
    ("listen on a TCP port", listen),
    ("send a datagram", datagram),
    ("connect to a Unix socket", unix("socket")),
    ("connect to an abstract socket", unix("abstract")),
    ("open a netlink socket", netlink),
    ("read a secret file", read_secret),
    ("read /etc/passwd", read_passwords),
    ("list processes", list_processes),
    ("write in its own folder", write_in(".")),
    ("write in /", write_in("/")),
    ("write in /tmp", write_in("/tmp")),
    ("write in /dev/shm", write_in("/dev/shm")),
    ("make a FIFO", fifo),
    ("signal the referee", signal_referee),
    ("send the referee SIGIO", own_signals),
    ("trace another process", trace),
    ("read another process's memory", read_memory),
    ("limit another process", limit_victim),
    ("open another process", process_handle),
    ("kill another process", kill_victim),
    ("change its own limits", own_limits),
    ("choose its processors", affinity),
    ("share anonymous memory", shared_memory),
    ("map /dev/zero", zero_device),
    ("make a file of memory", memory_file),
    ("make a shared segment", shared_segment),
    ("take more memory than the limit", memory),
    ("start more threads than the limit", threads),
    ("io_uring", io_uring),
    ("userfaultfd", userfault),
    ("read a key ring", keyring),
    ("watch files", watch_files),
    ("start a session", session),
    ("change the root folder", root_folder),
    ("enter a user namespace", namespace),
    ("execute /bin/sh", shell),
)
"""In this order; the last replaces this program where it works. No quotes in names: a shell prints one."""
NEED_CTYPES: Final = frozenset(
    name
    for name, attack in ATTACKS
    if attack in {trace, read_memory, shared_segment, io_uring, userfault, keyring, watch_files, namespace}
)
"""Those that an interpreter without ctypes cannot try."""


def attempt(attack: Attack, told: Told) -> tuple[bool | None, str]:
    """(refused or None, by what)."""
    try:
        attack(told)
    except Untried as why:
        return None, str(why)
    except OSError as refused:
        return True, errno.errorcode.get(refused.errno or 0, str(refused.errno))
    except MemoryError:
        return True, "ENOMEM"
    except Exception as other:  # no answer is no refusal
        return False, f"{type(other).__name__}: {other}"
    return False, ""


def main() -> None:
    told = json.loads(sys.stdin.readline())
    for name, attack in ATTACKS:
        refused, by = attempt(attack, told)
        print(json.dumps({"attack": name, "refused": refused, "by": by}), flush=True)


if __name__ == "__main__":
    main()
