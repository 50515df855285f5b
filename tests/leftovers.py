"""What a test leaves behind, found independently of the code under test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def nothing_left() -> Iterator[None]:
    """No descriptor, child or zombie is left at the end."""
    before = descriptors(), children()
    yield
    assert descriptors() == before[0]
    assert children() <= before[1]  # a sweep may reap zombies of other tests


def children() -> set[int]:
    """All child processes, including zombies."""
    pids = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            _state, parent, *_ = (folder / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:  # it has ended since
            continue
        if int(parent) == os.getpid():
            pids.add(int(folder.name))
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
