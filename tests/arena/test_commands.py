"""The commands of an arena, without one that runs: folders, people, states, copies, and uploads to a server that answers."""

import io
import json
import shutil
import sqlite3
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from arena.folders import a_final, a_row, a_tournament, active, an_arena, upload, with_settings
from cli.conftest import Shell, in_process

from referee.arena import settings
from referee.arena.accounts import Accounts
from referee.arena.commands.opening import term
from referee.arena.settings import ArenaFiles
from referee.errors import UsageError
from referee.tournament.ledger import Ledger
from referee.tournament.model import Competitor
from referee.web.refusals import Refusal

pytestmark = pytest.mark.machine

KEY = "REFEREE_ARENA_KEY"
OWN = 'name = "Own"\ndescription = "-"\nsize = 21\nlength = 8\nsteps = 500\n'
PEM = Path(__file__).parents[1] / "web" / "certificates"


@pytest.fixture
def files(referee: Shell) -> ArenaFiles:
    return an_arena(referee.folder / "cup")


def test_a_new_arena_is_private_and_has_a_link_for_its_admin(referee: Shell):
    arena = json.loads(referee("arena", "new", "cup", "--game=viper", "--seats=2", "--json").out)
    root = referee.folder / "cup"
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    with Accounts(root / "web" / "arena.sqlite", now=lambda: arena["expires"] - 1) as accounts:
        user, key = accounts.join(arena["token"])
        assert (user.name, user.role, accounts.by_key(key)) == ("admin", "admin", user)
    assert referee.json("arena", "status", "cup")["seats"] == 2
    assert "there is nothing to show" in referee("arena", "export", "cup", "-o", "site").err
    assert referee("arena", "new", "cup", "--game=viper").code == 2
    arena = referee("arena", "new", "other", "--game=viper").out
    assert "http://127.0.0.1:8000/join#" in arena
    assert "if the arena runs at another address, put /join#… behind that)" in arena
    assert "matches begin when 4 authors have a bot: seats in other/arena.toml says how many" in arena
    assert "matches begin" not in referee("arena", "new", "third", "--game=viper", "--seats=2").out


@pytest.mark.parametrize(("words", "why"), [
    (["--game=chess"], "referee: no game is called"),
    (["--game=viper", "--maps", 'no"where'], "referee: match.maps.0: no map is called 'no\"where'"),
    (["--game=viper", "--seats=50"], "referee: match.seats: ViPER is for 2 to "),
])  # fmt: skip
def test_an_arena_that_cannot_be_is_not_made(referee: Shell, words: Sequence[str], why: str):
    ran = referee("arena", "new", "cup", *words)
    assert (ran.code, ran.err[: len(why)]) == (2, why)
    assert not (referee.folder / "cup").exists()


def test_each_map_that_an_arena_cannot_use_is_named(referee: Shell, files: ArenaFiles):
    first, second = referee("arena", "new", "other", "--game=viper", "--maps=one", "--maps=two").err.splitlines()
    assert first.startswith("referee: match.maps.0: no map is called 'one'")
    assert second.startswith("referee: match.maps.1: no map is called 'two'")
    with_settings(files, "# maps = []", 'maps = ["one", "two"]')
    first, second = referee("arena", "status", "cup").err.splitlines()
    assert first.startswith("referee: cup/arena.toml: match.maps.0: ")
    assert second.startswith("referee: cup/arena.toml: match.maps.1: ")


@pytest.mark.parametrize("name", ['Vi "co"', "C:\\new", "$game"])
def test_an_arena_may_have_any_name(referee: Shell, name: str):
    referee.ok("arena", "new", "cup", "--game=viper", "--name", name)
    referee.ok("arena", "new", name, "--game=viper")
    for folder in ("cup", name):
        assert referee.json("arena", "status", folder)["name"] == name


