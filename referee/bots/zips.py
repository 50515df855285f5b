"""A bot in a ZIP file, as course systems hand out submissions: unpacked into the user's cache, under a digest of the file.

1. The file is untrusted. What it may contain is what a bot's folder may contain (`sandbox/staging.py`): regular files and
   folders, with the same caps. Names are checked before anything is written, and so are the sizes that the directory promises.
   Bytes are counted as they come out: a file that has not its promised size is damaged.
2. Only stored and deflated entries are read: Python's other decompressors have no bound on what one call returns.
3. Entries must not share bytes of the file. Otherwise a small file could keep the decompressor busy for hours.
4. Of an entry's metadata only the execute permission is kept. So the same files zipped again are the same bot.
5. What file managers add is left out (`__MACOSX/`, `.DS_Store`), and so is what no player gets, such as `.git`.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Final

from referee.bots.cache import PRODUCT, Cache, zips_folder
from referee.errors import BotError
from referee.files.reading import head
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.staging import DEPTH, KINDS, LEFT_OUT, NAME, PATH
from referee.text.words import counted, shorten

CAP: Final = 128 * MIB
"""Bytes of a ZIP file, which is held in memory."""
ENTRIES: Final = 100_000
"""Entries of a ZIP file, also those that are left out."""
_FORMAT: Final = b"2"
"""Increases when the same file would be unpacked differently."""
_ENTRY: Final = b"PK\x01\x02"
"""Begins every entry of the directory."""
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_UNSAFE: Final = re.compile(r"[\0-\x1f\x7f]|^[A-Za-z]:/")
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError, IndexError, OverflowError,
)  # fmt: skip
"""What `zipfile` raises on bytes that are not a ZIP file."""
OMITTED: Final = frozenset({"__MACOSX", ".DS_Store"}) | LEFT_OUT
"""What is left out (theory, point 5)."""
_CHUNK: Final = MIB
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TOO_MUCH: Final = "take out what the bot does not need to play"


def unzip(path: Path, word: str) -> Path:
    """The folder with the content of a ZIP file. It is unpacked again if the folder was changed.

    Args:
        word: how the user named it.

    Raises:
        BotError: it is not a ZIP file, or contains what is not allowed. UsageError: the cache cannot be written.
    """
    label = shorten(word)
    data = head(path.resolve(), CAP + 1)
    if data is None or len(data) > CAP:
        raise BotError(f"{label} has more than {CAP // MIB} MiB: {_TOO_MUCH}")
    key = hashlib.sha256(_FORMAT + data).hexdigest()[:32]
    cache = Cache(zips_folder())
    product = cache.find(key)
    if product is None:
        with cache.fresh(key) as folder:
            unpack(data, folder / PRODUCT, label)
            product = cache.keep(key, folder)
        cache.tidy(datetime.now(UTC).timestamp())
    return product.folder


def unpack(data: bytes, folder: Path, label: str, limits: Limits | None = None) -> None:
    """Unpack a ZIP file into a new folder.

    Args:
        data: the whole file. label: its name for messages.
        limits: of the folder; default: as for any bot's folder.

    Raises:
        BotError: it is not a ZIP file, or contains what is not allowed; one line with the file, the entry and what to do.
    """
    _Zip(data, label, limits or Limits()).unpack(folder)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP file with these files, by their names in it. The same files give the same bytes."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # with the earliest time that is possible
            entry.create_system = 3  # Unix, whose permissions follow
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


class _Zip:
    """A ZIP file that is being unpacked."""

    def __init__(self, data: bytes, label: str, limits: Limits) -> None:
        self._data, self._label, self._limits = data, label, limits

    def unpack(self, folder: Path) -> None:
        if self._data.count(_ENTRY) > ENTRIES:  # before any is read
            raise BotError(f"{self._label} has more than {ENTRIES} entries: {_TOO_MUCH}")
        with self._damage():
            file = zipfile.ZipFile(BytesIO(self._data))
        entries = [(_parts(info), info) for info in file.infolist()]
        entries = [(parts, info) for parts, info in entries if parts and OMITTED.isdisjoint(parts)]
        for parts, info in entries:
            self._check(parts, info)
        self._check_together(entries)
        folder.mkdir()
        for parts, info in entries:
            path = folder.joinpath(*parts)
            if _is_folder(info):
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file(file, info, path)

    def _check(self, parts: Sequence[str], info: zipfile.ZipInfo) -> None:
        """Check one entry by itself. Raises: BotError: it is not allowed."""
        name, kind = info.orig_filename, stat.S_IFMT(info.external_attr >> 16)
        if "\\" in name:
            raise self._wrong(info, "has a backslash in its name: zip the folder with another program, or rename it")
        if _UNSAFE.search(name) or any(part in {"", ".", ".."} for part in parts):
            raise self._wrong(info, "is not a name in the bot's folder: zip that folder itself, from outside")
        if len(parts) > DEPTH:
            raise self._wrong(info, f"is in more than {DEPTH} nested folders: move it up")
        if len(name.encode(errors="replace")) > PATH or any(
            len(part.encode(errors="replace")) > NAME for part in parts
        ):
            raise self._wrong(info, f"has a name longer than {NAME} bytes, {PATH} with its folders: shorten it")
        if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
            usual = "of an unknown kind: only regular files and folders may be there, remove it"
            raise self._wrong(info, f"is {KINDS.get(kind, usual)}")
        if info.flag_bits & _ENCRYPTED:
            raise self._wrong(info, "is encrypted: zip the folder without a password")
        if info.compress_type not in _METHODS:
            raise self._wrong(
                info, f"is compressed by method {info.compress_type}: zip the folder with deflate, the usual method"
            )

    def _check_together(self, entries: Sequence[tuple[tuple[str, ...], zipfile.ZipInfo]]) -> None:
        """Check what must hold for all entries together. Raises: BotError: it does not."""
        paths, folders = set[tuple[str, ...]](), set[tuple[str, ...]]()
        for parts, _ in entries:
            folders.update(parts[:length] for length in range(1, len(parts)))
            self._check_count(folders)
        for parts, info in entries:
            if parts in paths or (parts in folders and not _is_folder(info)):
                raise self._wrong(info, "is there twice: zip the folder again")
            paths.add(parts)
        self._check_count(paths | folders)
        if sum(info.compress_size for _, info in entries) > len(self._data):
            raise self._damage_error("its entries overlap")
        left = self._limits.folder
        for _, info in entries:
            left -= info.file_size
            if left < 0:
                raise self._wrong(info, f"makes its files more than {self._limits.folder / MIB:g} MiB: {_TOO_MUCH}")

    def _check_count(self, paths: Sized) -> None:
        """Raises: BotError: these are too many files and folders."""
        if len(paths) > self._limits.folder_files:
            raise BotError(f"{self._label} has more than {self._limits.folder_files} files and folders: {_TOO_MUCH}")

    def _file(self, file: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> None:
        """Unpack one file. Raises: BotError: it is damaged, or does not have the size that the directory promises."""
        mode, size = 0o555 if info.external_attr >> 16 & 0o111 else 0o444, 0
        with open(os.open(path, _NEW, mode), "wb") as copy, self._damage(), file.open(info) as entry:
            while size <= info.file_size and (chunk := entry.read(_CHUNK)):
                size += len(chunk)
                copy.write(chunk)
        if size != info.file_size:
            raise self._damage_error(f"{shorten(info.orig_filename)} has {counted(size, 'byte')}")

    @contextmanager
    def _damage(self) -> Iterator[None]:
        """Errors of `zipfile` in this context are the file's."""
        try:
            yield
        except _DAMAGE as wrong:
            raise self._damage_error(str(wrong) or type(wrong).__name__) from None

    def _damage_error(self, why: str) -> BotError:
        return BotError(f"{self._label} is not a ZIP file, or is damaged ({shorten(why)}): zip the bot's folder again")

    def _wrong(self, info: zipfile.ZipInfo, what: str) -> BotError:
        return BotError(f"{self._label}: {shorten(repr(info.orig_filename))} {what}")


def _parts(info: zipfile.ZipInfo) -> tuple[str, ...]:
    """The names on an entry's path, split no further than shows that it is too deep; none for `./`, an entry of some programs."""
    name = info.orig_filename
    return () if name == "./" else tuple(name.removeprefix("./").removesuffix("/").split("/", DEPTH + 1))


def _is_folder(info: zipfile.ZipInfo) -> bool:
    return info.orig_filename.endswith("/") or stat.S_ISDIR(info.external_attr >> 16)
