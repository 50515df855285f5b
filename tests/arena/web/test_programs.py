"""Programs that users draw in the site: drafts, what they are debugged in, and the limits of both."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import anyio
import pytest
from arena.folders import KRAIT, NEWT
from arena.web.conftest import MakeLab
from arena.web.lab import RECORDS, Lab
from web.raw import Reply

from referee.arena.debugging import key_of, saved_game_path
from referee.arena.drafts import DAILY_GAMES, EXTRA_DRAFTS, MOST_GAMES
from referee.arena.web.programs import MOST_QUESTIONS, Desks
from referee.studio.desk import Desk
from referee.web.answers import Refusal

pytestmark = pytest.mark.machine

TEXT = KRAIT.decode()
OTHER = NEWT.decode()
API = "/api/v1/programs"
RIVAL = "newt"


@pytest.fixture
async def lab(drawing: Lab) -> AsyncIterator[Lab]:
    yield drawing
    await drawing.editor.desks.close()


async def ask(lab: Lab, path: str, *, by: str = "ann", **body: Any) -> Reply:
    return await lab.ask("POST", f"{API}/{path}", by=by, json_={"game": "viper", **body})


async def save(lab: Lab, bot: str, text: str, tag: str | None = None, *, by: str = "ann") -> Reply:
    headers = {} if tag is None else {"if-match": tag}
    return await lab.ask("PUT", f"{API}/{bot}", by=by, json_={"text": text}, headers=headers)


async def load(lab: Lab, bot: str, *, by: str = "ann") -> Reply:
    return await lab.ask("GET", f"{API}/{bot}", by=by)


def played(lab: Lab, game: int) -> Path:
    """What intake writes when it has played a game."""
    path = saved_game_path(lab.files, game)
    copyfile(RECORDS / "viper.jsonl", path)
    lab.versions.put_game(key_of(game), "done")
    return path


def facts(page: str) -> Any:
    """What the script of a page begins with."""
    return json.loads(page.partition('id="facts">')[2].partition("</script>")[0])


async def test_a_draft_is_kept_and_not_overwritten_by_another_tab(lab: Lab) -> None:
    new = await load(lab, "dragon")
    assert (new.status, new.json["text"], new.json["file"], new.json["language"]["part"]) == (
        200, None, "dragon.viper", "scheme",
    )  # fmt: skip
    saved = await save(lab, "dragon", TEXT)
    assert saved.status == 200
    again = await load(lab, "DRAGON")
    assert (again.json["text"], again.headers["etag"]) == (TEXT, saved.headers["etag"])
    assert (await save(lab, "dragon", OTHER, saved.headers["etag"])).status == 200
    for tag in (saved.headers["etag"], None):
        assert (await save(lab, "dragon", TEXT, tag)).status == 412
    assert (await load(lab, "dragon")).json["text"] == OTHER
    wrong = await save(lab, "dragon", "nonsense", "*")
    assert (wrong.status, wrong.json["error"]["line"]) == (422, 1)
    assert (await lab.ask("DELETE", f"{API}/dragon", by="ann")).status == 204
    assert (await load(lab, "dragon")).json["text"] is None


async def test_the_newest_version_is_opened_if_there_is_no_draft(lab: Lab) -> None:
    lab.upload("ann", "dragon", KRAIT, "active", file="first.viper")
    loaded = await load(lab, "dragon")
    assert (loaded.status, loaded.json.get("text")) == (200, TEXT), loaded.text
    assert (await load(lab, "dragon", by="bob")).json["text"] is None
    tag = (await load(lab, "dragon")).headers["etag"]
    assert (await save(lab, "dragon", OTHER, tag)).status == 200
    assert (await load(lab, "dragon")).json["text"] == OTHER
    lab.upload("ann", "other", b"print(1)", "active")
    assert (await load(lab, "other")).json["text"] is None


@pytest.mark.parametrize("tests", ["", "[[test]]"])
async def test_a_draft_that_was_submitted_hides_no_later_version(lab: Lab, tests: str) -> None:
    await save(lab, "dragon", TEXT)
    if tests:
        lab.site.drafts.save(1, "dragon", 9, tests=tests)
    versions = "/api/v1/bots/Dragon/versions?file=dragon.viper"
    assert (await lab.ask("POST", versions, by="ann", body=NEWT)).status == 202
    assert (await load(lab, "dragon")).json["text"] == TEXT, "another program was submitted"
    assert (await lab.ask("POST", versions, by="ann", body=KRAIT)).status == 202
    assert lab.site.drafts.draft(1, "dragon") == (None, tests)
    assert lab.site.drafts.bots(1) == (["dragon"] if tests else [])
    assert (await lab.ask("POST", versions, by="ann", body=NEWT)).status == 202
    assert (await load(lab, "dragon")).json["text"] == OTHER


async def test_a_user_has_a_draft_for_each_bot_and_some_more(lab: Lab) -> None:
    most = lab.settings.limits.bots + EXTRA_DRAFTS
    assert [(await save(lab, f"d{at}", TEXT)).status for at in range(most)] == [200] * most
    assert (await save(lab, "more", TEXT)).code == "conflict"
    assert (await save(lab, "d0", OTHER, "*")).status == 200
    assert (await save(lab, "more", TEXT, by="bob")).status == 200
    await lab.ask("DELETE", f"{API}/d0", by="ann")
    assert (await save(lab, "more", TEXT)).status == 200


@pytest.mark.parametrize(("name", "status"), [
    ("newt", 409),
    ("..%2Fx", 422),
])  # fmt: skip
async def test_a_name_that_no_bot_can_have_is_refused(lab: Lab, name: str, status: int) -> None:
    assert (await load(lab, name)).status == status
    assert (await save(lab, name, TEXT)).status == status
    assert (await lab.ask("GET", f"/edit/{name}", by="ann")).status == status
    assert lab.site.drafts.bots(4) == []


async def test_questions_of_the_editor(lab: Lab) -> None:
    parsed = (await ask(lab, "parse", text=TEXT)).json
    written = (await ask(lab, "format", document=parsed["document"], text=TEXT)).json
    assert written["text"] == TEXT
    uploads = [lab.upload(name, "bot", name.encode(), "active") for name in ("ann", "bob")]
    lab.season(uploads, [(0, 1), (0, 1)])
    match = "1/m1/arena/0#0"
    film = await lab.ask("POST", f"{API}/film", by="ann", json_={"match": match})
    assert film.status == 200, film.text
    assert film.json["seats"] == 4
    question = {"text": TEXT, "match": match, "step": 40}
    answer = (await ask(lab, "explain", **question)).json["answer"]
    assert (await ask(lab, "pin", name="dragon", must=answer, **question)).status == 201
    tests = (await ask(lab, "tests", name="dragon", text=TEXT)).json["tests"]
    assert [test["verdict"] for test in tests] == ["pass"]
    assert (await ask(lab, "tests", name="dragon", text=TEXT, by="bob")).json["tests"] == []
    not_kept = await lab.ask("POST", f"{API}/film", by="ann", json_={"match": "1/m0/arena/0#0"})
    assert not_kept.status == 410
    for wrong in ("1/m9/arena/0#0", "debug/1", "debug/x", "../arena.toml", "debug/9999999999999999"):
        refused = await lab.ask("POST", f"{API}/film", by="ann", json_={"match": wrong})
        assert refused.status == 404, wrong


async def test_messages_have_no_path_of_the_server(lab: Lab) -> None:
    saved = await debugged(lab)
    saved.write_bytes(b"no saved game")
    refused = await lab.ask("POST", f"{API}/film", by="ann", json_={"match": "debug/1"})
    assert refused.status == 422
    assert str(lab.files.root) not in refused.text


async def debugged(lab: Lab, *, by: str = "ann", **more: Any) -> Path:
    """A game that was asked for and played."""
    started = await ask(lab, "debug", name="dragon", text=TEXT, rivals=[RIVAL], by=by, **more)
    assert started.status == 202, started.text
    return played(lab, int(started.json["url"].rpartition("/")[2]))


async def test_a_game_to_debug_is_its_users_alone(lab: Lab) -> None:
    own = lab.upload("ann", "worm", KRAIT, "active", file="worm.viper")
    rivals = [RIVAL, str(own.id)]
    started = await ask(lab, "debug", name="dragon", text=TEXT, rivals=rivals, seed=7)
    assert (started.status, started.json["url"]) == (202, "/matches/debug/1")
    described = (await lab.ask("GET", "/api/v1/matches/debug/1", by="ann")).json
    assert (described["state"], described["players"]) == ("queued", ["ann/dragon", RIVAL, "worm, version 1"])
    [game] = lab.site.drafts.games(lab.id("ann"))
    assert (game.name, game.text, game.rivals, game.seed) == ("ann/dragon", TEXT, rivals, 7)
    early = await ask(lab, "debug", name="dragon", text=TEXT, rivals=[RIVAL])
    assert (early.status, early.headers["retry-after"]) == (429, "5")
    played(lab, 1)
    assert (await lab.ask("GET", "/api/v1/matches/debug/1", by="ann")).json["state"] == "done"
    saved = await lab.ask("GET", "/api/v1/matches/debug/1.jsonl.gz", by="ann")
    assert saved.body == (RECORDS / "viper.jsonl").read_bytes()
    page = await lab.ask("GET", "/matches/debug/1", by="ann")
    assert (page.status, page.headers["location"]) == (303, "/edit/dragon?match=debug/1")
    edit = facts((await lab.ask("GET", "/edit/dragon", by="ann")).text)
    assert [match["id"] for match in edit["matches"]] == ["debug/1"]
    assert (edit["matches"][0]["seat"], edit["own"]) == (0, [["1", "worm, version 1"]])
    assert facts((await lab.ask("GET", "/edit/dragon", by="bob")).text)["matches"] == []


async def test_the_editor_offers_the_newest_versions(lab: Lab) -> None:
    for number in range(30):
        lab.upload("ann", "worm", KRAIT + b"\n" * number, "active", file="worm.viper")
    edit = facts((await lab.ask("GET", "/edit/dragon", by="ann")).text)
    assert [number for number, _ in edit["own"]] == [str(number) for number in range(30, 10, -1)]


async def test_pages_of_many_versions_read_no_evidence(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be long: the class of a hundred students whose bots do not compile kept the site busy for seconds."""
    monkeypatch.setattr(lab.site.versions, "evidence", None)
    lab.upload("ann", "worm", KRAIT, "failed", error="it is wrong", file="worm.viper")
    await debugged(lab)
    for path, by in {"/bots/ann/worm": "ann", "/account": "ann", "/edit/dragon": "ann", "/class": "tom"}.items():
        assert (await lab.ask("GET", path, by=by)).status == 200
    with pytest.raises(TypeError):
        await lab.ask("GET", "/versions/1", by="ann")


