"""A shell beside the match that ends the players if the referee is killed.

1. A referee that is killed (SIGKILL, SIGQUIT, no memory left) cannot end its players. The kernel can end a process with its
   parent, but only if the process asks for it. At level none that would take a wrapper around each player, which costs
   each start a millisecond, hides why a bot cannot be started, and covers its first process only. At level full, the init
   of a cell asks, but only when bubblewrap has set it up: a cell that is just being made can survive.
2. So a shell waits for the end of a pipe, which means that the referee has ended. This does not slow the match. Then the
   shell kills every process with a mark: at level none a name in its environment, which the children of a player inherit;
   at level full the match's temporary folder in its command line, as bubblewrap has it.
3. The shell is in the referee's session, which sweeps for leftovers skip, and in its own process group, which no key of a
   terminal reaches. After a normal match it is ended before it does anything.
4. Its own command line has the mark in two pieces, and grep reads the mark from a pipe: neither finds itself.
5. The shell lists all processes and then reads their marks. In between, a process may start another one and end. For example,
   bubblewrap is killed while it makes the init of a cell. Or a process has been started and does not show its mark yet,
   because a busy machine has not let it run. So the shell looks for half a second more after the last find.
6. At level none, a program that removes the name from its environment escapes. Such programs are trusted not to.
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

_LOOKS: Final = 40
"""Each finds only what an earlier one did not kill; six are usual."""
_WAITS: Final = f"""
trap '' HUP INT QUIT TERM
read -r _
looks=0 nothing=0
while [ $looks -lt {_LOOKS} ] && [ $nothing -lt 5 ]; do
    found=$(printf '%s' "$2$3" | grep -lsFf - /proc/[0-9]*/"$1")
    nothing=$((nothing + 1))
    for path in $found; do path=${{path#/proc/}}; kill -KILL "${{path%/*}}"; nothing=0; done
    looks=$((looks + 1))
    [ $nothing -eq 0 ] || sleep 0.1
done
"""


@contextmanager
def guard_family() -> Iterator[str]:
    """The name of a family: programs with `token(family)` in their environment do not outlive this process.

    If no shell can be started, there is no guard.
    """
    family = uuid4().hex
    with _guard("environ", f"{TOKEN}={family}-"):
        yield family


@contextmanager
def guard_cells(tempdir: Path) -> Iterator[None]:
    """Cells that show something from this temporary folder do not outlive this process, even if they are still starting.

    If no shell can be started, there is no guard.
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
