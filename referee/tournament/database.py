"""A SQLite file that a stranger may have written: a ledger or a part.

1. Its tables must be ours, to the letter. So no view, trigger, index or computed column of a stranger takes part in a query.
2. Every row that is read has a strict model (`rows.py`), and comes in the order of its key: pages that lead in a circle give a
   row twice. A value has a cap. A query that finds no row for `PATIENCE` seconds is broken off.
3. What SQLite finds wrong is a `LedgerError` that names the file; a full disk is a `DiskError`. No other error leaves this file.
4. A journal beside the file can name a further file, which SQLite would remove when it rolls back. Ours never does. If the
   file is a link, the journal is beside the file that the link leads to.
5. To read a ledger, SQLite makes two more files beside it, unless a writer has them there. In a folder that may only be read, a
   ledger without them is opened as a file that nobody changes.
6. Only SQLite opens a ledger here. A process that closes a file loses all its locks on that file, also those that SQLite holds
   (https://www.sqlite.org/howtocorrupt.html, section 2.2).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from errno import EACCES
from functools import cache
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from referee.errors import RefereeError, UsageError
from referee.text.strict import explain
from referee.text.words import shorten

Row = TypeVar("Row")
PATIENCE: Final = 60.0
"""Seconds in which a query must find its next row."""
MAX_VALUE: Final = 2**24
"""Bytes of a value."""
_STEPS: Final = 100_000
"""Steps of SQLite's machine between two looks at the clock; they take some milliseconds."""
_SHARED: Final = 2**16
"""Bytes: more than the memory that SQLite shares at first."""
_SUPER_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names a further file (https://www.sqlite.org/fileformat.html, section 3)."""
_ENVIRONMENT_ERRORS: Final = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
})  # fmt: skip
"""Errors that say nothing about the content of the file."""
_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What `sqlite3` raises; the latter if a damaged file makes a message of SQLite that is not UTF-8."""
_ALL: Final = "SELECT type, name, tbl_name, sql FROM sqlite_schema"


class LedgerError(UsageError):
    """A ledger that cannot be used. The message names the file and, if a row is wrong, the row."""


class NotBegun(LedgerError):
    """A ledger that is not there or is empty: no run has begun."""


class OtherTables(LedgerError):
    """A file that has other tables than ours; `tables` are those (`tables_of`)."""

    def __init__(self, path: Path, tables: set[tuple[Any, ...]]) -> None:
        super().__init__(f"{path} was made by another version of the referee, or is no ledger: use that version")
        self.tables = tables


class DiskError(RefereeError):
    """A ledger that cannot be written. What was committed is not lost."""


class Database:
    """An open file. Close it at the end."""

    def __init__(self, path: Path, schema: str, *, writes: bool, log_ahead: bool = False) -> None:
        """Open the file.

        Args:
            schema: the statements that make its tables.
            writes: make the tables if there are none.
            log_ahead: readers do not wait for the writer. This needs shared memory beside the file.

        Raises:
            LedgerError: it cannot be used, or has other tables. DiskError: it cannot be written.
        """
        self.path = path
        self._since = monotonic()
        if path.exists() and not path.is_file():
            raise LedgerError(f"{path} cannot be used as a ledger: it is not a file")
        real = Path(os.path.realpath(path))  # SQLite's files are beside it
        _check_journal(real)
        if writes and real.exists() and not os.access(real, os.W_OK, effective_ids=True):
            raise self._unwritable("it may only be read")  # SQLite would say so at the first write
        try:
            name = real if writes or not log_ahead else as_readable(real)
            self._db = sqlite3.connect(name, isolation_level=None, timeout=30.0, uri=isinstance(name, str))
        except _ERRORS as failed:
            raise self._error_of(failed) from None
        try:
            self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
            self._db.set_progress_handler(lambda: monotonic() - self._since > PATIENCE, _STEPS)
            for setting in ("trusted_schema = OFF", "cell_size_check = ON", "synchronous = NORMAL"):
                self.query(f"PRAGMA {setting}")
            if writes and log_ahead:
                self.query("PRAGMA journal_mode = WAL")
            if writes and not self.query("SELECT 1 FROM sqlite_schema"):
                with self.transaction():
                    for statement in schema.strip().split(";\n"):
                        self.query(statement)
            self._check_tables(schema)
        except BaseException:
            self.close()
            raise
        self._identity = _identity(path)

    @property
    def in_place(self) -> bool:
        """Whether the file is where it was opened. One that was moved or deleted can be written, but not found again."""
        return _identity(self.path) == self._identity

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written within the context is committed at its end, or not at all."""
        self.query("BEGIN IMMEDIATE")
        try:
            yield
            self.query("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self.query("ROLLBACK")
            raise

    @property
    def stamp(self) -> int:
        """A number that changes when another process has written."""
        return self.number("PRAGMA data_version")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read within the context is of one moment, whatever another process writes meanwhile."""
        self.query("BEGIN")
        try:
            yield
        finally:
            self.query("ROLLBACK")

    def query(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Execute a statement. Returns its rows, unchecked."""
        return list(self._answers(statement, values))

    def number(self, question: str, values: Sequence[Any] = ()) -> int:
        """The answer to a question about a number; a `LedgerError` if it is none."""
        [[answer]] = self.numbers(question, values)
        return answer

    def numbers(self, question: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[int, ...]]:
        """The rows of the answer to a question about numbers; a `LedgerError` if a cell is none."""
        rows = self.query(question, values)
        for cell in chain.from_iterable(rows):
            if not isinstance(cell, int):
                raise self.damage_error(f"{shorten(repr(cell), 40)}, where a number is expected")
        return rows

    def write_all(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute a statement for each row."""
        try:
            self._since = monotonic()
            self._db.executemany(statement, rows)
        except _ERRORS as failed:
            raise self._error_of(failed) from None

    def rows(
        self, table: str, model: type[Row], key: str, where: str = "TRUE", values: Sequence[Any] = ()
    ) -> Iterator[Row]:
        """Read rows of a table, in the order of their key.

        Args:
            model: a typed dictionary with a key for each column that is wanted.
            key: the columns that identify a row, such as `series, seating`.
            where: a condition on the columns. values: for its marks.

        Raises:
            LedgerError: a row has another form.
        """
        adapter: TypeAdapter[Row] = _adapter(model)  # type: ignore[arg-type]
        columns, key_columns = list(model.__annotations__), key.split(", ")
        before: tuple[Any, ...] = ()
        query = f"SELECT {', '.join([*key_columns, *columns])} FROM {table} WHERE {where} ORDER BY {key}"
        for cells in self._answers(query, values):
            identity, why, row = cells[: len(key_columns)], "", None
            try:
                row = adapter.validate_python(dict(zip(columns, cells[len(key_columns) :], strict=True)))
            except ValidationError as failed:
                why = explain(failed)
            if row is None or (before and identity <= before):
                named = zip(key_columns, identity, strict=True)
                which = ", ".join(f"{column} {shorten(repr(value), 40)}" for column, value in named)
                raise self.damage_error(f"{table}, {which}: {why or 'this row comes twice'}")
            before = identity
            yield row

    def damage_error(self, why: str) -> LedgerError:
        """The error for a file with this content."""
        return LedgerError(f"{self.path} is damaged ({why}): put back a copy of it, or begin anew in another place")

    def _answers(self, question: str, values: Sequence[Any] | Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        try:
            self._since = monotonic()
            for row in self._db.execute(question, values):
                yield row
                self._since = monotonic()
        except _ERRORS as failed:
            raise self._error_of(failed) from None

    def _unwritable(self, why: str) -> LedgerError:
        fix = "become a user who may write there, or copy its folder to one of your own"
        return LedgerError(f"{self.path} cannot be written ({why}): {fix}")

    def _check_tables(self, schema: str) -> None:
        tables = set(self.query(_ALL))
        if not tables:  # the run that made it was killed, or had no room
            raise NotBegun(f"{self.path} is empty, because its first run did not begin: run again")
        if tables != tables_of(schema):
            raise OtherTables(self.path, tables)

    def _error_of(self, failed: Exception) -> RefereeError:
        code = getattr(failed, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        full = code == sqlite3.SQLITE_FULL
        if full or (code == sqlite3.SQLITE_IOERR and _no_room(self.path.parent)):
            why = failed if full else "no space left"
            return DiskError(f"{self.path} cannot be written ({why}): free space there; what is in it is not lost")
        if code == sqlite3.SQLITE_INTERRUPT:
            return self.damage_error(f"no row within {PATIENCE:g} s")
        if code in _ENVIRONMENT_ERRORS or code == sqlite3.SQLITE_NOTADB:
            unopened = code == sqlite3.SQLITE_CANTOPEN and not os.access(self.path.parent, os.W_OK)
            if unopened or code == sqlite3.SQLITE_READONLY:
                return self._unwritable(str(failed))
            return LedgerError(f"{self.path} cannot be used as a ledger: {failed}")
        return self.damage_error(shorten(str(failed)))


def as_readable(path: Path) -> Path | str:
    """How SQLite is to open a ledger that is only read: as a path or a URI (theory, point 5)."""
    try:
        path.stat()
    except OSError as failed:
        raise LedgerError(f"{path} cannot be read: {failed.strerror}") from None
    if not os.access(path, os.R_OK, effective_ids=True):
        raise LedgerError(f"{path} cannot be read: {os.strerror(EACCES)}")
    log, shared_memory = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
    if shared_memory.exists() or os.access(path.parent, os.W_OK):
        return path
    if log.exists() and log.stat().st_size:
        why = "cannot be read in a folder that you may not write, because its last run was killed"
        raise LedgerError(f"{path} {why}: copy the folder to one of your own")
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


def _no_room(folder: Path) -> bool:
    """Whether a disk is full. SQLite says so for its files, but not for the memory that it shares beside a ledger."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize < _SHARED


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and the number of a file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


@cache
def tables_of(schema: str) -> set[tuple[Any, ...]]:
    """The tables and indexes that these statements make, as SQLite describes them."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(schema)
        return set(empty.execute(_ALL))


def _check_journal(path: Path) -> None:
    """Check that the journal of a writer that was killed names no further file (theory, point 4)."""
    journal = path.with_name(f"{path.name}-journal")
    if not journal.exists() and not journal.is_symlink():
        return
    try:
        if journal.is_symlink() or not journal.is_file():
            raise LedgerError(f"{journal} is no journal of {path.name}: remove it")
        with journal.open("rb") as file:
            file.seek(max(0, journal.stat().st_size - len(_SUPER_JOURNAL)))
            if file.read() == _SUPER_JOURNAL:
                raise LedgerError(f"{journal} names other files, which the referee's own never does: remove it")
    except FileNotFoundError:  # its writer has committed
        pass
    except OSError as failed:
        raise LedgerError(f"{journal} cannot be read: {failed.strerror}") from None
