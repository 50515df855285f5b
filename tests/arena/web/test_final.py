"""The final on the site: what it waits for, how far it is, who won, and the finals before it."""

import re
from dataclasses import replace
from typing import Any

import pytest
from arena.folders import without
from arena.web.lab import Lab

from referee.arena.state import change_state, to_stage
from referee.arena.web.site import Watch


@pytest.fixture
def field(lab: Lab) -> Lab:
    """A season of two bots."""
    lab.season([lab.upload(name, "bot", name.encode(), "active") for name in ("ann", "bob")], [(0, 1)] * 3)
    return lab


def play(lab: Lab, name: str, *, coming: int = 0, table: bool = True) -> None:
    """Make a final of three matches and so many that are not played; without any it is over. Perhaps it has its table."""
    uploads = lab.site.accounts.uploads()
    lab.season(uploads[:2], [(1, 0)] * (3 + coming), name, "round-robin", played=3)
    if table:
        lab.standings(uploads[1::-1])
        lab.files.standings.rename(lab.files.standings_of(name))
    change_state(lab.files, lambda state: replace(state, state="final", final=name))


async def notice(lab: Lab, path: str = "/") -> str:
    """The line about the final."""
    text = (await lab.ask("GET", path)).text
    return text.partition('class="notice">')[2].partition("</p>")[0]


async def test_the_front_page_says_what_the_final_waits_for(field: Lab) -> None:
    change_state(field.files, to_stage("final"))
    assert "The final of about 200 matches waits for the wave of the ladder" in await notice(field)
    assert 'id="lacking"' not in (await field.ask("GET", "/")).text, "the ladder does not go on, whoever comes"
    field.upload("cleo", "bot", b"c")
    assert "waits for 1 upload that came before it." in await notice(field)
    for upload in field.site.accounts.uploads()[1:]:
        field.decide(upload, "failed")
    assert "waits for more bots: a final needs bots of 2 authors that play (now 1)." in await notice(field)


async def test_the_front_page_says_how_far_the_final_is_and_who_won(field: Lab) -> None:
    play(field, "final", coming=4)
    assert '<a href="/seasons/final">The final is being played: 3 of 7 matches.</a>' in await notice(field)
    assert await notice(field, "/seasons/final") == "The final is being played: 3 of 7 matches."
    arena = (await field.ask("GET", "/api/v1/arena")).json
    assert arena["final_progress"] == "The final is being played: 3 of 7 matches."
    change_state(field.files, to_stage("closed"))
    assert "The final was stopped after 3 of 7 matches." in await notice(field)


async def test_the_front_page_says_which_bot_the_rest_of_the_final_waits_for(field: Lab) -> None:
    play(field, "final", coming=4)
    without(field.files.seasons / "final", 1, "java is not installed")
    says = "The final is being played: 3 of 7 matches. 4 matches wait for bob/bot, which cannot play"
    assert says in await notice(field)
    page = (await field.ask("GET", "/seasons/final")).text
    assert (says in page, "java" in page) == (True, False)
    change_state(field.files, to_stage("closed"))
    assert "wait for" not in await notice(field)


async def test_the_winner_is_named_once_the_table_is_there(field: Lab) -> None:
    play(field, "final", table=False)
    assert "The final is over after 3 matches.<" in await notice(field)
    field.standings(field.site.accounts.uploads()[1::-1])
    field.files.standings.rename(field.files.standings_of("final"))
    assert "The final is over after 3 matches: bob/bot won." in await notice(field)


async def test_the_page_of_the_final_says_what_decides(field: Lab) -> None:
    play(field, "final")
    text = (await field.ask("GET", "/seasons/final")).text
    assert "The rating decides the places: two bots of one author never meet" in text
    assert text.index('data-bot="bob/bot"') < text.index('data-bot="ann/bot"')
    assert "/matches/final/m2%2Farena%2F0%230" in text