def test_people_are_invited_by_name_and_by_a_table(referee: Shell, accounts: Accounts):
    (referee.folder / "roster.csv").write_text("Name,role,class\ncyd,teacher,7b\ndan,,\n", encoding="utf-8")
    ran = referee("arena", "invite", "cup", "ada", "--class=7a", "--csv", "roster.csv", "--expires=2h", "--json")
    invited = json.loads(ran.out)
    assert [(person["name"], person["role"], person["class"]) for person in invited] == [
        ("ada", "author", "7a"), ("cyd", "teacher", "7b"), ("dan", "author", "7a")
    ]  # fmt: skip
    (referee.folder / "bad.csv").write_text("name\nfay\na b\n", encoding="utf-8")
    for words in (
        ["a/b"], ["human"], [], ["ada", "--expires=never"], ["--csv", "none.csv"], ["eve", "a/b"], ["--csv", "bad.csv"],
    ):  # fmt: skip
        assert referee("arena", "invite", "cup", *words).code == 2
    invited = [name for name, *_ in accounts.invitations()]
    assert invited == ["ada", "cyd", "dan"], "nobody of a list that was refused"


def test_a_table_that_has_grown_is_given_again(referee: Shell, files: ArenaFiles, accounts: Accounts):
    files.address.write_text("https://arena.example")
    (referee.folder / "roster.csv").write_text("name\nada\nbob\n")
    accounts.join(referee.json("arena", "invite", "cup", "--csv", "roster.csv")[0]["token"])
    ran = referee("arena", "invite", "cup", "--csv", "roster.csv")
    assert [line.partition("#")[0] for line in ran.out.splitlines()] == ["bob: https://arena.example/join"]


def test_a_user_gets_a_new_key_and_can_be_disabled(referee: Shell, accounts: Accounts):
    _, old = accounts.join(accounts.invite("ada", "author", None, 10.0, "a test"))
    changed = json.loads(
        referee("arena", "user", "cup", "ada", "--new-key", "--role=teacher", "--class=9b", "--json").out
    )
    assert (changed["role"], changed["class"], changed["disabled"]) == ("teacher", "9b", False)
    assert accounts.by_key(old) is None
    assert accounts.by_key(changed["key"]) is not None
    assert referee("arena", "user", "cup", "ada", "--disable", "--class=").out == "ada: teacher, disabled\n"
    assert accounts.by_key(changed["key"]) is None
    referee.ok("arena", "user", "cup", "ada", "--enable")
    assert accounts.by_key(changed["key"]) is not None
    assert referee("arena", "user", "cup", "bob").code == 2


def test_an_invitation_ends(referee: Shell, accounts: Accounts):
    token = accounts.invite("bob", "author", "9b", 1e12, "a test")
    assert "no user Bob has joined" in referee.refused("arena", "user", "cup", "Bob", "--role=teacher")
    ended = referee.json("arena", "user", "cup", "Bob", "--disable")
    assert ended == {"name": "bob", "role": "author", "class": "9b", "disabled": True, "key": None}
    assert accounts.audit(1)[0][1:] == ("the command line", "ends the invitation of bob")
    with pytest.raises(Refusal):
        accounts.join(token)
    assert accounts.invitations() == []
    assert referee("arena", "user", "cup", "bob", "--disable").code == 2, "there is none any more"
    again = accounts.invite("bob", "author", None, 10.0, "a test")
    assert referee("arena", "user", "cup", "bob", "--disable").code == 2, "its term is over by the clock of the command"
    accounts.join(again)


def test_an_organiser_takes_a_bot_out_of_the_contest(referee: Shell, files: ArenaFiles, accounts: Accounts):
    for bot in ("kind", "rude"):
        upload(files, "ada", bot, b"x")
    ran = referee("arena", "user", "cup", "ada", "--withdraw", "Rude")
    assert (ran.code, ran.out) == (0, "ada: author\nRude is out of the contest\n")
    assert [bot for _, bot in accounts.bots(accounts.users()[0])] == ["kind"]
    assert accounts.audit(1)[0][1:] == ("the command line", "withdraws ada/Rude")
    before = accounts.audit(9)
    again = referee("arena", "user", "cup", "ada", "--withdraw", "rude", "--new-key", "--disable")
    assert (again.code, "ada has no bot of that name" in again.err) == (2, True), again.err
    assert accounts.audit(9) == before


