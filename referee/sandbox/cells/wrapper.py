"""What stands in front of bubblewrap where the referee is root: a player's pooled uid, and a way to what that hides.

1. Root may leave its uid, so what the wrapper execs its way through is `nsenter`: the process that the referee starts is
   bubblewrap in the end, with the descriptors that it was given. It needs no environment. (Popen could change the uid too,
   but would have to fork the whole referee.)
2. An interpreter below a home folder of mode 0700 is out of a pooled uid's reach, and no descriptor helps: bubblewrap walks
   to it as that uid. Root can bind it to a place that can be reached, in a mount namespace of its own.
3. That namespace is made once for a bot and held by a descriptor, which `nsenter` finds below /proc by the referee's number.
   So a start costs no mounts; nothing of it is seen outside; and it is gone when the referee is, however that ends.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.uid_pool import can_reach, pooled_uid

_HOLD: Final = "echo; read -r _"


class Wrapper:
    """For one bot, or for one jail. A referee that is not root has none to speak of: `uid` is None, `line` is empty.

    Attributes:
        uid: the player's own while `stack` lasts.
    """

    def __init__(self, tempdir: Path, stack: ExitStack) -> None:
        """Take a pooled uid.

        Args:
            tempdir: where what is hidden is shown, in an empty file or folder each.
            stack: what gives the uid back, and the namespace.

        Raises:
            IsolationError: no uid is to be had.
        """
        self.uid = stack.enter_context(pooled_uid()) if os.getuid() == 0 else None
        self._tempdir = tempdir
        self._stack = stack
        self._hidden: list[tuple[Path, Path]] = []
        self._namespace: int | None = None

    def can_reach(self, path: Path) -> bool:
        """Whether the player finds it where it is."""
        return self.uid is None or can_reach(path, self.uid)

    def can_show(self, path: Path) -> bool:
        """Whether `reachable` finds a way."""
        return self.can_reach(path) or can_unhide()

    def reachable(self, path: Path) -> Path:
        """Where the player finds it: there, or where it will be shown. What lies there is to be readable for others.

        Raises:
            IsolationError: it is hidden, and root may not mount here.
        """
        if self.can_reach(path):
            return path
        if not can_unhide():
            raise IsolationError(isolation_errors.hidden(path))
        place = self._tempdir / f"shown{self.uid}-{len(self._hidden)}"
        if path.is_dir():
            place.mkdir()
        else:
            place.touch()
        self._hidden.append((path, place))
        return place

    @property
    def hides(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._hidden)

    def show(self) -> None:
        """Make the namespace, once all is asked for. It takes some milliseconds, so in a thread.

        Raises:
            IsolationError: something cannot be bound; in mount's own words.
        """
        if self._hidden:
            self._namespace = _namespace(self._hidden)
            self._stack.callback(os.close, self._namespace)

    def line(self) -> list[str]:
        """What stands in front of bubblewrap's own arguments.

        Raises:
            IsolationError: a program of util-linux is missing.
        """
        if self.uid is None:
            return []
        enter = [_tool("nsenter"), f"--setuid={self.uid}", f"--setgid={self.uid}"]  # which leaves all other groups, too
        if self._namespace is not None:
            enter.append(f"--mount=/proc/{os.getpid()}/fd/{self._namespace}")
        return [*enter, "--"]


def can_unhide() -> bool:
    """Whether what is hidden can be shown: root that may mount, which root in a container often may not."""
    return os.geteuid() == 0 and _can_mount()


def _namespace(hidden: list[tuple[Path, Path]]) -> int:
    """A descriptor of a mount namespace in which the first of each pair is bound to the second."""
    binds = [shlex.join([_tool("mount"), "--no-mtab", "--bind", str(source), str(place)]) for source, place in hidden]
    argv = [*_apart(), "/bin/sh", "-ec", "; ".join([*binds, _HOLD])]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stderr is not None
        if not holder.stdout.readline():
            raise IsolationError(isolation_errors.no_user(holder.stderr.read().decode(errors="replace")))
        return os.open(f"/proc/{holder.pid}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)


def _apart() -> list[str]:
    return [_tool("unshare"), "--mount", "--propagation", "private", "--"]


@cache
def _can_mount() -> bool:
    try:
        argv = [*_apart(), _tool("mount"), "--no-mtab", "--bind", "/", "/"]
    except IsolationError:
        return False
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


@cache
def _tool(name: str) -> str:
    found = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/bin:/usr/sbin:/bin:/sbin")
    if found is None:
        raise IsolationError(
            f"a root referee needs {name} to isolate players: install util-linux, or run as an ordinary user"
        )
    return found