async def test_earlier_finals_keep_their_pages(field: Lab) -> None:
    play(field, "final", coming=2)
    change_state(field.files, to_stage("open"))
    assert await notice(field) == ""
    assert 'Other tables: <a href="/seasons/final">Final</a>' in (await field.ask("GET", "/")).text
    assert await notice(field, "/seasons/final") == "The final was stopped after 3 of 5 matches."
    newest = (await field.ask("GET", "/api/v1/matches?limit=2")).json["matches"]
    assert {match["season"] for match in newest} == {"1"}  # the season goes on, so its matches are the newest
    play(field, "final-2", coming=1, table=False)
    assert '<a href="/seasons/final">Final</a>' in (await field.ask("GET", "/")).text
    text = (await field.ask("GET", "/seasons/final-2")).text
    assert "3 of 4 matches" in text
    assert 'data-bot="bob/bot"' not in text
    assert "<h1>Final 2</h1>" in text
    assert text.count("/matches/final-2/") == 3
    field.season(field.site.accounts.uploads()[:2], [(0, 1)] * 12, "2")
    text = (await field.ask("GET", "/seasons/final")).text
    assert "The final was stopped after 3 of 5 matches." in text
    assert 'data-bot="bob/bot"' in text
    assert text.count("/matches/final/") == 3, "although newer matches are many"
    for name in ("final-3", "1", "..%2F1"):
        assert (await field.ask("GET", f"/seasons/{name}")).status == 404
    pages, before = [], ""
    while before is not None:
        answer = (await field.ask("GET", "/api/v1/matches?limit=4" + (before and f"&before={before}"))).json
        pages += [match["season"] for match in answer["matches"]]
        before = answer["next"]
    assert pages == ["final-2"] * 3 + ["2"] * 12 + ["1"] * 3 + ["final"] * 3


async def test_a_final_ends_duels(field: Lab) -> None:
    duel = {"bot": "bot", "against": "bob/bot"}
    assert (await field.ask("POST", "/api/v1/duels", by="ann", json_=duel)).status == 202
    change_state(field.files, to_stage("final"))
    refused = await field.ask("POST", "/api/v1/duels", by="ann", json_=duel)
    assert (refused.status, refused.code) == (403, "closed")
    why = "the arena closed before it was played"
    for key in ("c1", "v1"):
        field.versions.put_game(key, "ended", {"error": why})
    assert (await field.ask("GET", "/api/v1/duels/1", by="ann")).json == {"id": 1, "state": "ended", "error": why}
    page = (await field.ask("GET", "/versions/1", by="ann")).text
    assert why in page
    assert "It is being played" not in page


@pytest.mark.parametrize(("state", "document", "words"), [
    ("playing", None, "It is being played."),
    ("waiting", None, "It is played when no upload waits."),
    ("failed", None, "It could not be played."),
    ("done", {"verdict": "undecided", "series": 60, "elo": -0.0, "elo_low": -0.4, "elo_high": 12.0},
     "<strong>no clear difference</strong> Elo +0 (95 %: +0 to +12) after 60 series"),
])  # fmt: skip
async def test_a_duel_says_once_how_far_it_is(field: Lab, state: Any, document: Any, words: str) -> None:
    field.versions.put_game("v1", state, document)
    page = (await field.ask("GET", "/versions/1", by="ann")).text
    assert re.findall(r'<p id="duel"[^>]*>(.*?)</p>', page) == [words]


async def test_open_pages_hear_of_the_table_of_a_final(field: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = list[str]()
    monkeypatch.setattr(field.site.events, "publish", lambda kind, _document: heard.append(kind))
    watch = Watch(field.site)
    play(field, "final", table=False)
    watch.check()
    heard.clear()
    field.files.standings_of("final").parent.mkdir(exist_ok=True)
    field.files.standings_of("final").write_text("{}")
    watch.check()
    watch.check()
    assert heard == ["standings"]
