"""What a test leaves behind, found independently of the code under test."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def nothing_left() -> Iterator[None]:
    """No descriptor, child or zombie is left at the end."""
    before = descriptors(), children()
    yield
    assert descriptors() == before[0]
    assert children().keys() <= before[1].keys()  # a sweep may reap zombies of other tests


@contextmanager
def no_new_child() -> Iterator[None]:
    """No child that began within the block is left at its end.

    Children of earlier tests may end meanwhile, and their orphans may come late.
    """
    before, now = children(), int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))
    yield
    assert [pid for pid, began in children().items() if pid not in before and began >= now] == []


def children() -> dict[int, int]:
    """All child processes, including zombies, and when they began, in hundredths of a second since boot."""
    pids = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            _state, parent, *rest = (folder / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:  # it has ended since
            continue
        if int(parent) == os.getpid():
            pids[int(folder.name)] = int(rest[17])
    return pids


def descriptors() -> dict[str, str]:
    """All open descriptors, and where they lead."""
    leads = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            leads[name] = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:  # the one that lists the folder
            continue
    return leads
