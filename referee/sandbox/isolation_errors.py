"""Why isolation is not available, and how to fix it: from bubblewrap's messages and facts about the machine.

1. If bubblewrap fails, it writes to its own stderr before a bot runs, so the message cannot come from the bot. It is capped
   and escaped all the same, because it quotes file names.
2. The message names a symptom, which may have several causes. `facts` tells them apart: settings of the kernel, whether the
   referee runs under a filter of system calls, whether this is a container.
3. A mistake of the bot is a `BotError`, a lack of the machine an `IsolationError`. Both say what to do. The messages of
   bubblewrap that are not explained here are quoted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.errors import BotError, IsolationError
from referee.text.words import shorten

_TRUSTED: Final = "To run trusted programs without protection: --isolation none"
_SELF: Final = Path("/proc/self")
NO_PROC: Final = (
    "/proc is empty here, and the referee needs it to limit and end players: run sudo mount -t proc proc /proc, or start "
    "the container or chroot with a /proc"
)
NOT_LINUX: Final = "Isolation needs Linux; only --isolation none works here (trusted programs only)"
NO_BUBBLEWRAP: Final = (
    "Players cannot be isolated: bubblewrap is not installed. Run: sudo apt install bubblewrap "
    f"(Fedora: sudo dnf install bubblewrap), or use --isolation reduced. {_TRUSTED}"
)
USERNS_OFF: Final = (
    "The kernel forbids user namespaces to ordinary users. An administrator can run: "
    "sudo sysctl kernel.unprivileged_userns_clone=1. Without that: --isolation reduced"
)
CONTAINER: Final = (
    "You are in a container whose seccomp profile forbids namespaces. Start it with --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined (or a profile allowing clone/unshare/mount/pivot_root), or use "
    "--isolation reduced"
)
FORBIDDEN: Final = (
    "Namespaces are forbidden here, by a security module or a sandbox around the referee: start it outside of that, "
    "or use --isolation reduced"
)
USED_UP: Final = (
    "Namespaces are disabled or used up: check sysctl user.max_user_namespaces, user.max_net_namespaces (0 forbids "
    "them; sudo sysctl user.max_user_namespaces=10000), or use --isolation reduced"
)
APPARMOR: Final = (
    "Ubuntu's AppArmor blocks bubblewrap. Load the profile that allows it: sudo apt install apparmor-profiles && "
    "sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d && sudo systemctl reload apparmor. "
    "Or allow all programs until the next boot: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. "
    "Without that: --isolation reduced"
)
MASKED_PROC: Final = (
    "Builds need a /proc of their own, which this container cannot give: start the container with "
    "--security-opt systempaths=unconfined (podman: unmask=ALL)"
)
SCARCE: Final = (
    "The machine has no process or memory left to set up a cell: close other programs, raise `ulimit -u`, or play "
    "fewer matches at once"
)

_WORDS: Final = 300
"""The most characters of bubblewrap's message that are quoted."""
_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that distinguish causes with the same symptom.

    Attributes:
        userns_clone: Debian's switch, 0 forbids user namespaces to ordinary users. apparmor_userns: Ubuntu's, 1 restricts them.
            None where the kernel has none.
        filtered: whether the referee itself runs under a filter of system calls.
    """

    userns_clone: int | None = None
    apparmor_userns: int | None = None
    filtered: bool = False
    container: bool = False


def facts(root: Path = Path("/")) -> Facts:
    """The facts about this machine; `root` contains /proc and /run."""
    status = setting(root / "proc/self/status")
    return Facts(
        userns_clone=_number(root / "proc/sys/kernel/unprivileged_userns_clone"),
        apparmor_userns=_number(root / "proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        filtered=re.search(r"^Seccomp:\s*2$", status, re.MULTILINE) is not None,
        container=any((root / mark).exists() for mark in (".dockerenv", "run/.containerenv")),
    )


def setting(path: Path) -> str:
    """The text of a file of the kernel; empty if there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def check_proc() -> None:
    """Raise IsolationError if /proc is not mounted: no level can follow processes without it."""
    if sys.platform == "linux" and not _SELF.exists():
        raise IsolationError(NO_PROC)


