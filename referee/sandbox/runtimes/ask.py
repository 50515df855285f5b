"""Programs on PATH, and what they say about themselves. For that they are run once, outside any cell, with the user's rights.

So only programs on PATH are asked, by the name that PATH has for them. A link in a stranger's folder could lead to the same file,
but many programs depend on the name by which they were started, or read files beside it.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from referee.text.words import shorten

_SECONDS: Final = 20.0
"""How long a program may take to tell a path or a version."""
_CAP: Final = 1 << 16
"""Characters of its answer."""


def answer(program: Path, *arguments: str) -> str:
    """The program's output, followed by its log. Each file is asked only once.

    Raises:
        OSError: it cannot be started. ValueError: it is not on PATH, fails, or takes too long; the message has its output.
    """
    entry = entry_on_path(program)
    if entry is None:
        raise ValueError(f"PATH does not lead to {shorten(str(program))}: add its folder to PATH if you trust it")
    if program == program.resolve():  # by its own name it is what it is
        entry = program
    status = entry.stat()  # a file that has changed is asked again
    return _answer(str(entry), arguments, (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size))


@functools.lru_cache(maxsize=256)
def _answer(program: str, arguments: tuple[str, ...], _stamp: tuple[int, ...]) -> str:
    # In "/" no file of a bot's folder tells a version manager what to choose.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        completed = subprocess.run(
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
    output = (completed.stdout + completed.stderr)[:_CAP].decode(errors="replace")
    if completed.returncode:
        raise ValueError(output.strip() or f"exit status {completed.returncode}")
    return output


def entry_on_path(program: Path) -> Path | None:
    """The entry of PATH that is this program: one with its name or its real name that is the same file."""
    real = program.resolve()
    for folder in folders_of_path():
        for name in (program.name, real.name):
            entry = folder / name
            if os.path.exists(entry) and entry.resolve() == real:  # pathlib's own would fail where one may not look
                return entry
    return None


def on_path(program: Path) -> bool:
    """Whether PATH leads to this program."""
    return entry_on_path(program) is not None


def folders_of_path() -> list[Path]:
    """The folders of PATH, without relative ones."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [Path(folder) for folder in entries if folder.startswith("/")]


def which(name: str) -> Path | None:
    """The program of that name on PATH."""
    path = shutil.which(name, path=os.pathsep.join(map(str, folders_of_path()))) if "/" not in name else None
    return Path(path) if path else None
