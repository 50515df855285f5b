"""The contest as the API has it: the arena, matches page by page, duels, live events."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from arena.web.conftest import MakeLab
from arena.web.lab import Lab
from raising import raising
from starlette.responses import JSONResponse
from tournament.conftest import fault_of
from trio.testing import MockClock

from referee.arena import pages
from referee.arena.accounts import WANTED_TERM
from referee.arena.pages import make
from referee.arena.state import change_state, read_json
from referee.arena.web import site
from referee.arena.web.api import contest
from referee.arena.web.html import front
from referee.arena.web.site import Watch
from referee.errors import GameError, SavedGameError
from referee.saved.record import ends
from referee.text.markup import el, page, policy
from referee.tournament import match_pages
from referee.tournament.database import DiskError
from referee.tournament.ledger import FILE as LEDGER
from referee.tournament.tournament import Tournament

PAGE = page("A match", [el("p", "the page")], style="a", script="b")


@pytest.fixture
def field(lab: Lab) -> Lab:
    """Two seasons: four matches in the first, two in the second, with other entrants."""
    ann, bob, cleo = (lab.upload(name, "bot", name.encode(), "active") for name in ("ann", "bob", "cleo"))
    lab.season([ann, bob], [(0, 1)] * 4, faults={1: [fault_of(0)], 2: [fault_of(1, "timeout")]})
    lab.season([ann, cleo], [(0, 1), (1, 0)], "2")
    change_state(lab.files, lambda state: replace(state, season=1))
    lab.standings([ann, bob, cleo])
    return lab


async def test_the_arena(field: Lab) -> None:
    assert (await field.ask("GET", "/api/v1/arena")).json == {
        "name": "Spring <cup>", "game": "snakecore", "state": "open", "season": "1", "seats": 4, "matches": 4, "entrants": 3,
        "waiting": 0, "final_progress": None,
    }  # fmt: skip
    standings = (await field.ask("GET", "/api/v1/standings")).json
    assert standings["season"] == "1", "as in matches"
    row = standings["table"][0]
    assert (row["author"], row["bot"], row["version"], row["rank"]) == ("ann", "bot", 1, 1)


async def test_matches_page_by_page_through_the_seasons(field: Lab) -> None:
    pages, before = [], ""
    while before is not None:
        answer = (await field.ask("GET", "/api/v1/matches?limit=2" + (before and f"&before={before}"))).json
        pages.append([(match["season"], match["id"]) for match in answer["matches"]])
        before = answer["next"]
    newest = [("2", "m1/arena/0#0"), ("2", "m0/arena/0#0"), *(("1", f"m{at}/arena/0#0") for at in (3, 2, 1, 0))]
    assert [match for page in pages for match in page] == newest
    assert max(map(len, pages)) == 2


@pytest.mark.parametrize(("which", "ids"), [
    ("bot=bob/bot", ["m3", "m2", "m1", "m0"]),
    ("bot=cleo/bot", ["m1", "m0"]),
    ("bot=nobody/bot", []),
    ("fault=any", ["m2", "m1"]),
    ("fault=exit", ["m1"]),
    ("fault=any&bot=bob/bot", ["m2"]),
])  # fmt: skip
async def test_matches_of_a_bot_and_with_a_fault(field: Lab, which: str, ids: list[str]) -> None:
    answer = (await field.ask("GET", f"/api/v1/matches?{which}")).json
    assert [match["id"].partition("/")[0] for match in answer["matches"]] == ids
    assert answer["next"] is None


async def test_matches_of_a_bot_with_capitals_are_found_without_them(make_lab: MakeLab) -> None:
    lab = make_lab("", "Ada", "bob")
    lab.season([lab.upload("Ada", "Snake", b"a", "active"), lab.upload("bob", "bot", b"b", "active")], [(0, 1)])
    for bot in ("ada/snake", "Ada/Snake"):
        assert len((await lab.ask("GET", f"/api/v1/matches?bot={bot}")).json["matches"]) == 1


async def test_the_latest_matches_name_the_authors(field: Lab) -> None:
    assert "<bdi>ann/bot</bdi> – <bdi>bob/bot</bdi>" in (await field.ask("GET", "/")).text, "two bots have one name"


@pytest.mark.parametrize(("path", "code"), [
    *(("matches?limit=" + limit, "bad_request") for limit in ("0", "101", "x", "%D9%A1")),  # the last is an Arabic 1
    *(("matches?before=" + before, "bad_request") for before in ("1.2", "..%2F1.2.3", "1.%D9%A1.0")),
    ("matches?fault=x", "bad_request"),
    ("versions/%D9%A1", "not_found"),
    (f"duels/{'9' * 1900}", "not_found"),
])  # fmt: skip
async def test_a_wrong_question_is_refused(field: Lab, path: str, code: str) -> None:
    assert (await field.ask("GET", f"/api/v1/{path}", by="ann")).code == code


async def test_one_match(field: Lab, tmp_path: Path) -> None:
    answer = (await field.ask("GET", "/api/v1/matches/1/m1%2Farena%2F0%230")).json
    saved = await field.ask("GET", "/api/v1/matches/1/m1%2Farena%2F0%230.jsonl.gz")
    assert answer["id"] == "m1/arena/0#0"
    (tmp_path / "saved.jsonl.gz").write_bytes(saved.body)
    _, result = ends(tmp_path / "saved.jsonl.gz")
    assert result is not None
    assert answer["digest"] == result.digest
    assert answer["command"].endswith("&& referee verify 1-m1_arena_0_0.jsonl.gz")
    assert "https://arena.test/api/v1/matches/1/m1%2Farena%2F0%230.jsonl.gz" in answer["command"]
    assert (await field.ask("GET", "/api/v1/matches/1/m0%2Farena%2F0%230.jsonl.gz")).status == 410
    without = (await field.ask("GET", "/api/v1/matches/1/m0%2Farena%2F0%230")).json
    assert (without["command"], without["digest"]) == (None, None)
    for path in ("9/m0%2Farena%2F0%230", "1/m9%2Farena%2F0%230", "1/m0%2Farena%2F0%23x", "..%2F1/m0%2Farena%2F0%230"):
        assert (await field.ask("GET", f"/api/v1/matches/{path}")).status == 404


@pytest.mark.parametrize(
    ("public", "key"), [("true", ""), ("false", r' -H "Authorization: Bearer \$REFEREE_ARENA_KEY"')]
)
async def test_the_command_of_a_match_sends_the_key_where_it_is_needed(
    make_lab: MakeLab, public: str, key: str
) -> None:
    lab = make_lab(f"public = {public}\n", "ann", "bob")
    lab.season([lab.upload(name, "bot", name.encode(), "active") for name in ("ann", "bob")], [(0, 1)] * 2)
    address = "/api/v1/matches/1/m1%2Farena%2F0%230"
    command = (await lab.ask("GET", address, by="ann")).json["command"]
    assert re.fullmatch(rf"curl -f -o \S+ \S+{re.escape(address)}.jsonl.gz{key} && referee verify \S+", command)


async def test_a_saved_game_is_unpacked_once_however_often_its_match_is_asked_for(
    field: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One takes as long as twenty pages, and anybody may ask for it."""
    unpacked = list[Path]()

    def unpack(path: Path) -> Any:
        unpacked.append(path)
        return ends(path)

    monkeypatch.setattr(site, "ends", unpack)
    digests = {(await field.ask("GET", "/api/v1/matches/1/m1%2Farena%2F0%230")).json["digest"] for _ in range(3)}
    assert len(digests) == 1
    assert len(unpacked) == 1


