"""The processes, folders and mounts of one moment, and what a later moment has in addition.

A process is ours if it descends from this one, which adopts orphans, or if its command line names the folder of this run. What
lives only as long as a process or a mount (namespaces, cgroups, locks of user ids) is not looked for by itself.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

Traces = Mapping[str, frozenset[str]]
"""What exists at one moment: the names of things, by their kind."""


def look(folder: str) -> Traces:
    """Inspect the machine."""
    ours = dict(our_processes(folder))
    alive = {pid: name for pid, (name, state) in ours.items() if state != "Z"}
    return {
        "processes": frozenset(alive.values()),
        "zombies": frozenset(name for pid, (name, _) in ours.items() if pid not in alive),
        "temporary folders": frozenset(os.listdir(tempfile.gettempdir())),
        "mounts": frozenset(line.split(" ", 1)[1] for line in Path("/proc/self/mountinfo").read_text().splitlines()),
    }


def children(pid: int) -> Iterator[tuple[int, list[bytes]]]:
    """The children of a process, with the words of their command lines; none of one that has ended."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child), Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")


def our_processes(folder: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """The ids of our processes, and their names and states."""
    processes: dict[int, tuple[int, str, str]] = {}
    ours = {os.getpid()}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process has ended
            name, _, rest = (process / "stat").read_text(errors="replace").rpartition(")")
            state, parent = rest.split()[:2]
            processes[int(process.name)] = int(parent), name, state
            if folder.encode() in (process / "cmdline").read_bytes():
                ours.add(int(process.name))
    while more := {pid for pid, (parent, *_) in processes.items() if parent in ours} - ours:
        ours |= more
    for pid in ours - {os.getpid()}:
        yield pid, processes[pid][1:]


def private(pid: int) -> int:
    """The private memory of a process in bytes; 0 if it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0


def leaks(before: Traces, after: Traces) -> Iterator[str]:
    """What is there now and was not before."""
    for kind, things in after.items():
        if more := things - before[kind]:
            yield f"{kind}: {', '.join(sorted(more)[:5])}{' …' if len(more) > 5 else ''}"
