"""`scripts/soak --arena`: an arena that is killed loses nothing, and what is lost, twice or left is noticed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from arena.folders import NEWT, upload
from arena.web.lab import Lab
from soaking import evidence

from referee.arena.settings import ArenaFiles


@pytest.fixture
def files(files: ArenaFiles) -> ArenaFiles:
    upload(files, "ada", "newt", NEWT)
    return files


def test_an_accepted_upload_is_missed(files: ArenaFiles) -> None:
    assert list(evidence.lost(files, {1: "bot.viper"})) == []
    assert list(evidence.lost(files, {1: "bot.viper", 7: "bot.zip"})) == [
        "accepted, but without a row: 7 (1)", "accepted, but without a file: 7 (1)",
    ]  # fmt: skip
    next(files.inbox.iterdir()).unlink()
    assert list(evidence.lost(files, {1: "bot.viper"})) == ["accepted, but without a file: 1 (1)"]
    assert evidence.states(files) == {1: "waiting"}


def test_a_match_that_is_left_out_is_noticed(tmp_path: Path) -> None:
    lab = Lab(tmp_path / "arena")
    for name in ("ann", "bob"):
        lab.user(name)
    uploads = [lab.upload("ann", "dragon", b"x", "active"), lab.upload("bob", "worm", b"y", "active")]
    lab.season(uploads, [(0, 1), (0, 1), (0, 1)])
    folder = lab.files.season(1)
    lab.close()
    assert list(evidence.season_defects(folder)) == []
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("DELETE FROM matches WHERE series = 2")
    assert list(evidence.season_defects(folder)) == [
        "1: matches of waves that have ended, but are not there: m1/arena/0#0 (1)",
        "1: saved games of no match: 000002-0.jsonl.gz (1)",
    ]


def test_a_damaged_database_is_noticed(files: ArenaFiles) -> None:
    assert list(evidence.damaged(files)) == []
    with closing(sqlite3.connect(files.accounts)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        index = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_users_1'"
        [[page]] = database.execute(index)
        [[size]] = database.execute("PRAGMA page_size")
    with files.accounts.open("r+b") as opened:  # it can be read: only `integrity_check` sees it
        opened.seek(page * size - 64)
        opened.write(b"damaged " * 8)
    assert [line.partition(":")[0] for line in evidence.damaged(files)] == ["web/arena.sqlite"]