def test_the_status_follows_the_dates_though_nothing_runs(referee: Shell, files: ArenaFiles):
    text = files.toml.read_text()
    past, coming, local = "2001-01-01T00:00:00Z", "2999-12-01T18:00:00Z", "2999-12-01T18:00:00+02:00"
    for dates, state, line in (
        (f"opens = {past}\ncloses = {coming}", "open", "(past), closes 2999-12-01 18:00 UTC\n"),
        (f"opens = {local}\nfinal = {coming}", "closed", "opens 2999-12-01 16:00 UTC, final "),
        (f"closes = {past}", "closed", "closes 2001-01-01 00:00 UTC (past)\n"),
    ):
        files.toml.write_text(text.replace("[match]", f"{dates}\n[match]"))
        assert referee.json("arena", "status", "cup")["state"] == state
        assert line in referee("arena", "status", "cup").out
    files.toml.write_text(text.replace("[match]", "closes = 2026-12-14\n[match]"))
    assert "closes: must be a date and time, such as 2026-12-14T18:00:00Z" in referee("arena", "status", "cup").err


@pytest.mark.usefixtures("files")
def test_the_status_says_that_the_disk_is_full(referee: Shell, monkeypatch: pytest.MonkeyPatch):
    assert "the disk is full" not in referee("arena", "status", "cup").out
    monkeypatch.setattr(settings, "has_room", lambda *_: False)
    assert "the disk is full: uploads are refused and no match is played" in referee("arena", "status", "cup").out


def test_an_arena_that_is_opened_keeps_its_final_and_says_where(referee: Shell, files: ArenaFiles):
    active(files, "ada/one", "bob/one")
    a_final(files, "final", played=3, scheduled=7)
    assert "The final is being played: 3 of 7 matches." in referee("arena", "status", "cup").out
    assert "The final was stopped after 3 of 7 matches." in referee("arena", "close", "cup").out
    assert "The final is being played: 3 of 7 matches." in (output := referee("arena", "final", "cup").out)
    assert "arena run cup plays it" in output
    assert "earlier final: cup/seasons/final\n" in referee("arena", "open", "cup").out
    a_final(files, "final-2", played=4, scheduled=4)
    output = referee("arena", "status", "cup").out
    assert "The final is over after 4 matches: ada/one won.\nfinal: cup/seasons/final-2\n" in output
    assert "earlier final: cup/seasons/final\n" in output
    assert output.count("final-2") == 1


@pytest.mark.parametrize(("setting", "name"), [("true", "ada/one"), ("false", "~1/one")])
def test_authors_cannot_be_hidden_or_shown_after_the_first_version(
    referee: Shell, files: ArenaFiles, setting: str, name: str
):
    with_settings(files, "# anonymous = false", f"anonymous = {setting}")
    referee.ok("arena", "status", "cup")
    active(files, name)
    for words in (["run", "cup", "--port=0"], ["export", "cup", "-o", "site"]):
        assert "cup/arena.toml: anonymous: it was" in referee("arena", *words, code=2).err
    assert referee("arena", "close", "cup").code == 0, "an organiser in need is not refused for a setting"


def test_a_game_cannot_be_changed_after_the_first_version(referee: Shell, files: ArenaFiles):
    files.season(1).mkdir(parents=True)
    (files.season(1) / "tournament.toml").write_text('name = "Cup"\ngame = "ava"\nbots = ["x"]\n')
    assert "cup/arena.toml: game: it was ava when" in referee("arena", "run", "cup", "--port=0", code=2).err


