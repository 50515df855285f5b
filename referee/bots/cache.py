"""Folders that are made once and kept: built bots and unpacked ZIP files, in the user's cache folder.

1. A product is in its own folder, `KEY-TOKEN/bot`, and never moves. If it was built, `build.log` is next to it. A small file,
   `KEY.json`, names the current product and is replaced atomically. So two referees may build the same bot at once, and one may
   be killed at any moment.
2. A product is used only if it is unchanged: the names, contents and execute permissions of its files. After a power failure
   some files may be empty; and at level none bots play in this folder, where permissions stop neither root nor the owner.
3. A folder that is being filled is locked, and the kernel frees the lock when the process ends. A folder without a lock
   that no `KEY.json` names is abandoned or was replaced, and is removed when it is old enough
   that no match uses it any more.
4. The cache keeps the `KEPT` products used last, at most `BYTES` in all. Products used within `IN_USE` are always kept, because
   a match may be using them.
5. The folder must belong to the user, and no other user may write to it: its programs are started.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path

from referee.errors import FULL, UsageError
from referee.files import private
from referee.sandbox.limits import MIB
from referee.sandbox.tempdir import hold, remove

KEPT: Final = 200
BYTES: Final = 4096 * MIB
IN_USE: Final = 86_400.0
"""Seconds: a check of a whole class may take hours."""
VARIABLE: Final = "XDG_CACHE_HOME"
"""The variable that says where the cache is."""
PRODUCT: Final = "bot"
LOG: Final = "build.log"
_CAP: Final = 8 * MIB
"""Bytes of a `KEY.json`: names and digests of 20,000 files fit in."""
_NAME: Final = re.compile(r"[0-9a-f]+-[0-9a-f]+")
"""A product's folder: `KEY-TOKEN`."""


def builds_folder() -> Path:
    """The folder of built bots."""
    return user_cache_path("referee") / "builds"


def zips_folder() -> Path:
    """The folder of unpacked ZIP files."""
    return user_cache_path("referee") / "zips"


@dataclass(frozen=True, slots=True)
class CachedProduct:
    """A product.

    Attributes:
        root: the folder of the product and its log. files: the product's files as `listing` gives them.
    """

    key: str
    root: Path
    files: list[list[Any]]

    @property
    def folder(self) -> Path:
        """The product itself."""
        return self.root / PRODUCT

    @property
    def log(self) -> Path:
        """The place for the output of its build."""
        return self.root / LOG