async def test_a_game_that_failed_says_why(lab: Lab) -> None:
    await ask(lab, "debug", name="dragon", text=TEXT, rivals=[RIVAL])
    lab.versions.put_game(key_of(1), "playing")
    assert (await lab.ask("GET", "/api/v1/matches/debug/1", by="ann")).json["state"] == "queued"
    lab.versions.put_game(key_of(1), "failed", {"error": "no room"})
    described = (await lab.ask("GET", "/api/v1/matches/debug/1", by="ann")).json
    assert (described["state"], described["error"]) == ("failed", "no room")


async def test_rivals_are_samples_and_own_versions(lab: Lab) -> None:
    lab.upload("bob", "worm", KRAIT, "active", file="worm.viper")
    lab.upload("ann", "half", KRAIT, file="half.viper")
    for rivals in (["worm"], ["1"], ["2"], ["../newt"], ["cmd:id"], [], [RIVAL] * 9):
        refused = await ask(lab, "debug", name="dragon", text=TEXT, rivals=rivals)
        assert refused.code == "unprocessable", rivals
    assert lab.site.drafts.newest_games() == []


async def test_the_newest_games_are_kept_and_a_day_has_so_many(lab: Lab) -> None:
    for _ in range(DAILY_GAMES):
        await debugged(lab)
        lab.now += 1
    assert len(lab.site.drafts.newest_games()) == MOST_GAMES
    late = await ask(lab, "debug", name="dragon", text=TEXT, rivals=[RIVAL])
    assert (late.status, int(late.headers["retry-after"])) == (429, 86_400 - DAILY_GAMES)
    await debugged(lab, by="bob")
    lab.now += 86_400
    await debugged(lab)
    assert len(lab.site.drafts.query("SELECT 1 FROM games")) == MOST_GAMES + 1