def test_a_backup_has_all_that_an_arena_needs_overwrites_nothing_and_is_private(referee: Shell, files: ArenaFiles):
    made = ["seasons/1/running", "seasons/1/entrants/.0/x", "inbox/.upload-x"]
    bot = ["seasons/1/entrants/0/files/work/x", "seasons/1/entrants/0/files/.x"]
    maps = ["own.toml", "maps/old.toml"]
    kept = [
        *bot,
        *maps,
        "seasons/1/tournament.toml",
        "inbox/1.zip",
        "intake/debug/1-0.jsonl.gz",
        "pages/bots/ada/one.json",
    ]
    for path in (*made, *kept):
        (files.root / path).parent.mkdir(parents=True, exist_ok=True)
        (files.root / path).touch()
    (files.root / "link.toml").symlink_to(referee.folder / "secret.toml")
    referee.ok("arena", "backup", "cup", "-o", "cup.tar.gz")
    with tarfile.open(referee.folder / "cup.tar.gz") as archive:
        copied = [name for name in archive.getnames() if not name.endswith((".sqlite", "arena.toml"))]
    assert sorted(copied) == sorted(["cup", *(f"cup/{path}" for path in kept)])
    assert stat.S_IMODE((referee.folder / "cup.tar.gz").stat().st_mode) == 0o600
    assert "choose another name" in referee.refused("arena", "backup", "cup", "-o", "cup.tar.gz")
    assert "a backup is a .tar, .tar.gz or .tgz file" in referee("arena", "backup", "cup", "-o", "cup.zip").err
    assert {path.name for path in referee.folder.iterdir()} == {"cup", "cup.tar.gz"}


@pytest.mark.parametrize("kept", [True, False])
def test_a_game_that_an_arena_removes_meanwhile_is_not_wrong(
    referee: Shell, files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, *, kept: bool
):
    a_tournament(files, "1", "ladder", [(0, 1)], played=0)

    def beside_an_arena(work: Callable[[Any], Any], games: Sequence[Any]) -> Iterator[Any]:
        if not kept:
            with Ledger(files.season(1), writes=True) as ledger, ledger.transaction():
                ledger.matches.keep_newest(1, 0, row, 0)
        return map(work, games)

    with Ledger(files.season(1), writes=True) as ledger, ledger.transaction():
        row = a_row(ledger.entrants(), (0, 1), saved="games/000001-0.jsonl.gz")
        ledger.record(1, 0, row)
    monkeypatch.setattr("referee.tournament.verifying.on_all_processors", beside_an_arena)
    ran = referee("arena", "verify", "cup")
    assert (ran.code, "cannot be read" in ran.out) == ((1, True) if kept else (0, False)), ran.out
    assert ran.out.startswith("season 1, m0/arena/0#0: " if kept else "0 ")
    assert ran.out.endswith("saved game, 1 of them missing\n" if kept else "0 saved games, all of them right\n")


def test_a_sample_is_drawn_without_reading_all_matches(
    referee: Shell, files: ArenaFiles, monkeypatch: pytest.MonkeyPatch
):
    def row(field: Sequence[Competitor], group: Sequence[int], at: int) -> dict[str, Any]:
        return a_row(field, group, saved=f"games/{1 + at:06d}-0.jsonl.gz" if at % 2 else None)

    read, played = list[tuple[int, int]](), Ledger.played

    def counted(self: Ledger, *words: Any, **more: Any) -> Iterator[Any]:
        for match, match_row in played(self, *words, **more):
            read.append(match.key)
            yield match, match_row

    for season in "12":
        a_tournament(files, season, "ladder", [(0, 1)] * 10, row=row)
    monkeypatch.setattr(Ledger, "played", counted)
    for sample, verified in {"3": 3, "20": 10, "9" * 30: 10, "0": 10}.items():
        read.clear()
        matches = json.loads(referee("arena", "verify", "cup", f"--sample={sample}", "--json").out)["matches"]
        assert len({(row["season"], row["match"]) for row in matches}) == len(matches) == verified
        assert {row["match"] for row in matches} <= {f"m{at}/arena/0#0" for at in range(1, 10, 2)}
        if sample == "3":
            assert len(read) == 2 * 3, "they are missing, so they are looked up again at the end"


