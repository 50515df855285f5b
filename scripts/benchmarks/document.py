"""The file with the results: a head written by people, a mark, and below it the report of a run.

A run takes minutes, so `check` tests beforehand whether the file can be written. `put` keeps the old file until the new one
is complete.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

MARK: Final = "<!-- scripts/bench --markdown writes everything below this line. -->"


def with_results(text: str, results: str) -> str:
    """The document with its results replaced. A document without a mark gets them at its end.

    Raises:
        ValueError: there is more than one mark.
    """
    if text.count(MARK) > 1:
        raise ValueError(f"there is more than one line {MARK!r}")
    head = text.partition(MARK)[0].rstrip("\n")
    return f"{head}\n\n{MARK}\n\n{results.strip()}\n".lstrip("\n")


def check(path: Path) -> None:
    """Check that results can be put into a file, without changing it.

    Raises:
        OSError: it cannot be read or written. ValueError: it is not text, or has more than one mark.
    """
    path = Path(os.path.realpath(path))
    with_results(_text(path), "")
    if not os.access(path.parent, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise PermissionError(f"{path} cannot be written")


def put(path: Path, results: str) -> None:
    """Replace the results in a file. If that fails, the file stays unchanged.

    Raises:
        OSError: it cannot be read or written. ValueError: it is not text, or has more than one mark.
    """
    path = Path(os.path.realpath(path))  # a link stays one
    whole = with_results(_text(path), results)
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as draft:
        try:
            draft.write(whole)
            draft.flush()
            shutil.copymode(path, draft.name) if path.exists() else os.chmod(draft.name, 0o644)
            os.replace(draft.name, path)
        except BaseException:
            os.unlink(draft.name)
            raise


def _text(path: Path) -> str:
    if not path.parent.is_dir():
        raise NotADirectoryError(f"there is no folder {path.parent}")
    if not path.exists():
        return ""
    if not path.is_file():
        raise OSError(f"{path} is not a file")
    return path.read_text(encoding="utf-8")