async def test_matches_of_the_ladder_are_offered(lab: Lab) -> None:
    uploads = [lab.upload(name, "bot", name.encode(), "active") for name in ("ann", "bob", "cleo")]
    lab.season(uploads, [(0, 1), (0, 1), (1, 2), (2, 0)])
    offered = facts((await lab.ask("GET", "/edit/bot", by="ann")).text)["matches"]
    assert [match["id"] for match in offered] == ["1/m3/arena/0#0", "1/m1/arena/0#0"]
    assert offered[0]["players"] == ["cleo/bot", "ann/bot"]
    assert [match["seat"] for match in offered] == [1, 0]


async def test_a_game_without_a_language_has_no_editor(make_lab: MakeLab) -> None:
    lab = make_lab("", "ann")
    lab.upload("ann", "dragon", b"x", "active")
    for path in ("/edit/dragon", f"{API}/dragon"):
        assert (await lab.ask("GET", path, by="ann")).status == 404
    for path in ("/account", "/bots/ann/dragon"):
        assert 'href="/edit/' not in (await lab.ask("GET", path, by="ann")).text


async def test_links_lead_to_the_editor(lab: Lab) -> None:
    lab.upload("ann", "dragon", KRAIT, "active", file="a.viper")
    lab.upload("ann", "written", b"x", "active")
    await save(lab, "sketch", TEXT)
    assert 'href="/edit/dragon"' in (await lab.ask("GET", "/bots/ann/dragon", by="ann")).text
    for bot, by in (("dragon", "tom"), ("written", "ann")):
        assert 'href="/edit/' not in (await lab.ask("GET", f"/bots/ann/{bot}", by=by)).text
    account = (await lab.ask("GET", "/account", by="ann")).text
    assert 'href="/edit/sketch"' in account
    assert 'id="draw"' in account