@pytest.mark.parametrize(("column", "value"), [("series", "x"), ("seating", b"y"), ("seating", "')--")])
def test_a_season_with_a_row_that_a_stranger_wrote_cannot_be_verified(
    referee: Shell, files: ArenaFiles, column: str, value: str | bytes
):
    a_tournament(files, "1", "ladder", [(0, 1)] * 2)
    with closing(sqlite3.connect(files.season(1) / "ledger.sqlite", isolation_level=None)) as tables:
        tables.execute(f"UPDATE matches SET saved = 'x', {column} = ? WHERE series = 2", (value,))
    ran = referee("arena", "verify", "cup", code=1)
    assert ran.out.startswith("season 1: cup/seasons/1/ledger.sqlite is damaged (")


def test_a_backup_of_a_database_that_cannot_be_copied_says_why(
    referee: Shell, files: ArenaFiles, monkeypatch: pytest.MonkeyPatch
):
    class Full(sqlite3.Connection):
        def backup(self, *_: Any, **__: Any) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Full))
    ran = referee("arena", "backup", "cup", "-o", "cup.tar")
    assert ".sqlite cannot be copied (database or disk is full): if " in ran.err
    assert ran.code == 2
    assert not list(files.root.parent.glob(".*.part"))


def test_a_season_whose_map_was_edited_leaves_the_others_verified(referee: Shell, files: ArenaFiles):
    (own := files.root / "own.toml").write_text(OWN, encoding="utf-8")
    a_tournament(
        files, "2", "ladder", [(0, 1)], row=lambda field, group, _: a_row(field, group, saved="games/000001-0.jsonl.gz")
    )
    a_tournament(with_settings(files, "# maps = []", 'maps = ["own.toml"]'), "1", "ladder", [(0, 1)])
    files.season(3).mkdir()
    shutil.copy(files.season(2) / "tournament.toml", files.season(3))
    (files.season(3) / "ledger.sqlite").touch()  # its first run was killed
    own.write_text(OWN.replace("500", "400"), encoding="utf-8")
    ran = referee("arena", "verify", "cup")
    assert (ran.code, ran.err) == (1, "")
    first, second, _ = ran.out.splitlines()
    assert first.startswith("season 1: cup/seasons/1/tournament.toml: match.maps.own has changed")
    assert second.startswith("season 2, m0/arena/0#0: ")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", [
    ("--host", "0.0.0.0"),
    ("--host", "arena.example"),
    ("--behind-proxy", "https://a.example/path"),
    ("--tls", "cert.pem", "key.pem"),
    ("--tls", str(PEM / "key.pem"), str(PEM / "ours.pem")),
    ("--host", "arena.invalid", "--tls", str(PEM / "ours.pem"), str(PEM / "key.pem")),
    ("--jobs", "0"),
])  # fmt: skip
def test_an_arena_that_would_send_keys_in_clear_is_not_served(referee: Shell, words: Sequence[str]):
    assert referee("arena", "run", "cup", "--port=0", *words).code == 2


def test_terms():
    assert [term(text) for text in ("30m", "12h", "7d")] == [1800, 43_200, 604_800]
    for text in ("", "7", "0d", "-1d", "1e9d", "900d", "7w"):
        with pytest.raises(UsageError, match="is not a term"):
            term(text)


@contextmanager
def answering(*answers: tuple[int, Any]) -> Iterator[tuple[str, list[tuple[str, str, bytes]]]]:
    """A server that gives these answers in turn, and what it was asked: method and path, key, body."""
    asked, rest = list[tuple[str, str, bytes]](), list(answers)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append((f"{self.command} {self.path}", self.headers["Authorization"], body))
            status, document = rest.pop(0)
            self.send_response(status)
            self.send_header("Retry-After", "60")
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()
            self.wfile.write(document if isinstance(document, bytes) else json.dumps(document).encode())

        do_GET = do_POST = answer  # noqa: N815 - their names are those of the methods

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def step(title: str) -> dict[str, Any]:
    failure = {"says": "it is wrong", "change": "Mend it.", "stderr": ["x"]}
    return {"title": title, "verdict": "fail", "failure": failure}


