"""Copies of bots on their way from the coordinator to a worker."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from referee.sandbox.tempdir import remove
from referee.tournament.words import ENTRANTS


class Packed(NamedTuple):
    """A file of a bot; a folder if `data` is None. `path` is relative to the copy."""

    path: str
    mode: int
    data: bytes | None


def pack(folder: Path, content: str) -> list[Packed]:
    """The copy of a bot in a tournament's folder, folders before what is in them."""
    home = folder / ENTRANTS / content
    files = []
    for path in sorted(home.rglob("*")):
        data = None if path.is_dir() else path.read_bytes()
        files.append(Packed(str(path.relative_to(home)), path.stat().st_mode & 0o777, data))
    return files


def unpack(folder: Path, content: str, files: Iterable[Packed]) -> None:
    """Write the copy of a bot. It is complete as soon as it is there, and stays as it is if it is there already."""
    home = folder / ENTRANTS
    if (home / content).exists():
        return
    scratch = home / f".{secrets.token_hex(8)}"
    scratch.mkdir(mode=0o755, parents=True)
    try:
        for path, mode, data in files:
            target = scratch / path
            if data is None:
                target.mkdir()
            else:
                target.write_bytes(data)
            target.chmod(mode)
        os.rename(scratch, home / content)
    except OSError:
        if not (home / content).exists():  # another worker of this machine was faster
            raise
    finally:
        remove(scratch)
