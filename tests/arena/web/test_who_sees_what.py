"""Each address, asked for by each role. Who may not see something gets the answer for what is not there."""

from collections.abc import AsyncIterator
from errno import EIO
from shutil import copyfile
from typing import Any

import pytest
from arena.web.conftest import MakeLab
from arena.web.lab import RECORDS, Lab
from raising import raising
from tournament.conftest import fault_of
from web.raw import Reply

from referee.arena.debugging import key_of, saved_game_path
from referee.tournament.database import DiskError, LedgerError

ROWS = ["-- -- -- -- -- -- --"] * 6 + ["^^ -- -- -- -- -- --"]
DRAFT = "\n".join(["name: ann's scheme", "scheme and:", *ROWS, ""])
SECRETS = ("print('ann')", "ann's stderr", "ann's compiler", "ann's step", "ann's error", "ann's fault", "ann's note")
WHO = (None, "cleo", "bob", "ann", "tom", "other", "root")
"""A stranger, an author, another author of ann's class, ann herself, the teacher of the class, that of another one, an admin."""
EVERYBODY = "200 200 200 200 200 200 200"
NOBODY = "404 404 404 404 404 404 404"
MINE = "401 404 404 200 404 404 404"
SIGNED_IN = "401 200 200 200 200 200 200"
EVIDENCE = "404 404 404 200 200 404 200"
PUBLIC = (
    "/", "/rules", "/join", "/sign-in", "/manual/protocol", "/kits/python.zip", "/bots/ann/dragon", "/versions/1",
    "/api/v1/arena", "/api/v1/standings", "/api/v1/matches", "/api/v1/matches/1/m1%2Farena%2F0%230",
    "/api/v1/matches/1/m1%2Farena%2F0%230.jsonl.gz", "/api/v1/versions/1",
)  # fmt: skip
ABSENT = ("/bots/ann/none", "/versions/99", "/nothing", "/api/v1/versions/99/source")
TABLE = {
    **dict.fromkeys(PUBLIC, EVERYBODY),
    **dict.fromkeys(ABSENT, NOBODY),
    "/account": SIGNED_IN,
    "/class": "401 404 404 404 200 200 200",
    "/admin": "401 404 404 404 404 404 200",
    "/api/v1/versions/1/source": EVIDENCE,
    "/api/v1/versions/1/faults": EVIDENCE,
    "/api/v1/me": SIGNED_IN,
    "/api/v1/duels/1": MINE,
}
CHANGES = {
    ("POST", "/api/v1/users"): "401 404 404 404 404 404 201",
    ("PUT", "/api/v1/users/bob"): "401 404 404 404 404 404 200",
    ("POST", "/api/v1/users/bob/keys"): "401 404 404 404 404 404 201",
    ("DELETE", "/api/v1/users/cleo"): "401 404 404 404 404 404 204",
    ("DELETE", "/api/v1/bots/dragon"): "401 404 404 204 404 404 404",
}
PROGRAMS = {
    "/edit/dragon": SIGNED_IN,
    "/api/v1/programs/dragon": SIGNED_IN,
    "/matches/debug/1": MINE.replace("200", "303"),
    "/matches/debug/2": "401 404 404 404 404 404 404",
    "/api/v1/matches/debug/1": MINE,
    "/api/v1/matches/debug/1.jsonl.gz": MINE,
    "/api/v1/matches/debug/2.jsonl.gz": "401 404 404 404 404 404 404",
}


@pytest.fixture
def field(lab: Lab) -> Lab:
    """A bot of ann's with evidence of all kinds, one of bob's, and matches between them."""
    lab.user("other", "teacher", "4a")
    step = {"number": 1, "title": "ann's step", "verdict": "pass", "note": "", "warnings": [], "failure": None}
    more = {"error": "ann's error", "steps": [step], "compiler": ["ann's compiler"], "note": "ann's note"}
    ann = lab.upload("ann", "dragon", b"print('ann')", "active", **more)
    bob = lab.upload("bob", "worm", b"print('bob')", "active")
    fault = fault_of(0, detail="ann's fault", stderr=["ann's stderr"])
    lab.season([ann, bob], [(0, 1), (0, 1), (1, 0)], faults={1: [fault]})
    lab.standings([ann, bob])
    [user] = lab.site.accounts.users("name = 'ann'")
    lab.site.accounts.challenge(user, ann.id, bob.id)
    return lab


