"""What a runtime says of itself: it is run once, outside any cell. Only programs that the user or PATH named are asked."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path
from typing import Final

from referee.sandbox.binaries import elf

_SECONDS: Final = 20.0
"""How long a program may take to tell a path or a version."""
_CAP: Final = 1 << 16
"""Characters of its answer."""


def answer(program: Path, *arguments: str) -> str:
    """What it prints, its log after its output; the same file is asked once.

    Raises:
        OSError: it cannot be started. ValueError: it fails or takes too long; the text says what it said.
    """
    return _answer(str(program), arguments, elf.stamp(program))


@functools.lru_cache(maxsize=256)
def _answer(program: str, arguments: tuple[str, ...], _stamp: elf.Stamp) -> str:
    # In "/" no file of a bot's folder tells a version manager what to choose.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd="/",
            env=env,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"no answer in {_SECONDS:g} s") from None
    said = (done.stdout + done.stderr)[:_CAP].decode(errors="replace")
    if done.returncode:
        raise ValueError(said.strip() or f"exit status {done.returncode}")
    return said
