"""Pages: text of strangers stays text, policies are strict, the elements that other programs rely on are there."""

import json
import re
from typing import Any

import pytest
import trio
from arena.web.conftest import MakeLab
from arena.web.lab import Lab
from tournament.conftest import fault_of
from tournament.report.reports import elements

from referee import languages
from referee.arena.state import change_state, to_stage
from referee.arena.web.html import front as front_room
from referee.bots import starter
from referee.text.markup import Html, el

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u202e\x1b[31m"
PAGES = (
    "/", "/account", "/bots/ann/dragon", "/versions/1", "/class", "/admin", "/rules", "/rules?lang=ru",
    "/manual/bots", "/join", "/sign-in", "/none",
)  # fmt: skip


def test_a_table_is_drawn_once_for_all_matches_that_end_before_the_next(lab: Lab, monkeypatch: Any) -> None:
    uploads = [lab.upload("ann", "dragon", b"x", "active"), lab.upload("bob", "worm", b"y", "active")]
    drawn = list[int]()

    def draw(rows: Any) -> Html:
        drawn.append(len(rows))
        return el("table")

    monkeypatch.setattr(front_room, "standings_table", draw)
    front = front_room.Front(lab.site)
    for number in (1, 2):
        lab.standings(uploads[:number])
        front._fragments()
        front._fragments()
    assert drawn == [1, 2]


@pytest.fixture
def field(lab: Lab) -> Lab:
    """Everything that can hold text of strangers holds the same hostile text."""
    failure = {"fault": "x", "says": EVIL, "change": EVIL, "sent": [EVIL], "came": EVIL, "stderr": [EVIL]}
    step = {"number": 1, "title": EVIL, "verdict": "fail", "note": EVIL, "warnings": [EVIL], "failure": failure}
    ann = lab.upload("ann", "dragon", b"x", "active", error=EVIL, steps=[step], compiler=[EVIL], note=EVIL)
    bob = lab.upload("bob", "worm", b"y", "active")
    lab.versions.put_game("v1", "done", {"verdict": "yes", "series": 9, "elo": 5.0, "elo_low": None, "elo_high": 9.5})
    fault = fault_of(0, detail=EVIL, request=EVIL, stderr=[EVIL])
    lab.season([ann, bob], [(0, 1), (0, 1)], faults={1: [fault]})
    lab.standings([ann, bob])
    lab.site.accounts.note(EVIL, EVIL)
    lab.site.accounts.invite("dan", "author", EVIL, 60, EVIL)
    return lab


@pytest.mark.parametrize("path", PAGES)
async def test_text_of_strangers_is_text(field: Lab, path: str) -> None:
    page = await field.ask("GET", path, by="root")
    policy = page.headers["content-security-policy"]
    parts = ("default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "unsafe")
    assert [part in policy for part in parts] == [True, True, True, False]
    root = elements(page.text)
    assert len(root.all("script")) == 2, "the facts, and the page's own"
    assert not root.all("img")
    names = {name for node in root.within() for name in node.attributes}
    assert not [name for name in names if name.startswith("on") or name == "style"]
    assert "\u202e" not in page.text
    assert "\x1b" not in page.text
    if path in ("/versions/1", "/admin", "/bots/ann/dragon"):
        assert "&lt;img src=x onerror=alert(1)&gt;" in page.text


@pytest.mark.parametrize("path", [
    "/versions/1%00", "/versions/-1", "/versions/99999999999999999999", "/bots/%E2%80%AE/x", "/bots/ann/..%2F",
    "/%2e%2e/arena.toml",
])  # fmt: skip
async def test_an_odd_address_leads_nowhere(field: Lab, path: str) -> None:
    answer = await field.ask("GET", path)
    assert answer.status == 404
    assert str(field.files.root) not in answer.text


async def test_the_front_page(field: Lab) -> None:
    page = elements((await field.ask("GET", "/", by="ann")).text)
    root = page.one("html").attributes
    assert (root["data-user"], root["data-role"], root["data-state"]) == ("ann", "author", "open")
    assert page.one("table", id="standings").one("tr", data_bot="bob/worm").attributes["data-rank"] == "2"
    assert page.one("li", data_match="m1/arena/0#0").one("a", href="/matches/1/m1%2Farena%2F0%230")


async def test_the_front_page_is_that_of_now(field: Lab) -> None:
    before = (await field.ask("GET", "/")).text
    assert (await field.ask("GET", "/")).text == before
    field.upload("cleo", "new", b"z")
    assert "1 waiting" in (await field.ask("GET", "/")).text
    field.now += 1
    field.standings(field.site.accounts.uploads()[:1])
    assert "bob/worm" not in re.sub("Latest matches.*", "", (await field.ask("GET", "/")).text)


async def test_the_page_of_a_version(field: Lab) -> None:
    text = (await field.ask("GET", "/versions/1", by="ann")).text
    page = elements(text)
    assert page.one("span", id="state").attributes["data-state"] == "active"
    assert page.one("li", data_step="1", data_verdict="fail").all("div", class_="evidence")
    assert page.one("p", id="duel").attributes["data-verdict"] == "yes"
    assert page.one("table", id="faults")
    assert "referee check main.py --game snakecore" in text
    assert "referee ask BOT 1-m1_arena_0_0.jsonl.gz --seat 1 --step 1" in text


@pytest.mark.parametrize(("path", "by", "ids"), [
    ("/sign-in", None, {"sign-in", "failed"}),
    ("/join", None, {"join", "key"}),
    ("/account", "ann", {"upload", "bots", "new-key", "sign-out"}),
    ("/bots/ann/dragon", None, {"versions", "rivals", "maps", "matches"}),
    ("/class", "tom", {"students"}),
    ("/admin", "root", {"users", "invitations", "audit", "invite"}),
])  # fmt: skip
async def test_elements_that_programs_rely_on(field: Lab, path: str, by: str | None, ids: set[str]) -> None:
    page = elements((await field.ask("GET", path, by=by)).text)
    here = [str(node.attributes["id"]) for node in page.within() if "id" in node.attributes]
    assert ids <= set(here)
    assert len(here) == len(set(here))


@pytest.mark.parametrize(("path", "tables"), [
    ("/", {"standings"}),
    ("/account", {"bots"}),
    ("/bots/cleo/new", {"rivals", "maps", "matches"}),
    ("/versions/1", {"faults"}),
    ("/admin", {"invitations"}),
])  # fmt: skip
async def test_an_empty_table_is_a_table_that_says_so(lab: Lab, path: str, tables: set[str]) -> None:
    lab.upload("cleo", "new", b"z")
    text = (await lab.ask("GET", path, by="cleo" if path == "/versions/1" else "root")).text
    empty = r'<caption class="hint">[^<]+\.</caption><thead>.*</thead><tbody></tbody>'
    found = {
        elements(it).one("table").attributes.get("id")
        for it in re.findall("<table.*?</table>", text)
        if re.search(empty, it)
    }
    assert tables <= found


async def test_every_control_has_a_name(field: Lab) -> None:
    buttons = list[str]()
    for path in PAGES:
        text = (await field.ask("GET", path, by="root")).text
        buttons += re.findall(r"<button[^>]*>(.*?)</button>", text)
        for node in elements(text).within():
            if node.attributes.get("tabindex") == "0":
                assert node.attributes.get("aria-label") or "class" not in node.attributes
    assert all(buttons)
    assert len(buttons) > 10


async def test_the_page_of_a_bot_links_to_matches(field: Lab) -> None:
    present, gone = "m1/arena/0#0", "m0/arena/0#0"
    path = field.files.bot("ann/dragon")
    path.parent.mkdir(parents=True)
    points = [[at, 9.0, None, None, 1] for at in (1.0, 2.0, 3.0)]
    rival = {"name": "bob/worm", "score": 2.0, "possible": 2, "matches": [present, gone]}
    for rating, charts in ((points[:2], 0), (points, 1)):
        path.write_text(json.dumps({"rating": rating, "rivals": [rival], "maps": []}))
        page = (await field.ask("GET", "/bots/ann/dragon")).text
        assert page.count('class="rating"') == charts
    assert page.count('href="/matches/1/m1%2Farena%2F0%230"') == 2, "with its rival and among the last matches"
    assert page.count('href="/matches/1/m0%2Farena%2F0%230"') == 1, "with its rival only: its saved game is not kept"
    assert (page.count('data-match="m0/arena/0#0"'), page.count("<td>won</td>")) == (1, 2)
    lost = (await field.ask("GET", "/bots/bob/worm")).text
    assert lost.count("<td>lost</td>") == 2
    assert "It has met no rival this season." in lost


@pytest.mark.parametrize("path", ["/rules", "/rules?lang=ru", "/manual/bots"])
async def test_links_between_the_rules_and_the_manual_lead_to_pages_of_the_site(lab: Lab, path: str) -> None:
    links = [str(link.attributes["href"]) for link in elements((await lab.ask("GET", path)).text).all("a")]
    own = {link.partition("#")[0] for link in links if link.startswith(("/rules", "/manual"))}
    assert [link for link in links if link.endswith(".md")] == []
    assert "/manual/protocol" in own
    assert {(await lab.ask("GET", link)).status for link in own} == {200}


@pytest.mark.parametrize("game", ["snakecore", "viper"])
async def test_languages_without_a_starter_kit_are_named_if_there_are_any(make_lab: MakeLab, game: str) -> None:
    lab = make_lab(game=game)
    page = (await lab.ask("GET", "/rules")).text
    without = {entry.name for entry in languages.every()}.difference(starter.languages_for(game))
    assert ("A bot may also be written in " in page) is bool(without)


@pytest.mark.parametrize("page", ["none", "..%2Fprotocol", "%2E%2E%2FREADME", "bots.md"])
async def test_the_manual_has_only_its_pages(lab: Lab, page: str) -> None:
    assert (await lab.ask("GET", f"/manual/{page}")).status == 404


async def test_a_class_has_each_student_with_each_bot(field: Lab) -> None:
    field.upload("ann", "dragon", b"z", "failed", error=f"{field.files.root}/intake/1/main.py: no answer")
    field.upload("ann", "mole", b"w")
    field.now += 1
    page = (await field.ask("GET", "/class", by="tom")).text
    rows = [
        (attrs.get("data-user"), attrs.get("data-bot"), re.findall(r'data-state="(\w+)"', text))
        for text in page.split("<tr")[2:]
        for attrs in [dict(re.findall(r'([\w-]+)="([^"]*)"', text.partition(">")[0]))]
    ]
    assert rows == [("ann", "ann/mole", ["waiting"]), (None, "ann/dragon", ["failed"]), ("bob", "bob/worm", ["active"])]
    assert "main.py: no answer" in page
    assert str(field.files.root) not in page
    assert "no upload yet" in (await field.ask("GET", "/class", by="root")).text, "cleo is of no class"
    field.user("tess", "teacher")
    assert "cleo" not in (await field.ask("GET", "/class", by="tess")).text


async def test_others_are_answered_while_a_page_of_many_students_is_made(lab: Lab) -> None:
    for number in range(20):
        lab.user(f"student{number}")
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    async with trio.open_nursery() as nursery:
        nursery.start_soon(others)
        assert "student19" in (await lab.ask("GET", "/class", by="root")).text
        nursery.cancel_scope.cancel()
    assert turns >= 20


@pytest.mark.parametrize(("state", "forms"), [("open", 2), ("closed", 0), ("final", 0)])
async def test_who_cannot_upload_is_offered_no_form(drawing: Lab, state: Any, forms: int) -> None:
    change_state(drawing.files, to_stage(state))
    page = elements((await drawing.ask("GET", "/account", by="ann")).text)
    assert len([form for key in ("upload", "draw") for form in page.all("form", id=key)]) == forms
    assert len(page.all("p", id="closed")) == (not forms)


async def test_the_front_page_says_until_when_uploads_are_taken(make_lab: MakeLab) -> None:
    arena = make_lab("opens = 2001-01-01T00:00:00Z\ncloses = 2999-12-14T18:00:00Z\n")
    assert "Uploads are taken until 2999-12-14 18:00 UTC." in re.sub("<[^>]*>", "", (await arena.ask("GET", "/")).text)


async def test_no_admin_is_offered_to_lock_himself_out(lab: Lab) -> None:
    text = (await lab.ask("GET", "/admin", by="root")).text
    deeds = {
        row["user"]: re.findall(r'data-deed="(\w+)"', row[0])
        for row in re.finditer(r'<tr data-user="(?P<user>\w+)".*?</tr>', text)
    }
    assert deeds["root"] == ["key"]
    assert deeds["ann"] == ["key", "disable", "delete"]


async def test_versions_are_counted_once_for_all_readers(field: Lab) -> None:
    asked = list[str]()
    field.site.versions._db.set_trace_callback(asked.append)
    for _ in range(20):
        field.now += 1
        assert (await field.ask("GET", "/")).status == 200
        assert (await field.ask("GET", "/api/v1/arena")).json["entrants"] == 2
    assert sum("count(*)" in question for question in asked) == 1
    field.upload("cleo", "dragon", b"z", "checking")
    arena = (await field.ask("GET", "/api/v1/arena")).json
    assert (arena["entrants"], arena["waiting"]) == (2, 1)


async def test_pages_of_users_read_the_newest_upload_of_each_bot(field: Lab) -> None:
    for number in range(30):
        field.upload("ann", "dragon", b"%d" % number, "active")
    accounts, read = field.site.accounts, list[int]()
    uploads = accounts.uploads
    accounts.uploads = lambda *which: (read.extend([1] * len(found := uploads(*which))), found)[1]  # type: ignore[method-assign]
    for path, by in {"/account": "ann", "/class": "tom"}.items():
        read.clear()
        page = await field.ask("GET", path, by=by)
        assert "version 31" in page.text
        assert len(read) <= 2, path
