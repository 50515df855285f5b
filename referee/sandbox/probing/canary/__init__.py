"""A player that attacks: it tries what no player may do, and prints one line of JSON for each attack.

It runs in a player's cell, from a copy of this folder and as `python -m canary`. So it needs the standard library alone, and
finds its own parts by their place beside it. It is told in one line of JSON on stdin what the referee put there to be attacked:

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

import errno
import json
import sys
from typing import Final

from . import kernel, reach, victims
from .calls import Attack, Told, Untried

ATTACKS: Final[tuple[tuple[str, Attack], ...]] = (
    ("use an inherited descriptor", reach.descriptors),
    ("fork", reach.fork),
    ("start another program", reach.start_a_program),
    ("connect by TCP to the referee's machine", reach.connect),
    ("listen on a TCP port", reach.listen),
    ("send a datagram", reach.datagram),
    ("connect to a Unix socket", reach.unix("socket")),
    ("connect to an abstract socket", reach.unix("abstract")),
    ("open a netlink socket", reach.netlink),
    ("read a secret file", reach.read_secret),
    ("read /etc/passwd", reach.read_passwords),
    ("list processes", reach.list_processes),
    ("write in its own folder", reach.write_in(".")),
    ("write in /", reach.write_in("/")),
    ("write in /tmp", reach.write_in("/tmp")),
    ("write in /dev/shm", reach.write_in("/dev/shm")),
    ("make a FIFO", reach.fifo),
    ("signal the referee", victims.signal_referee),
    ("send the referee SIGIO", victims.own_signals),
    ("trace another process", victims.trace),
    ("read another process's memory", victims.read_memory),
    ("limit another process", victims.limit_victim),
    ("open another process", victims.process_handle),
    ("kill another process", victims.kill_victim),
    ("change its own limits", kernel.own_limits),
    ("choose its processors", kernel.affinity),
    ("share anonymous memory", kernel.shared_memory),
    ("map /dev/zero", kernel.zero_device),
    ("make a file of memory", kernel.memory_file),
    ("make a shared segment", kernel.shared_segment),
    ("take more memory than the limit", kernel.memory),
    ("start more threads than the limit", kernel.threads),
    ("io_uring", kernel.io_uring),
    ("userfaultfd", kernel.userfault),
    ("read a key ring", kernel.keyring),
    ("watch files", kernel.watch_files),
    ("start a session", reach.session),
    ("change the root folder", reach.root_folder),
    ("enter a user namespace", kernel.namespace),
)
"""In this order; the last replaces this program where it works. No quotes in names: a shell prints one."""
NEED_CTYPES: Final = frozenset(
    name
    for name, attack in ATTACKS
    if attack
    in {
        victims.trace,
        victims.read_memory,
        kernel.shared_segment,
        kernel.io_uring,
        kernel.userfault,
        kernel.keyring,
        kernel.watch_files,
        kernel.namespace,
    }
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