async def ask_all(lab: Lab, method: str, path: str, statuses: str, body: Any = None) -> list[Reply]:
    """The answers to each role, which have these statuses."""
    answers = [await lab.ask(method, path, by=by, json_=body) for by in WHO]
    assert " ".join(str(answer.status) for answer in answers) == statuses, path
    return answers


@pytest.mark.parametrize("path", TABLE)
async def test_who_may_read(field: Lab, path: str) -> None:
    answers = await ask_all(field, "GET", path, TABLE[path])
    for by, answer in zip(WHO, answers, strict=True):
        if by not in ("ann", "tom", "root"):
            assert not [secret for secret in SECRETS if secret.encode() in answer.body]


@pytest.mark.parametrize(("method", "path"), CHANGES)
async def test_who_may_change(field: Lab, method: str, path: str) -> None:
    body = {"POST": {"name": "new"}, "PUT": {"disabled": True}}.get(method)
    await ask_all(field, method, path, CHANGES[method, path], body)


@pytest.fixture
async def drawn(drawing: Lab) -> AsyncIterator[Lab]:
    """A draft of ann's with a test, and a game that she debugs in."""
    drawing.user("other", "teacher", "4a")
    ann = drawing.id("ann")
    drawing.site.drafts.save(ann, "dragon", 9, text=DRAFT, tests="# ann's test")
    drawing.site.drafts.request_game(ann, "ann/dragon", DRAFT, ["newt"], 1, drawing.now)
    copyfile(RECORDS / "viper.jsonl", saved_game_path(drawing.files, 1))
    drawing.versions.put_game(key_of(1), "done")
    yield drawing
    await drawing.editor.desks.close()


@pytest.mark.machine
@pytest.mark.parametrize("path", PROGRAMS)
async def test_drafts_and_debug_games_are_their_users(drawn: Lab, path: str) -> None:
    answers = await ask_all(drawn, "GET", path, PROGRAMS[path])
    for by, answer in zip(WHO, answers, strict=True):
        assert ("ann's scheme" in answer.text) == (by == "ann" and path == "/api/v1/programs/dragon")
        assert by == "ann" or "debug/1" not in answer.text


@pytest.mark.machine
async def test_nobody_asks_about_what_others_draw(drawn: Lab) -> None:
    """What is asked about ann's debug game is answered for ann alone; drafts and tests are those of who asks."""
    text, moment = {"game": "viper", "text": DRAFT}, {"match": "debug/1", "step": 5}
    document = {"name": "x", "charts": [{"kind": "and", "rows": ROWS}]}
    for kind, statuses, body in (
        ("parse", SIGNED_IN, text),
        ("format", SIGNED_IN, {"game": "viper", "document": document}),
        ("explain", MINE, {**text, **moment}),
        ("film", MINE, {"match": "debug/1"}),
        ("tests", SIGNED_IN, {**text, "name": "dragon"}),
        ("unpin", SIGNED_IN.replace("200", "422"), {"name": "dragon", "number": 1}),
        ("pin", MINE.replace("200", "201"), {**text, **moment, "name": "dragon", "must": "U"}),
        ("debug", SIGNED_IN.replace("200", "202"), {**text, "name": "dragon", "rivals": ["newt"]}),
    ):
        await ask_all(drawn, "POST", f"/api/v1/programs/{kind}", statuses, body)


