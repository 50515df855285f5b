"""A whole arena by real processes: uploads become entrants, are played, and survive the death of any part."""

import gzip
import json
import os
import signal
import sqlite3
import ssl
import tarfile
from collections import Counter
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

import pytest
from arena.folders import KRAIT, NEWT, eventually, left, matches, rows, running, states, upload, with_settings
from cli.conftest import Shell

from referee.arena.accounts import Accounts
from referee.arena.settings import ArenaFiles

pytestmark = [pytest.mark.machine, pytest.mark.timeout(600)]

PARTS = ("intake", "ladder", "pages", "web")
PEM = Path(__file__).parents[1] / "web" / "certificates"


def test_an_arena_from_the_first_upload_to_the_second_final(referee: Shell, files: ArenaFiles, tmp_path: Path) -> None:
    upload(files, "ada", "newt", NEWT)
    with running(files, referee.cache) as arena:
        second = referee("arena", "run", files.root, "--port", "0")
        assert second.code == 2
        with urlopen(f"{arena.url}/api/v1/arena", timeout=60) as answer:
            assert json.load(answer)["name"] == "Test"
        assert f"process {arena.process.pid}" in second.err
        upload(files, "bob", "krait", KRAIT)
        unfit = upload(files, "bob", "elf", b"\x7fELF" + bytes(100), "bot")
        broken = upload(files, "cyd", "broken", b"nonsense")
        eventually(lambda: states(files) == {1: "active", 2: "active", unfit: "failed", broken: "failed"})
        eventually(lambda: matches(files) >= 4)
        table = eventually(lambda: files.standings.exists() and json.loads(files.standings.read_text()))
        assert {(row["author"], row["bot"], row["version"]) for row in table["table"]} == {
            ("ada", "newt", 1), ("bob", "krait", 2)
        }  # fmt: skip
        [match_id] = rows(files.season(1) / "ledger.sqlite", "SELECT key FROM series LIMIT 1")[0]
        with Accounts(files.accounts, now=lambda: 1e12) as accounts:
            accounts.want(f"matches/1/{match_id}#0")
        eventually(files.match("1", f"{match_id}#0").exists)
        referee.ok("arena", "final", files.root)
        eventually(lambda: matches(files, "final"))
        referee.ok("arena", "open", files.root)
        before = matches(files)
        new = upload(files, "ada", "newt", KRAIT)
        eventually(lambda: states(files)[1] == "replaced" and states(files)[new] == "active")
        eventually(lambda: ("v5", "done") in rows(files.versions, "SELECT id, state FROM games"))
        eventually(lambda: matches(files) > before)
        stopped = matches(files, "final")
        referee.ok("arena", "final", files.root)
        final, decision = files.seasons / "final-2", files.standings_of("final-2")
        eventually(lambda: rows(final / "ledger.sqlite", "SELECT 1 FROM facts WHERE key = 'over' AND value = 'yes'"))
        assert referee.json("arena", "status", files.root)["final"] == "seasons/final-2"
        decided = eventually(lambda: decision.exists() and json.loads(decision.read_text()))
        assert {(row["author"], row["bot"]) for row in decided["table"]} == {("ada", "newt"), ("bob", "krait")}
        assert (matches(files, "final"), matches(files, "final-2")) == (stopped, 200), (
            "the final that was stopped stays as it was"
        )
        referee.ok("arena", "backup", files.root, "-o", tmp_path / "copy.tar")
        assert arena.end() == 143
    assert left(files) == []
    referee.ok("arena", "verify", files.root, "--sample", "0")
    referee.ok("arena", "export", files.root, "-o", tmp_path / "site")
    assert (tmp_path / "site" / "seasons" / "final-2" / "index.html").exists()
    with tarfile.open(tmp_path / "copy.tar") as archive:
        archive.extractall(tmp_path / "back", filter="data")
    assert referee.json("arena", "status", tmp_path / "back" / "arena")["entrants"] == 2


def test_an_anonymous_arena_names_no_author_and_is_reached_by_the_names_of_its_certificate(
    referee: Shell, files: ArenaFiles, tmp_path: Path
) -> None:
    with_settings(files, "# anonymous = false", "anonymous = true")
    for author, data in (("incognito-ada", NEWT), ("incognito-bob", KRAIT)):
        upload(files, author, "bot", data)
    trusting = ssl.create_default_context(cafile=PEM / "ours.pem")
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    tls = ("--host=0.0.0.0", "--tls", PEM / "ours.pem", PEM / "key.pem")
    with running(files, referee.cache, *tls) as arena:
        url = urlsplit(arena.url)
        assert (url.scheme, url.hostname) == ("https", "arena.test")
        eventually(lambda: matches(files) >= 2 and files.standings.exists())

        def status(path: str, host: str) -> tuple[int, bytes]:
            connection = HTTPSConnection("127.0.0.1", url.port, context=trusting, timeout=60)
            connection.request("GET", path, headers={"Host": f"{host}:{url.port}"})
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            return answer.status, content

        def asked(path: str) -> bytes:
            code, content = status(path, "arena.test")
            assert code == 200, path
            return gzip.decompress(content) if path.endswith(".gz") else content

        hosts = ("127.0.0.1", "0.0.0.0", "other.arena.test")
        assert [status("/", host)[0] for host in hosts] == [200, 421, 421]
        rows = json.loads(asked("/api/v1/standings"))["table"]
        assert {(row["author"], row["bot"], row["name"]) for row in rows} == {
            ("~1", "bot", "~1/bot"), ("~2", "bot", "~2/bot")
        }  # fmt: skip
        newest = json.loads(asked("/api/v1/matches"))["matches"][0]
        match = f"/matches/{newest['season']}/{quote(newest['id'], safe='')}"
        for path in ("/", "/bots/~1/bot", "/versions/1", match, "/api/v1/matches", f"/api/v1{match}.jsonl.gz"):
            assert b"incognito" not in asked(path), path
    referee.ok("arena", "export", files.root, "-o", tmp_path / "site")
    assert not [page for page in (tmp_path / "site").rglob("*.html") if "incognito" in page.read_text(encoding="utf-8")]


def test_nothing_is_lost_or_done_twice_when_parts_are_killed(referee: Shell, files: ArenaFiles) -> None:
    with running(files, referee.cache) as arena:
        accepted = []
        for turn, part in enumerate(PARTS):
            played = matches(files)
            data = (NEWT, KRAIT)[turn % 2]
            accepted += [upload(files, author, "bot", data) for author in ("ada", "bob")]
            arena.kill(part)
        eventually(lambda: Counter(states(files).values()) == {"active": 2, "replaced": 6})
        eventually(lambda: matches(files) > played)
        os.kill(arena.process.pid, signal.SIGKILL)
        eventually(lambda: left(files) == [])
    assert sorted(states(files)) == accepted
    for database in (files.accounts, files.versions, files.season(1) / "ledger.sqlite"):
        with closing(sqlite3.connect(database)) as opened:
            assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert list(files.inbox.iterdir()) == []
    referee.ok("arena", "verify", files.root, "--sample", "0")
