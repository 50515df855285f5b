"""Files that the referee keeps for itself. It trusts them only if no other user can have written them."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any


def is_private(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user and no other user may write to it."""
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def recall(path: Path, cap: int) -> Any:
    """The content of a private JSON file; None if there is none or it cannot be trusted.

    Args:
        cap: the most bytes that the file may have.
    """
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return json.loads(file.read(cap)) if is_private(os.fstat(file.fileno())) else None
    except (OSError, ValueError, RecursionError):
        return None


def keep(path: Path, text: str) -> None:
    """Write a private file atomically. Raises: OSError: the file cannot be written."""
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)
