"""What ends programs that nothing isolates when the referee itself was killed.

1. A referee that is killed at once (SIGKILL, SIGQUIT, no memory left) ends nobody. A cell has asked the kernel to, but only a
   process can ask for itself: at level none a program of ours would have to stand in front of each player. That costs every
   start a millisecond, hides why a bot cannot be started, and holds for its first process alone.
2. So there is one process more: a shell that waits for the end of a pipe, which is the referee's end however it came. A match is
   never slower for it. Whatever bears the family's name in its environment then, as all do that a player started, is killed.
3. It is in the referee's session, where no sweep looks for what players left behind, and in a group of its own, where no key
   of a terminal reaches it. When all goes well it is ended before it looks at anything.
4. Who takes its name out of its environment escapes. A program that nothing isolates is trusted not to.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import uuid4

from referee.sandbox.cells.cell import TOKEN
from referee.sandbox.cells.spawning import usual_signals

_LOOKS: Final = 20
"""Each finds only what an earlier one did not kill; two are usual."""
_WAITS: Final = f"""
trap '' HUP INT QUIT TERM
read -r _
looks=0
while [ $looks -lt {_LOOKS} ]; do
    found=$(grep -lsF -e "$1" /proc/[0-9]*/environ)
    [ -n "$found" ] || exit 0
    for path in $found; do path=${{path#/proc/}}; kill -KILL "${{path%/environ}}"; done
    looks=$((looks + 1))
done
"""


@contextmanager
def guarded() -> Iterator[str]:
    """The name of a family: programs with `token(family)` in their environment do not outlive this process.

    Where no shell can be started, nobody watches.
    """
    family = uuid4().hex
    popen: subprocess.Popen[bytes] | None = None
    with suppress(OSError), usual_signals():
        popen = subprocess.Popen(
            ["/bin/sh", "-c", _WAITS, "referee-guard", f"{TOKEN}={family}-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"PATH": "/usr/bin:/bin"},
            process_group=0,
        )
    try:
        yield family
    finally:
        if popen is not None:
            popen.kill()
            with popen:
                pass


def token(family: str = "") -> str:
    """A new player's entry in its environment, by which it and its children are known."""
    return f"{family}-{uuid4().hex}"
