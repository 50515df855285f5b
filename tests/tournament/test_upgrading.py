"""A ledger of the older format, as the last version wrote it."""

import errno
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.tournament.database import DiskError, LedgerError
from referee.tournament.ledger import Ledger
from referee.tournament.locking import only_writer
from referee.tournament.model import Series, Tour
from referee.tournament.upgrading import OLD_SCHEMA
from referee.tournament.verifying import sums_defect

DUEL = Series("0-1", "duel", 0, ((0, 1), (1, 0)))
T0 = Tour("t0", (DUEL,), byes=(2,))


def seat(number: int, index: int, place: int) -> dict[str, object]:
    return {
        "seat": index, "number": number, "entrant": f"content-{number}", "name": "abc"[number], "called": "Ann",
        "place": place, "score": 2 - place, "points": 7, "disqualified": "exit" if place == 2 else None,
        "first_ms": 1.5, "slowest_ms": 2.5, "total_ms": 30,
    }  # fmt: skip


FAULT = {
    "seat": 1, "kind": "exit", "detail": "exit status 1", "step": 3, "round": 1, "request": "getAction", "ms": 4.5,
    "stderr": ["Traceback"],
}  # fmt: skip


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.executescript(OLD_SCHEMA)
        file.execute("INSERT INTO facts VALUES ('format', '2'), ('over', '')")
        for number, name in enumerate("abc"):
            file.execute("INSERT INTO entrants VALUES (?, ?, ?, NULL, 1, ?)", (number, name, f"content-{number}", name))
        file.execute("INSERT INTO changes VALUES (1, 2, 'c', 'joined', NULL, NULL)")
        file.execute("INSERT INTO tours VALUES (0, 't0', '[2]')")
        seatings = json.dumps(DUEL.seatings)
        file.execute("INSERT INTO series VALUES (1, 0, ?, '0-1', 'duel', 0, ?)", (DUEL.key, seatings))
        for seating, numbers in enumerate(DUEL.seatings):
            seats = [seat(number, index, index + 1) for index, number in enumerate(numbers)]
            file.execute(
                "INSERT INTO matches VALUES (1, ?, ?, 'rounds', 1, 0.5, 's', 'm', NULL, NULL, ?, ?)",
                (seating, json.dumps(seats), json.dumps([FAULT]), json.dumps([[3, 4], [5, 6, 7, 8]])),
            )
        file.execute("INSERT INTO failures VALUES (1, 0, 's', 'm', 'lost')")
        file.execute("INSERT INTO unready VALUES ('x', 'bots/x', 'no compiler', NULL, 0)")
    return path


def test_everything_in_it_is_read_and_a_copy_is_kept(old: Path) -> None:
    with closing(sqlite3.connect(old)) as file:
        before = file.execute("SELECT * FROM matches").fetchall()
    with Ledger(old.parent, writes=False) as ledger:
        assert [entrant.name for entrant in ledger.entrants()] == ["a", "b", "c"]
        assert ledger.schedule.tours() == [T0]
        assert ledger.counts() == (2, 2, 0)
        (_, first), (_, second) = ledger.played()
        assert first["seats"] == [seat(0, 0, 1), seat(1, 1, 2)]
        assert (second["faults"], second["times"]) == ([FAULT], [[3, 4], [5, 6, 7, 8]])
        assert next(ledger.failures())[1]["why"] == "lost"
        assert [bot.name for bot in ledger.unready()] == ["x"]
        assert [str(change) for change in ledger.changes()] == ["c takes part from tour 1 on"]
        assert ledger.whole_sums(1).entrants[0].called == "Ann"
        assert sums_defect(ledger, 1) is None
    copy = old.with_name("ledger.format-2.sqlite")
    with closing(sqlite3.connect(copy)) as file:
        assert file.execute("SELECT * FROM matches").fetchall() == before
    with Ledger(old.parent, writes=True) as ledger, ledger.transaction():
        ledger.add_up(1)
        assert ledger.sums.extent() == (2, 1, 2)


def test_it_is_left_alone_while_another_process_writes_it(old: Path) -> None:
    with only_writer(old.parent), pytest.raises(UsageError, match="runs this tournament already"):
        Ledger(old.parent, writes=False)
    assert not old.with_name("ledger.format-2.sqlite").exists()


def test_a_full_disk_leaves_the_old_ledger_and_nothing_else(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half_a_copy(_: Path, copy: Path) -> None:
        copy.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(shutil, "copyfile", half_a_copy)
        with pytest.raises(
            DiskError, match=r"format-2\.sqlite, .* cannot be written \(No space left on device\): free"
        ):
            Ledger(old.parent, writes=False)
    assert {path.name for path in old.parent.iterdir()} == {"ledger.sqlite", "running"}
    with Ledger(old.parent, writes=False) as ledger:
        assert ledger.counts() == (2, 2, 0)


def test_one_that_is_damaged_stays_as_it_is(old: Path) -> None:
    with closing(sqlite3.connect(old)) as file:
        file.execute("UPDATE matches SET seats = 'x' WHERE seating = 1")
        file.commit()
    with pytest.raises(LedgerError, match="matches, series 1, seating 1: seats"):
        Ledger(old.parent, writes=False)
    with closing(sqlite3.connect(old)) as file:
        assert file.execute("SELECT value FROM facts WHERE key = 'format'").fetchall() == [("2",)]


def test_a_part_of_the_older_format_is_refused_and_stays(old: Path) -> None:
    part = old.rename(old.with_name("part.sqlite"))
    with pytest.raises(LedgerError, match=r"part\.sqlite was made by another version of the referee"):
        Ledger(old.parent, writes=False, part=part)
    assert not part.with_name("part.format-2.sqlite").exists()