class Cache:
    """Products by key, in `folder`, which is created when needed."""

    def __init__(self, folder: Path) -> None:
        """Raises: UsageError: the folder cannot be created, or another user may write to it."""
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = os.stat(folder, follow_symlinks=False)
        except OSError as failed:
            raise self._cannot_keep(failed) from failed
        if not stat.S_ISDIR(status.st_mode) or not private.is_private(status):
            raise UsageError(
                f"{folder} is not a folder of yours that only you can write to, so its files are not started: "
                f"remove it, or set {VARIABLE} to another folder"
            )

    def _cannot_keep(self, failed: OSError) -> UsageError:
        fix = f"free space there, or set {VARIABLE}" if failed.errno in FULL else f"set {VARIABLE}"
        return UsageError(f"bots cannot be kept in {self.folder} ({failed.strerror}): {fix} to another folder")

    def find(self, key: str) -> CachedProduct | None:
        """The product of this key, marked as used now; None if it is missing or has changed."""
        product = self._product(key)
        if product is None or product.files != listing(product.folder):
            return None
        with suppress(OSError):
            os.utime(self._pointer(key))
        return product

    @contextmanager
    def fresh(self, key: str) -> Iterator[Path]:
        """A new folder for a product and its log. It is removed at the end unless `keep` is called.

        Raises:
            UsageError: the disk is full, when the folder is created or when it is filled.
        """
        try:
            folder, lock = self._new(key)
            try:
                yield folder
            finally:
                self._release(key, folder, lock)
        except OSError as failed:
            if failed.errno not in FULL:
                raise
            raise self._cannot_keep(failed) from failed

    def _new(self, key: str) -> tuple[Path, int]:
        """A new folder, and the lock that we hold on it."""
        folder = self.folder / f"{key}-{secrets.token_hex(6)}"
        folder.mkdir(mode=0o700)
        lock = hold(folder)
        assert lock is not None  # `tidy` takes only old folders
        return folder, lock

    def keep(self, key: str, folder: Path) -> CachedProduct:
        """Make this the product of the key. The previous one is removed when no match uses it any more.

        Raises:
            OSError: the disk is full.
        """
        product = CachedProduct(key, folder, listing(folder / PRODUCT))
        private.keep(self._pointer(key), json.dumps({"place": folder.name, "files": product.files}))
        with suppress(OSError):
            (self.folder / f"{key}.log").unlink(missing_ok=True)
        return product

    def keep_failure(self, key: str, log: str) -> Path | None:
        """Keep the output of a failed build. Returns the file, or None if it cannot be kept."""
        path = self.folder / f"{key}.log"
        try:
            private.keep(path, log)
        except OSError:
            return None
        return path

    def tidy(self, now: float) -> None:
        """Remove old, surplus and abandoned products (theory, points 3 and 4); `now` in seconds since 1970."""
        in_force = self._tidy_products(now)
        for log in self._newest_first("*.log")[KEPT:]:
            log.unlink(missing_ok=True)
        for path in self.folder.iterdir():
            if path.name not in in_force and path.suffix not in {".json", ".log"} and now - _last_use(path) > IN_USE:
                self._remove_abandoned(path)

    def _tidy_products(self, now: float) -> set[str]:
        """Remove the pointers to old and surplus products. Returns the names of the folders of the others."""
        in_force, room = set[str](), BYTES
        for number, pointer in enumerate(self._newest_first("*.json")):
            product, age = self._product(pointer.stem), now - _last_use(pointer)
            room -= sum(size for _, size, *_ in product.files) if product is not None else 0
            if age > IN_USE and (product is None or number >= KEPT or room < 0):
                pointer.unlink(missing_ok=True)
            elif product is not None:
                in_force.add(product.root.name)
        return in_force

    def _remove_abandoned(self, path: Path) -> None:
        """Remove a file or folder to which no product points, unless a referee holds it."""
        if not path.is_dir():
            path.unlink(missing_ok=True)
            return
        with suppress(OSError):
            if (lock := hold(path)) is not None:
                self._release(path.name.partition("-")[0], path, lock)

    def _release(self, key: str, folder: Path, lock: int) -> None:
        """Give up the lock on a folder, and remove the folder unless it is the current product of the key."""
        try:
            product = self._product(key)
            if product is None or product.root != folder:
                remove(folder)
        finally:
            os.close(lock)

    def _newest_first(self, pattern: str) -> list[Path]:
        return sorted(self.folder.glob(pattern), key=_last_use, reverse=True)

    def _pointer(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _product(self, key: str) -> CachedProduct | None:
        """The contents of `KEY.json`, if valid."""
        match private.recall(self._pointer(key), _CAP):
            case {"place": str(name), "files": [*files]} if _NAME.fullmatch(name) and all(map(_is_entry, files)):
                return CachedProduct(key, self.folder / name, files)
        return None


def listing(folder: Path) -> list[list[Any]]:
    """A product's files: name, size in bytes, whether it is executable, digest; empty without the folder.

    Entries that are not regular files have an empty digest. Unreadable files are left out.
    """
    files: list[list[Any]] = []
    for parent, inner, names in os.walk(folder):
        inner.sort()
        for name in sorted(names):
            path = Path(parent, name)
            with suppress(OSError):
                status = path.lstat()
                content = digest(path) if stat.S_ISREG(status.st_mode) else ""
                files.append([str(path.relative_to(folder)), status.st_size, bool(status.st_mode & 0o111), content])
    return files


def digest(path: Path) -> str:
    """The digest of a file's content, in hexadecimal. Raises: OSError: it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _last_use(path: Path) -> float:
    with suppress(OSError):
        return path.lstat().st_mtime
    return 0.0


def _is_entry(entry: object) -> bool:
    match entry:
        case [str(), int(), bool(), str()]:
            return True
    return False