WAITING = (202, {"id": 7, "state": "waiting"})
CHECKING = (200, {"id": 7, "state": "checking"})
ACTIVE = (200, {"id": 7, "state": "active", "number": 2, "steps": []})
TOO_MANY = (429, {"error": {"code": "too_many", "message": "wait"}})


@pytest.mark.parametrize(("answers", "code"), [
    ([WAITING], 0),
    ([WAITING, CHECKING, ACTIVE], 0),
    ([WAITING, TOO_MANY, (503, []), ACTIVE], 0),
    ([(200, {"id": 7, "state": "failed", "steps": [step("builds")]})], 4),
    ([(200, {"id": 7, "state": "failed", "steps": [{"verdict": "pass"}, step("answers")]})], 1),
    ([TOO_MANY], 2),
    ([(302, {"id": 7, "state": "active"})], 2),
    ([(200, ["nonsense"])], 2),
])  # fmt: skip
def test_submit_says_what_became_of_an_upload(referee: Shell, answers: list[tuple[int, Any]], code: int):
    folder = referee.folder / "bot"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "secret").touch()
    (folder / "main.py").write_text("print()")
    wait = ["--wait"] if len(answers) > 1 else []
    with answering(*answers) as (url, asked):
        words = ("submit", folder, "--to", url, "--bot", "a b", "--note", "ä", *wait)
        ran = in_process(referee.folder, referee.environ({KEY: "k1"}), *words)
    assert ran.code == code, ran.err
    if code != 2:
        *_, (_, last) = answers
        assert ran.out.startswith(f"a b{', version 2' if 'number' in last else ''}: {last['state']}\n")
    assert "k1" not in ran.out + ran.err
    [(request, key, body), *polls] = asked
    assert (request, key) == ("POST /api/v1/bots/a%20b/versions?file=bot.zip&note=%C3%A4", "Bearer k1")
    assert zipfile.ZipFile(io.BytesIO(body)).namelist() == ["main.py"]
    assert [poll[0] for poll in polls] == ["GET /api/v1/versions/7"] * len(polls)
    assert len(asked) == len(answers)


def test_submit_sends_no_file_that_a_link_leads_to(referee: Shell):
    (referee.folder / "secret").write_text("a key")
    (referee.folder / "bot").mkdir()
    (referee.folder / "bot" / "data").symlink_to("../secret")
    with answering() as (url, asked):
        ran = in_process(referee.folder, referee.environ({KEY: "k1"}), "submit", "bot", "--to", url, "--bot", "b")
    assert (ran.code, asked) == (2, [])
    assert "bot/data is a symbolic link" in ran.err


def test_a_key_for_this_machine_is_sent_to_no_proxy(referee: Shell):
    (referee.folder / "main.py").touch()
    with answering(WAITING) as (proxy, asked):
        environ = referee.environ({KEY: "k1", "http_proxy": proxy})
        ran = in_process(referee.folder, environ, "submit", "main.py", "--to", "http://127.0.0.1:1", "--bot", "b")
    assert (ran.code, asked) == (2, [])


@pytest.mark.parametrize(("url", "bot", "why"), [
    ("http://arena.example", "b", "in clear"),
    ("ftp://arena.example", "b", "no address"),
    ("arena.example", "b", "no address"),
    ("http://127.0.0.1:1", "b", "does not answer"),
    ("http://127.0.0.1:1", "ada/b", "name the bot alone, without its author"),
])  # fmt: skip
def test_a_key_is_sent_to_no_doubtful_address(referee: Shell, url: str, bot: str, why: str):
    (referee.folder / "main.py").touch()
    words = ("submit", "main.py", "--to", url, "--bot", bot)
    assert KEY in referee(*words).err
    ran = in_process(referee.folder, referee.environ({KEY: "k1"}), *words)
    assert (ran.code, why in ran.err) == (2, True), ran.err