def out_of_reach(path: Path) -> str:
    """The players of a root referee cannot reach `path`, and private mounts cannot show it to them."""
    return (
        f"{shorten(str(path))} cannot be shown to players: the referee runs as root, players as a user who may not reach that "
        "file. Move it to /usr or /opt, make its folders reachable (chmod o+x), start the referee as an ordinary user, or use "
        "--isolation full where root may mount (in a container: --cap-add SYS_ADMIN)"
    )


def no_user(words: str) -> str:
    """A root referee could not change the user; `words` are the message."""
    return (
        f"The referee runs as root and could not hand players to another user ({_one_line(words)}): start it as an ordinary "
        "user, or in a container with --cap-add SETUID --cap-add SETGID --cap-add SYS_ADMIN"
    )


def slow(bot_name: str, seconds: float) -> str:
    """A cell that was not set up in time."""
    return (
        f"The cell of bot {shorten(bot_name, _NAME)} was not set up within {seconds:g} s: the machine is overloaded or short "
        "of memory. Close other programs or play fewer matches at once, and try again"
    )


def low_limits(words: str) -> str:
    """The referee's own limits are lower than those of players; `words` name the limit."""
    return (
        f"The limits of players cannot be set ({_one_line(words)}): the referee's own are lower. Raise them (`ulimit -Ha` "
        "lists them; in a container start it with --ulimit), or log in as a user who has higher ones"
    )


def failure(bot_name: str, words: str, machine: Facts | None = None) -> BotError | IsolationError:
    """The meaning of bubblewrap's message, its lines of stderr, if it ended without running the program."""
    name, message = shorten(bot_name, _NAME), _one_line(words)
    for line in _lines(words):
        if re.match(r"execvp |Can't find source path", line) is not None:
            return BotError(
                f"bot {name} cannot be started: {message!r}: its program, the interpreter in its first line, or a file of its "
                "runtime is not there, or this user may not use it; correct `run` in its bot.toml, or chmod +x the file"
            )
        for pattern, meaning in _CAUSES.items():
            if re.match(pattern, line) is not None:
                return IsolationError(meaning if isinstance(meaning, str) else meaning(machine or facts()))
    return IsolationError(
        f"The cell of bot {name} could not be set up: "
        + (f"bubblewrap says {message!r}" if message else "bubblewrap ended without a message")
        + ". `referee doctor` says what this machine lacks; without isolation: --isolation reduced or none"
    )


def _no_permission(machine: Facts) -> str:
    if machine.userns_clone == 0:
        return USERNS_OFF
    if machine.filtered or machine.container:
        return CONTAINER
    return _no_rights(machine)


def _no_rights(machine: Facts) -> str:
    """The namespace was made, but the process in it has no rights."""
    return APPARMOR if machine.apparmor_userns else FORBIDDEN


# How lines begin. File names come later in a line, so that none of them passes for another failure.
_CAUSES: Final[Mapping[str, str | Callable[[Facts], str]]] = {
    r"Creating new namespace failed: (nesting depth|.*ENOSPC|No space)": USED_UP,
    r"No permissions to creat\w+ new namespace|Creating new namespace failed: (Operation not|Perm)": _no_permission,
    r"(Creating new namespace failed|Can't fork\b.*): (Resource temporarily|Cannot allocate)": SCARCE,
    r"setting up [ug]id map|error writing to setgroups|loopback: ": _no_rights,
    r"Failed to make / slave|pivot_root|Failed to mount tmpfs": _no_permission,
    r"Can't mount proc on": MASKED_PROC,
}


def _lines(words: str) -> Iterator[str]:
    """The lines without the name that they begin with, sometimes twice."""
    for line in words.splitlines():
        yield re.sub(r"^(\s*bwrap: )+", "", line).strip()


def _one_line(words: str) -> str:
    """The message in one line, escaped."""
    return shorten(" / ".join(dict.fromkeys(filter(None, _lines(words)))), _WORDS)


def _number(path: Path) -> int | None:
    text = setting(path)
    return int(text) if re.fullmatch(r"\d{1,9}", text) else None