@pytest.mark.machine
@pytest.mark.parametrize(
    ("method", "status"), [("PUT", "401 200 200 412 200 200 200"), ("DELETE", "401 204 204 204 204 204 204")]
)
async def test_everybody_changes_drafts_of_ones_own(drawn: Lab, method: str, status: str) -> None:
    body = {"text": DRAFT} if method == "PUT" else None
    await ask_all(drawn, method, "/api/v1/programs/dragon", status, body)
    assert drawn.site.drafts.bots(drawn.id("ann")) == (["dragon"] if method == "PUT" else [])


async def test_the_evidence_is_on_the_pages_of_who_may_see_it(field: Lab) -> None:
    page = (await field.ask("GET", "/versions/1", by="tom")).text
    for secret in SECRETS[1:]:
        assert secret in page, secret
    assert 'data-step="1" data-verdict="pass"' in page


@pytest.mark.parametrize("path", sorted({*TABLE} - {"/join", "/sign-in"}))
async def test_strangers_see_nothing_of_an_arena_that_is_not_public(make_lab: MakeLab, path: str) -> None:
    lab = make_lab("public = false\n", "ann")
    lab.upload("ann", "dragon", b"x", "active")
    assert (await lab.ask("GET", path)).status == 401
    assert (await lab.ask("GET", "/", by="ann")).status == 200


async def test_what_others_have_and_what_is_not_there_get_equal_answers(field: Lab) -> None:
    for there, not_there in (("/api/v1/versions/1/source", "/api/v1/versions/99/source"), ("/admin", "/nothing")):
        one, other = [await field.ask("GET", path, by="bob") for path in (there, not_there)]
        assert (one.status, one.body) == (other.status, other.body)
    keys = [("ann", "wrong"), ("nobody", "wrong"), ("bob", field.keys["ann"])]
    answers = [await field.ask("POST", "/api/v1/sign-in", json_={"name": name, "key": key}) for name, key in keys]
    assert len({(answer.status, answer.body) for answer in answers}) == 1
    assert "ask the organiser for a new one" in answers[0].text


@pytest.mark.parametrize("path", ["/", "/api/v1/matches"])
@pytest.mark.parametrize(
    ("kind", "status"), [(LedgerError, 422), (DiskError, 507), (OSError, 422)], ids=["damaged", "full", "unreadable"]
)
async def test_an_error_names_no_place(
    field: Lab, monkeypatch: pytest.MonkeyPatch, path: str, kind: type[Exception], status: int
) -> None:
    place = field.files.season(1) / "ledger.sqlite"
    error = OSError(EIO, "broken", str(place)) if kind is OSError else kind(f"{place} is damaged")
    monkeypatch.setattr(field.site.seasons, "newest_matches", raising(error))
    answer = await field.ask("GET", path)
    assert (answer.status, str(field.files.root) in answer.text) == (status, False)
    assert ("…/ledger.sqlite" if status == 422 else "s disk is full: nothing has changed") in answer.text


async def test_an_anonymous_arena_shows_no_author(make_lab: MakeLab) -> None:
    lab = make_lab("anonymous = true\n", "secretive", "bob")
    uploads = [lab.upload("secretive", "dragon", b"x", "active"), lab.upload("bob", "worm", b"y", "active")]
    lab.season(uploads, [(0, 1), (1, 0)])
    lab.standings(uploads)
    paths = ("/", "/bots/~1/dragon", "/versions/1", "/api/v1/standings", "/api/v1/matches", "/api/v1/versions/1")
    for path in paths:
        answer = await lab.ask("GET", path, by="bob")
        assert answer.status == 200
        assert "secretive" not in answer.text
    assert "<bdi>dragon</bdi> – <bdi>worm</bdi>" in (await lab.ask("GET", "/")).text
    for author in ("secretive", "1", "~1.0", "~+1", "~"):
        assert (await lab.ask("GET", f"/bots/{author}/dragon", by="bob")).status == 404
    lab.user("root", "admin")
    assert 'data-user="secretive" data-bot="~1/dragon"' in (await lab.ask("GET", "/class", by="root")).text