async def test_the_page_is_the_editors(lab: Lab) -> None:
    page = (await lab.ask("GET", "/edit/dragon", by="ann")).text
    for key in ("charts", "grid", "palette", "groups", "reasons", "tests", "save", "submit"):
        assert f'id="{key}"' in page
    assert 'data-user="ann" data-role="author" data-state="open"' in page
    assert 'href="/account"' in page


async def test_users_take_turns_at_two_processes(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process answers when it is told to; `asked` lists the users whose question it has."""
    asked, go = list[int](), anyio.Semaphore(0)

    async def hold(_desk: Desk, _kind: str, **question: Any) -> dict[str, Any]:
        asked.append(question["user_"])
        await go.acquire()
        return {}

    monkeypatch.setattr(Desk, "ask", hold)
    desks, refused = Desks(lab.files), list[int | None]()

    async def question(user: int) -> None:
        try:
            await desks.ask(user, "parse", user_=user)
        except Refusal as wrong:
            refused.append(wrong.retry_after)

    async with anyio.create_task_group() as tasks:
        for user in (1, 1, 1, 2, 3):
            tasks.start_soon(question, user)
            await anyio.wait_all_tasks_blocked()
        assert asked == [1, 2]
        go.release()
        await anyio.wait_all_tasks_blocked()
        assert asked == [1, 2, 3], "the second question of user 1 waits behind user 3"
        for _ in range(MOST_QUESTIONS):
            tasks.start_soon(question, 1)
        await anyio.wait_all_tasks_blocked()
        assert refused == [10, 10]
        for _ in range(MOST_QUESTIONS + 2):
            go.release()
    assert not desks._questions.total()


async def test_the_texts_of_debug_games_are_not_read_to_find_the_newest(lab: Lab) -> None:
    """Thousands of programs would keep the site busy for 0.1 s at each request for a game."""
    for by in ("ann", "bob"):
        await debugged(lab, by=by)
    drafts, read = lab.site.drafts, set[str]()
    drafts._db.set_authorizer(lambda _action, table, column, *_: read.add(f"{table}.{column}") or 0)
    assert drafts.newest_games() == [1, 2]
    lab.now += 1
    assert drafts.request_game(lab.id("ann"), "ann/dragon", TEXT, [], 1, lab.now) == 3
    assert "games.text" not in read
    assert [game.id for game in drafts.games(lab.id("ann"))] == [1, 3]
    assert "games.text" in read
