"""Damaged ledgers: a command refuses them in one line that names the file, and it is never a bug of the referee's own."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tournament.conftest import SETTINGS, Cup, Ran, drawn_up

from referee.errors import UsageError
from referee.tournament.tournament import Tournament

pytestmark = pytest.mark.machine

PAGE = 4096
"""Bytes of a page of SQLite."""
VALUES = (None, "banana", b"\xff", 10**17, float("inf"), "[[99, 0]]")
"""What a damaged cell may hold."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cup, bytes]:
    """A tournament of several tours that is over, and its ledger."""
    cup = drawn_up(tmp_path_factory.mktemp("damaged"))
    cup.says(f'{SETTINGS}[format]\nkind = "knockout"\nthird = true\n')
    cup.ok("run", cup.folder, "-q")
    ledger = cup.folder / "ledger.sqlite"
    with closing(sqlite3.connect(ledger)) as tables:
        tables.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return cup, ledger.read_bytes()


def write(cup: Cup, ledger: bytes) -> Path:
    """Put a ledger in the place of that of the tournament."""
    for old in cup.folder.glob("ledger.sqlite*"):
        old.unlink()
    path = cup.folder / "ledger.sqlite"
    path.write_bytes(ledger)
    return path


def refusals(cup: Cup) -> Iterator[UsageError | None]:
    """How the readings of commands are refused: of the status, the table, and the matches; None for one that is not."""
    try:
        with Tournament(cup.folder) as tournament:
            for read in (Tournament.status, Tournament.table, lambda tournament: list(tournament.matches())):
                try:
                    read(tournament)
                except UsageError as refusal:
                    yield refusal
                else:
                    yield None
    except UsageError as refusal:
        yield refusal


def is_one_line(ran: Ran, path: Path) -> bool:
    """Whether a command has done its work, or has refused the ledger in one line."""
    return ran.code == 0 or (ran.code == 2 and len(ran.err.splitlines()) == 1 and str(path.parent) in ran.err)


def test_a_cell_with_another_value_is_named(played: tuple[Cup, bytes]) -> None:
    cup, whole = played
    refused = 0
    with closing(sqlite3.connect(write(cup, whole))) as tables:
        cells = [
            (table, column[1])
            for [table] in tables.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            for column in tables.execute(f"PRAGMA table_info({table})").fetchall()
        ]
        keys = {
            table: [column[1] for column in tables.execute(f"PRAGMA table_info({table})").fetchall() if column[5]]
            for table, _ in cells
        }
    for table, column in cells:
        for value in VALUES:
            path = write(cup, whole)
            key = ", ".join(keys[table]) or "rowid"
            where = {"facts": "key = 'decides'"}.get(table, f"({key}) = (SELECT {key} FROM {table} LIMIT 1)")
            with closing(sqlite3.connect(path, isolation_level=None)) as tables:
                tables.execute("PRAGMA synchronous = OFF")
                try:
                    tables.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,))
                except sqlite3.IntegrityError:
                    continue
            for refusal in filter(None, refusals(cup)):
                says = str(refusal)
                assert (str(cup.folder) in says, "\n" in says) == (True, False), f"{table}.{column} = {value!r}: {says}"
                refused += 1
    assert refused > 100


@pytest.mark.parametrize("damage", [lambda size: bytes(size), lambda size: random.Random(7).randbytes(size)])
def test_an_overwritten_page_is_named(
    played: tuple[Cup, bytes], damage: Callable[[int], bytes], tmp_path: Path
) -> None:
    cup, whole = played
    report = ("report", "-o", str(tmp_path / "report"), "--games=none", "-q")
    for start in range(0, len(whole), PAGE):
        path = write(cup, whole[:start] + damage(PAGE) + whole[start + PAGE :])
        for command, *options in (("table",), report):
            ran = cup(command, cup.folder, *options)
            assert is_one_line(ran, path), f"page at {start}, {command}: {ran.code} {ran.err}"


def test_a_run_stops_at_a_damaged_row(played: tuple[Cup, bytes]) -> None:
    cup, whole = played
    path = write(cup, whole)
    with closing(sqlite3.connect(path, isolation_level=None)) as tables:
        tables.execute("UPDATE matches SET seats = 'x' WHERE series = 1 AND seating = 0")
    ran = cup("run", cup.folder)
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == (
        f"referee: {path} is damaged (matches, series 1, seating 0: seats: Invalid JSON: expected value at line 1 column 1): "
        "put back a copy of it, or begin anew in another place"
    )
