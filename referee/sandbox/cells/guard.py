"""A shell beside the match that ends its players when the referee itself was killed.

1. A referee that is killed at once (SIGKILL, SIGQUIT, no memory left) ends nobody. The kernel can end a process with its parent,
   but only the process itself can ask for that. At level none a program of ours would have to stand in front of each player:
   that costs every start a millisecond, hides why a bot cannot be started, and holds for its first process alone. At level full
   bubblewrap asks, but the init of a cell asks only after it has been let go: a cell that is being started when the referee is
   killed can live on (`full_cell.py`, theory, point 4).
2. So there is one process more: a shell that waits for the end of a pipe, which is the referee's end however it came. A match is
   never slower for it. Then it kills every process that has a mark: at level none the family's name in its environment, as
   all that a player started has; at level full the match's temporary folder in its command line, as bubblewrap has.
3. It is in the referee's session, where no sweep looks for what players left behind, and in a group of its own, where no key
   of a terminal reaches it. When all goes well it is ended before it looks at anything.
4. Its own command line has the mark in two pieces, and grep reads it from a pipe: neither finds itself.
5. At level none a program that takes the name out of its environment escapes. A program that nothing isolates is trusted not to.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal
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
    found=$(printf '%s' "$2$3" | grep -lsFf - /proc/[0-9]*/"$1")
    [ -n "$found" ] || exit 0
    for path in $found; do path=${{path#/proc/}}; kill -KILL "${{path%/*}}"; done
    looks=$((looks + 1))
done
"""


@contextmanager
def guarded() -> Iterator[str]:
    """The name of a family: programs with `token(family)` in their environment do not outlive this process.

    Where no shell can be started, nobody watches.
    """
    family = uuid4().hex
    with _guard("environ", f"{TOKEN}={family}-"):
        yield family


@contextmanager
def guarded_cells(tempdir: Path) -> Iterator[None]:
    """Cells that show something from this temporary folder do not outlive this process, even if they are still starting.

    Where no shell can be started, the next referee ends them (`tempdir.py`).
    """
    with _guard("cmdline", f"{tempdir.name}/"):
        yield


@contextmanager
def _guard(where: Literal["environ", "cmdline"], mark: str) -> Iterator[None]:
    """Kill every process whose file `where` in /proc has the mark, when this process ends before the block does."""
    popen: subprocess.Popen[bytes] | None = None
    with suppress(OSError), usual_signals():
        popen = subprocess.Popen(
            ["/bin/sh", "-c", _WAITS, "referee-guard", where, mark[:1], mark[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"PATH": "/usr/bin:/bin"},
            process_group=0,
        )
    try:
        yield
    finally:
        if popen is not None:
            popen.kill()
            with popen:
                pass


def token(family: str = "") -> str:
    """A new player's entry in its environment, by which it and its children are known."""
    return f"{family}-{uuid4().hex}"