async def test_the_page_of_a_match_is_made_on_demand(field: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    async def make_page(_seconds: float) -> None:
        assert [page for page, _ in field.site.accounts.page_requests(0)] == ["matches/1/m1/arena/0#0"]
        path = field.files.matches / "1" / "m1_arena_0_0.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE)

    monkeypatch.setattr(site.anyio, "sleep", make_page)
    answer = await field.ask("GET", "/matches/1/m1%2Farena%2F0%230")
    assert (answer.status, answer.text) == (200, PAGE)
    own = f"{policy('a', 'b')}; sandbox allow-scripts; frame-ancestors"
    assert answer.headers["content-security-policy"] == f"{own} 'none'"
    field.now += WANTED_TERM + 1
    field.site.accounts.want("matches/1/another")
    assert [page for page, _ in field.site.accounts.page_requests(0)] == ["matches/1/another"]
    embedded = await field.ask("GET", "/embed/matches/1/m1%2Farena%2F0%230")
    assert embedded.headers["content-security-policy"] == f"{own} *"
    gone = await field.ask("GET", "/matches/1/m0%2Farena%2F0%230")
    assert gone.status == 410
    assert "bob" in gone.text
    assert "sandbox" not in gone.headers["content-security-policy"]
    assert gone.headers["content-security-policy"].endswith("; frame-ancestors 'none'")
    framed = await field.ask("GET", "/embed/matches/1/m0%2Farena%2F0%230")
    assert (framed.status, framed.text) == (410, gone.text)
    assert framed.headers["content-security-policy"].endswith("; sandbox; frame-ancestors *")


async def test_a_page_that_is_not_made_in_time(field: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "PATIENCE", 0)
    answer = await field.ask("GET", "/matches/1/m1%2Farena%2F0%230")
    assert (answer.status, "is being made" in answer.text, 'data-pending=""' in answer.text) == (503, True, True)


async def test_who_wants_many_pages_does_not_keep_standings_waiting(
    field: Lab, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    made = list[str]()

    def slow(_files: object, _seasons: object, wanted: str) -> None:
        made.append(wanted)
        autojump_clock.jump(1)

    monkeypatch.setattr(pages, "STANDINGS_PERIOD", 3)
    monkeypatch.setattr(pages, "make", slow)
    monkeypatch.setattr(pages, "now", lambda: field.now)
    for wanted in "abcdefg":
        field.now += 1
        field.site.accounts.want(wanted)
    with trio.move_on_after(6):
        await pages.work(field.files, {})
    assert "".join(made) == "gfed", "the newest: whoever waits asks again"
    assert field.site.standings["as_of"] == field.now
    made.clear()
    field.now += WANTED_TERM
    with trio.move_on_after(1):
        await pages.work(field.files, {})
    assert not made, "a page that ends this part would end it at each start"


async def test_pages_are_made_although_the_clock_was_put_back(
    field: Lab, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    made = list[str]()
    monkeypatch.setattr(pages, "make", lambda _files, _seasons, wanted: made.append(wanted))
    monkeypatch.setattr(pages, "now", lambda: field.now)
    with trio.move_on_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pages.work, field.files, {})
            for wanted in "abc":
                field.site.accounts.want(wanted)
                await trio.sleep(5)
                field.now -= 3600
    assert made == ["a", "b", "c"]


@pytest.mark.parametrize("wrong", [SavedGameError("1.jsonl", 1, "damaged"), GameError("a game divides by zero")])
async def test_a_page_that_cannot_be_made_is_tried_once_a_start(
    field: Lab, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, wrong: Exception
) -> None:
    monkeypatch.setattr(match_pages, "load", raising(wrong))
    make(field.files, field.site.seasons, "matches/1/m1/arena/0#0")
    answer = await field.ask("GET", "/matches/1/m1%2Farena%2F0%230")
    assert (answer.status, "cannot be shown" in answer.text, 'data-pending=""' in answer.text) == (410, True, False)
    assert field.site.accounts.page_requests(0) == []
    field.files.requests("1", "m1/arena/0#0").write_text("{}")
    (kept := field.files.match("1", "other#0")).write_text("a page")
    with trio.move_on_after(1):
        await pages.work(field.files, {})
    assert list(field.files.matches.glob("*/*")) == [kept]


async def test_a_table_is_written_once_for_each_change_of_its_ledger(
    field: Lab, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    written = list[str]()
    monkeypatch.setattr(pages, "write_standings", lambda *words: written.append(words[3].name))
    with trio.move_on_after(30):
        await pages.work(field.files, {})
    assert written == ["standings.json"]


def fail(lab: Lab) -> Lab:
    """Play two matches in which ann's bot makes a fault; the saved game of the first one is gone."""
    uploads = [lab.upload(name, "bot", name.encode(), "active") for name in ("ann", "bob")]
    detail = 'expected one of U L D R N A, got "<X>"'
    wrong = fault_of(0, "invalid", detail=detail, step=5, request="getAction")
    lab.season(uploads, [(0, 1)] * 2, faults={0: [fault_of(0, "timeout")], 1: [wrong]})
    return lab


@pytest.fixture
def failing(lab: Lab) -> Lab:
    return fail(lab)


async def test_a_fault_has_what_was_sent_and_what_came(failing: Lab) -> None:
    new, old = (await failing.ask("GET", "/api/v1/versions/1/faults", by="ann")).json
    assert (new["kept"], new["ask"], new["answer"]) == (True, "getAction", "<X>")
    assert new["request"].startswith("getAction\n")
    assert "bbe...Wbb" in new["request"]
    assert (old["kept"], old["ask"], old["request"], old["answer"]) == (False, "turn", None, None)
    page = (await failing.ask("GET", "/versions/1", by="ann")).text
    assert "bbe...Wbb" in page
    assert "&lt;X&gt;</pre>" in page
    assert ">not known</p>" in page


async def test_requests_are_read_by_another_process_and_nobody_waits_for_long(
    failing: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, wanted = failing.files.requests("1", "m1/arena/0#0"), "requests/1/m1/arena/0#0"
    file.unlink()
    monkeypatch.setattr(contest, "PATIENCE", 0)
    newest = (await failing.ask("GET", "/api/v1/versions/1/faults", by="ann")).json[0]
    assert (newest["kept"], newest["request"]) == (True, None)
    page = (await failing.ask("GET", "/versions/1", by="ann")).text
    assert ('data-pending=""' in page, "It is being read" in page) == (True, True)
    assert [page for page, _ in failing.site.accounts.page_requests(0)] == [wanted]

    async def read(_seconds: float) -> None:
        make(failing.files, failing.site.seasons, wanted)

    monkeypatch.setattr(contest, "PATIENCE", 60)
    monkeypatch.setattr(site.anyio, "sleep", read)
    newest = (await failing.ask("GET", "/api/v1/versions/1/faults", by="ann")).json[0]
    assert newest["request"].startswith("getAction\n")
    assert 'data-pending=""' not in (await failing.ask("GET", "/versions/1", by="ann")).text


async def test_a_full_disk_hides_no_evidence(failing: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    failing.files.requests("1", "m1/arena/0#0").unlink()
    monkeypatch.setattr(contest, "PATIENCE", 0)
    monkeypatch.setattr(front, "PATIENCE", 0)
    monkeypatch.setattr(failing.site.accounts, "want", raising(DiskError("arena.sqlite cannot be written")))
    match = "/matches/1/m1%2Farena%2F0%230"
    paths = ("/versions/1", "/api/v1/versions/1/faults", match)
    assert [(await failing.ask("GET", path, by="ann")).status for path in paths] == [200, 200, 503]


def test_what_cannot_be_read_or_is_very_long_is_bounded(failing: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    file = failing.files.requests("1", "m1/arena/0#0")
    file.unlink()
    monkeypatch.setattr(pages, "MOST_CHARACTERS", 20)
    make(failing.files, failing.site.seasons, "requests/1/m1/arena/0#0")
    [text] = json.loads(file.read_text()).values()
    assert text.startswith("getAction\n\n…\n")
    assert len(text) == 23
    file.unlink()
    (failing.files.season(1) / "games" / "000002-0.jsonl.gz").write_text("damaged")
    make(failing.files, failing.site.seasons, "requests/1/m1/arena/0#0")
    assert json.loads(file.read_text()) == {}


async def test_duels(field: Lab) -> None:
    async def duel(against: str, bot: str = "bot") -> Any:
        return await field.ask("POST", "/api/v1/duels", by="ann", json_={"bot": bot, "against": against})

    answer = await duel("bob/bot")
    assert (answer.status, answer.json["id"], answer.json["state"]) == (202, 1, "waiting")
    field.versions.put_game("c1", "done", {"verdict": "yes"})
    assert (await field.ask("GET", "/api/v1/duels/1", by="ann")).json == {"id": 1, "state": "done", "verdict": "yes"}
    assert (await duel("ann/bot")).code == "unprocessable"
    assert (await duel("bob/none")).code == "not_found"
    assert (await duel("bob/bot", bot="none")).code == "not_found"
    assert [(await duel("cleo/bot")).status for _ in range(5)] == [202] * 4 + [429]


def events(lab: Lab) -> list[tuple[str, Any]]:
    lines = [event.splitlines() for event in lab.site.events._kept]
    return [(lines_[1].removeprefix("event: "), json.loads(lines_[2].removeprefix("data: "))) for lines_ in lines]


async def test_a_stream_of_events_counts_for_its_address(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab.site.events, "follow", lambda _request, address: JSONResponse(address))
    assert (await lab.ask("GET", "/api/v1/events", address="2001:db8::7")).json == "2001:db8::/64"


async def test_what_other_parts_do_becomes_events(field: Lab) -> None:
    watch = Watch(field.site)
    watch.check()
    watch.check()
    assert events(field) == []
    upload = field.site.accounts.uploads()[0]
    field.decide(upload, "replaced", error="for the author alone")
    watch.check()
    field.season([*field.site.accounts.uploads()[:2]], [(0, 1)], "3")
    watch.check()
    field.now += 1
    field.standings([upload])
    watch.check()
    watch.check()
    change_state(field.files, lambda state: replace(state, state="closed"))
    watch.check()
    watch.check()
    assert [kind for kind, _ in events(field)] == ["version", "match", "standings", "standings"]
    assert events(field)[0][1] == (await field.ask("GET", "/api/v1/versions/1")).json
    assert events(field)[1][1]["names"] == ["ann/bot", "bob/bot"]


async def test_changes_become_events_although_the_clock_was_put_back(field: Lab) -> None:
    watch = Watch(field.site)
    upload = field.site.accounts.uploads()[0]
    for state in ("replaced", "active"):
        field.now += 1
        field.decide(upload, state)
        watch.check()
        field.now -= 3600
    own = [document["state"] for _, document in events(field) if document["id"] == upload.id]
    assert own == ["replaced", "active"], "others may come twice"


async def test_the_table_of_a_season_that_is_over_stays_readable(field: Lab) -> None:
    change_state(field.files, lambda state: replace(state, season=2))
    for path, folder in pages.tables(field.files, 2).items():
        with Tournament(field.files.seasons / folder) as tournament:
            pages.write_standings(field.files, field.versions, tournament, path, field.now)
    assert 'Other tables: <a href="/seasons/1">Season 1</a></p>' in (await field.ask("GET", "/")).text
    text = (await field.ask("GET", "/seasons/1")).text
    assert 'data-bot="bob/bot"' in text
    assert 'data-bot="cleo/bot"' not in text
    assert text.count("/matches/1/") == 4
    assert "/matches/2/" not in text
    met = {"name": "ann/bot", "score": 1.0, "possible": 2, "matches": ["m1/arena/0#0", "m0/arena/0#0"]}
    assert read_json(field.files.bot("cleo/bot"))["rivals"] == [met]
    assert not field.files.bot("bob/bot").exists(), "the pages of bots are about the season that is played"
    for number in ("0", "2", "3", "-1", "x"):
        assert (await field.ask("GET", f"/seasons/{number}")).status == 404


def written_later(path: Path) -> None:
    """A file was written after everything else."""
    path.touch()
    os.utime(path, (2**33, 2**33))


async def test_the_table_of_a_season_that_is_over_is_made_again_only_after_another_match(
    field: Lab, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    change_state(field.files, lambda state: replace(state, season=2))
    write, made, ledger = pages.write_standings, list[str](), field.files.season(1) / LEDGER

    def noted(*values: Any) -> None:
        made.append(values[2].folder.name)
        write(*values)

    monkeypatch.setattr(pages, "write_standings", noted)
    for written in (["2", "1"], ["2"], ["2", "1"]):
        made.clear()
        if written == ["2"]:  # another process has opened the ledger
            written_later(Path(f"{ledger}-wal"))
        with trio.move_on_after(1):
            await pages.work(field.files, {})
        assert made == written
        if written == ["2"]:
            written_later(ledger)
