"""What a player might reach: programs, the network, files, descriptors."""

from __future__ import annotations

import errno
import os
import socket

from .calls import Attack, Told


def fork(told: Told) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def start_a_program(told: Told) -> None:
    os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", ":"], {}), 0)


def session(told: Told) -> None:
    os.setsid()


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


def root_folder(told: Told) -> None:
    os.chroot("/")


def descriptors(told: Told) -> None:
    """Whatever is open beside the three streams was left by somebody."""
    for number in range(3, 1024):
        try:
            os.fstat(number)
        except OSError:
            continue
        return
    raise OSError(errno.EBADF, "none")
