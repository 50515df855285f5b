"""The targets of attacks: a file, a key, services and a process of the test; and which of them were disturbed."""

import ctypes
import os
import re
import resource
import socket
import subprocess
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Final

MARKED: Final = [Path(folder) for folder in ("/", "/tmp", "/dev", "/dev/shm")]
_SECRET: Final = b"secret"
_ADD_KEY, _KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(os.uname().machine, (-1, -1))
_JOIN, _READ = 1, 11
_SESSION_KEYRING: Final = -3
_LIBC: Final = ctypes.CDLL(None)


class Page(BaseHTTPRequestHandler):
    """A web page for everybody."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"page")

    def log_message(self, *_: object) -> None:
        """Logs nothing."""


class Surroundings:
    """The targets by their names in the orders of an attack; made within `stack`, which also ends them.

    Make them in the thread that starts programs: that thread's session keyring is replaced.

    Args:
        folder: an empty one that everybody may enter: only the sandbox keeps its files from a bot.
        victim: `victim.c`, just started with a pipe for its output.
        http: the port of a web page.
    """

    def __init__(self, folder: Path, victim: subprocess.Popen[bytes], http: int, stack: ExitStack) -> None:
        self._folder, self._victim = folder, victim
        (folder / "secret").write_bytes(_SECRET)
        (folder / "link").symlink_to("secret")
        (folder / "removable").mkdir()
        (folder / "removable" / "file").touch()
        if _call(_KEYCTL, _JOIN, None) > 0:  # a new session keyring, as after a login: never the user's own
            _call(_ADD_KEY, b"user", b"hostile-key", _SECRET, len(_SECRET), _SESSION_KEYRING)
        self.targets = {
            "home": str(folder),
            "secret": str(folder / "secret"),
            "removable": str(folder / "removable"),
            "key": "hostile-key",
            "victim": str(victim.pid),
            "mark": f"hostile-{victim.pid}",
            "address": victim.stdout.readline().decode().strip(),
            "http": str(http),
            "host": socket.gethostname(),
            "uid": str(os.getuid()),
        }
        self._services: dict[str, socket.socket] = {}
        for name, kind in (("tcp", socket.SOCK_STREAM), ("udp", socket.SOCK_DGRAM)):
            service = self._serve(stack, name, socket.AF_INET, kind, ("127.0.0.1", 0))
            self.targets[name] = str(service.getsockname()[1])
        for name, kind in (("unix", socket.SOCK_STREAM), ("unix_datagram", socket.SOCK_DGRAM)):
            self.targets[name] = str(folder / name)
            self._serve(stack, name, socket.AF_UNIX, kind, self.targets[name])
            (folder / name).chmod(0o777)
        for name, kind in (("abstract", socket.SOCK_STREAM), ("abstract_datagram", socket.SOCK_DGRAM)):
            self.targets[name] = f"hostile-{victim.pid}-{name}"
            self._serve(stack, name, socket.AF_UNIX, kind, "\0" + self.targets[name])
        self._before = self._look()

    def disturbed(self) -> list[str]:
        """The targets that changed: files, keys, the victim, services that were called."""
        now = self._look()
        changes = [name for name, was in self._before.items() if now[name] != was]
        for name, service in self._services.items():
            try:
                if service.type == socket.SOCK_STREAM:
                    service.accept()[0].close()
                else:
                    service.recv(64)
            except BlockingIOError:
                continue
            changes.append(name)
        return changes

    def _serve(
        self, stack: ExitStack, name: str, family: int, kind: int, address: str | tuple[str, int]
    ) -> socket.socket:
        service = stack.enter_context(socket.socket(family, kind))
        service.bind(address)
        service.setblocking(False)
        if kind == socket.SOCK_STREAM:
            service.listen()
        self._services[name] = service
        return service

    def _look(self) -> dict[str, object]:
        pid = self._victim.pid
        seen: dict[str, object] = {
            "files": sorted((str(path), path.stat().st_mode, path.stat().st_size) for path in self._folder.rglob("*")),
            "marks": [path for path in MARKED if (path / self.targets["mark"]).exists()],
            "keys": _keys(),
            "alive": self._victim.poll() is None,
        }
        if seen["alive"]:
            status = Path(f"/proc/{pid}/status").read_text()
            seen["stopped or traced"] = re.search(r"State:\s*[tT]|TracerPid:\s*[1-9]", status) is not None
            seen["priority"] = os.getpriority(os.PRIO_PROCESS, pid)
            seen["policy"] = os.sched_getscheduler(pid)
            seen["cores"] = os.sched_getaffinity(pid)
            seen["files it may open"] = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        return {**dict.fromkeys(("stopped or traced", "priority", "policy", "cores", "files it may open")), **seen}


def _keys() -> bytes:
    """The numbers of all keys in the session keyring; empty if the kernel has none."""
    numbers = ctypes.create_string_buffer(256)
    return numbers.raw[: max(0, _call(_KEYCTL, _READ, _SESSION_KEYRING, numbers, len(numbers)))]


def _call(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """A system call that may fail: not every machine has keys."""
    return int(
        _LIBC.syscall(*(ctypes.c_long(word) if isinstance(word, int) else word for word in (number, *arguments)))
    )
