"""Matches by the API of a real studio: played, watched, left, saved; and what a studio refuses."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from studio.studios import OVER, Studio, opened
from web.raw import Client

from referee.saved.record import load
from referee.saved.replay import Replay

pytestmark = pytest.mark.machine
WORDS = ["./bots/adder", "krait"]
NEW = {"game": "viper", "seats": WORDS, "seed": 5, "rounds": 3}


@pytest.fixture(scope="module")
def match(studio: Studio) -> dict[str, Any]:
    """A match that is over."""
    return studio.played(studio.start("matches", NEW))


def test_a_match_ends_as_play_says(studio: Studio, match: dict[str, Any]) -> None:
    done = studio.command("play", *WORDS, "--game=viper", "--seed=5", "--rounds=3", "--json", "-q", "-o", "same.jsonl")
    expected, result = json.loads(done.stdout), match["result"]
    (studio.folder / "same.jsonl").unlink()
    assert result.keys() <= expected.keys()
    for differs in ("saved", "again"):
        expected.pop(differs)
    for player in (*expected["players"], *result["players"]):
        player.pop("time")
    assert {key: result[key] for key in expected} == expected
    assert match["url"] == f"/matches/{match['id']}"


def test_a_match_is_listed_first_and_its_saved_game_is_proof(studio: Studio, match: dict[str, Any]) -> None:
    listed = studio.get("/api/v1/matches").json["matches"]
    assert listed[0]["id"] == match["id"]
    assert "viper.jsonl" in [entry.get("file") for entry in listed]
    replay = Replay(load(match["result"]["saved"]))
    assert replay.record.result is not None
    assert len(replay.steps) == match["result"]["steps"]


def test_a_match_is_played_again_by_the_same_players(studio: Studio, match: dict[str, Any]) -> None:
    page = studio.get(f"/?again={match['id']}").body.decode()
    facts = json.loads(page.partition('id="facts"')[2].partition(">")[2].partition("</script>")[0])
    assert facts["main"] == "viper"
    assert facts["games"]["viper"]["usual"] == ["./bots/adder", "./bots/krait"], "bots of the folder before samples"
    assert studio.get("/?again=0").status == 404


def test_a_match_is_a_page_a_film_and_a_file(studio: Studio, match: dict[str, Any]) -> None:
    page = studio.get(match["url"])
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert policy.endswith("; sandbox allow-scripts; frame-ancestors 'none'")
    assert studio.get(match["url"]).body == page.body
    film = studio.get(f"/api/v1{match['url']}.gif")
    assert film.body[:6] == b"GIF89a"
    assert (
        f'filename="{Path(match["result"]["saved"]).name.partition(".")[0]}.gif"' in film.headers["content-disposition"]
    )
    file = studio.get(f"/api/v1{match['url']}.jsonl.gz")
    assert file.body == Path(match["result"]["saved"]).read_bytes()
    assert gzip.decompress(file.body).startswith(b'{"type":"header"')
    assert file.headers["content-type"] == "application/gzip"
    listed = studio.get("/api/v1/matches").json["matches"]
    (plain,) = [entry["id"] for entry in listed if entry.get("file") == "viper.jsonl"]
    assert studio.get(f"/api/v1/matches/{plain}.jsonl.gz").headers["content-type"] == "application/jsonl"
    assert f'filename="{Path(match["result"]["saved"]).name}"' in file.headers["content-disposition"]


def test_a_page_without_a_saved_game_says_why(studio: Studio) -> None:
    (studio.folder / "damaged.jsonl").write_bytes((studio.folder / "viper.jsonl").read_bytes().replace(b'"L"', b'"R"'))
    listed = studio.get("/api/v1/matches").json["matches"]
    damaged = next(entry for entry in listed if entry.get("file") == "damaged.jsonl")
    reply = studio.get(damaged["url"])
    (studio.folder / "damaged.jsonl").unlink()
    assert reply.status == 422
    assert "damaged.jsonl" in reply.text
    assert studio.get(damaged["url"]).status == 404


@pytest.mark.parametrize("path", [
    "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/matches/..%2f..%2fetc%2fpasswd", "/matches/%00",
    "/matches/%ff", "/api/v1/matches/%2e%2e.gif", "/api/v1/matches/..%2fviper.jsonl.gz",
    "/api/v1/matches/viper.jsonl.gz", "/check/..%2f..%2fbots", "/check/nothing", "/check/etc", "//127.0.0.1/",
    "/api/v1/checks/0", "/api/v1/comparisons/0", "/api/v1/matches/0/live",
])  # fmt: skip
def test_nothing_else_has_an_address(studio: Studio, path: str) -> None:
    assert studio.get(path).status == 404


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/"), ("GET", "/api/v1/bots"), ("GET", "/api/v1/events"), ("POST", "/api/v1/matches")]
)
def test_a_stranger_gets_nothing(studio: Studio, method: str, path: str) -> None:
    for token in (None, "0" * 32):
        reply = Client(studio.port, token).call(method, path, None if method == "GET" else NEW)
        assert reply.status == 401
        assert b"adder" not in reply.body


def test_get_changes_nothing(studio: Studio) -> None:
    before = studio.get("/api/v1/matches").json
    for path in ("matches/0/leave", "matches/0/answers", "checks", "comparisons", "questions"):
        assert studio.get(f"/api/v1/{path}").status == 405
    assert studio.get("/api/v1/matches").json == before


@pytest.mark.parametrize(("wrong", "status"), [
    ({"seats": []}, 400),
    ({"seats": ["adder"] * 17}, 400),
    ({"seats": ["x" * 501]}, 400),
    ({"seats": "adder"}, 400),
    ({"seats": [""]}, 400),
    ({"seed": -1}, 400),
    ({"seed": 2**63}, 400),
    ({"rounds": 0}, 400),
    ({"saved": "/tmp/x.jsonl"}, 400),
    ({"game": "chess"}, 422),
])  # fmt: skip
def test_requests_that_make_no_sense_start_nothing(studio: Studio, wrong: dict[str, Any], status: int) -> None:
    before = studio.get("/api/v1/matches").json
    assert studio.post("/api/v1/matches", {**NEW, **wrong}).status == status
    assert studio.get("/api/v1/matches").json == before


@pytest.mark.parametrize(("seats", "says"), [
    (["adder"] * 16, "not 16"),
    (["--help\u001b[31m", "-x"], "there is no bot '--help"),
])  # fmt: skip
def test_words_that_name_no_bot_fail_in_words_of_the_command(studio: Studio, seats: list[str], says: str) -> None:
    failed = studio.played(studio.start("matches", {**NEW, "seats": seats}))
    assert failed["state"] == "failed"
    assert says in failed["error"]
    assert "\x1b" not in failed["error"]
    assert studio.get(failed["url"]).status == 200


def test_events_tell_all_of_a_match_in_order(studio: Studio) -> None:
    with studio.following() as events:
        match = studio.start("matches", {**NEW, "rounds": 40})
        heard = []
        for event in events:
            if event["id"] == match["id"]:
                heard.append(event)
                if event.get("state") == "done":
                    break
    numbers = [event["number"] for event in heard]
    steps = [event for event in heard if event["kind"] == "step"]
    assert numbers == sorted(set(numbers))
    assert [heard[0]["kind"], heard[0]["state"]] == ["match", "playing"]
    assert heard[-2] is steps[-1]
    assert [bool(step["over"]) for step in steps] == [*[False] * (len(steps) - 1), True]
    assert [step["step"] for step in steps] == sorted({step["step"] for step in steps})
    assert len(steps) < steps[-1]["step"], "at most ten a second"


def answered(studio: Studio, match: dict[str, Any]) -> int:
    """Answer for all people, always by the first control, until the match is over; the number of answers."""
    answers = 0
    with studio.following() as events:
        for event in events:
            if event.get("state") in OVER:
                return answers
            if event["kind"] != "step" or event["turn"] is None:
                continue
            seat, choice = event["turn"]["seat"], event["turn"]["choices"][0]
            while choice["then"]:
                choice = choice["then"][0]
            answer = {"seat": seat, "step": event["step"], "answer": choice["answer"]}
            for wrong in ({"seat": (seat + 1) % 4}, {"step": event["step"] + 1}, {"answer": "nonsense"}):
                assert studio.post(f"/api/v1{match['url']}/answers", {**answer, **wrong}).status == 202, "dropped"
            assert studio.post(f"/api/v1{match['url']}/answers", answer).status == 202
            answers += 1
    raise AssertionError("the stream has ended")


@pytest.mark.parametrize(
    ("game", "seats", "rounds"),
    [("viper", ["human", "adder", "human", "krait"], 2), ("egghunt", ["human", "human"], 1)],
)
def test_people_play_and_the_saved_game_is_proof(studio: Studio, game: str, seats: list[str], rounds: int) -> None:
    match = studio.start("matches", {"game": game, "seats": seats, "seed": 1, "rounds": rounds})
    answers = answered(studio, match)
    over = studio.played(match)
    assert (over["state"], over["people"]) == ("done", True), over
    replay = Replay(load(over["result"]["saved"]))
    people = [seat for seat, word in enumerate(seats) if word == "human"]
    asked = [
        answer for step in replay.steps for answer in step.answers if answer.seat in people and step.ask != "getName"
    ]
    assert answers == len(asked)
    assert replay.record.result is not None


def test_a_person_gives_up(studio: Studio) -> None:
    match = studio.start("matches", {**NEW, "seats": ["human", "adder"]})
    studio.until(f"/api/v1/matches/{match['id']}/live", lambda live: live and live.get("turn"))
    assert studio.post(f"/api/v1/matches/{match['id']}/leave", {}).status == 202
    left = studio.played(match)
    assert (left["state"], left["result"]["reason"]) == ("done", "interrupted")
    replay = Replay(load(left["result"]["saved"]))
    assert len(replay.steps) == left["result"]["steps"]
    assert studio.get(left["url"]).status == 200
    assert studio.post(f"/api/v1/matches/{match['id']}/leave", {}).status == 404


def test_a_match_that_waits_is_taken_back(studio: Studio) -> None:
    slow = {**NEW, "seats": ["cmd:sleep 60"] * 2}
    matches = [studio.start("matches", slow) for _ in range(2 + (os.cpu_count() or 1) // 2)]
    assert studio.get(f"/api/v1/matches/{matches[-1]['id']}").json["state"] == "queued"
    for match in reversed(matches):
        assert studio.post(f"/api/v1/matches/{match['id']}/leave", {}).status == 202
    last = studio.played(matches[-1])
    assert (last["state"], last["error"]) == ("failed", "it was stopped")
    assert studio.post(f"/api/v1/matches/{matches[-1]['id']}/leave", {}).status == 404
    for match in matches:
        studio.played(match)


def test_a_folder_of_a_stranger_is_only_read(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("json", "anyio", "referee", "trio"):
        (folder / f"{name}.py").write_text("raise SystemExit('a module of the folder')")
    with opened(folder, tmp_path / "home") as studio:
        over = studio.played(studio.start("matches", {**NEW, "seats": ["adder", "krait"]}))
        assert (over["state"], over.get("error")) == ("done", None)
        assert studio.get(over["url"]).status == 200
        assert sorted(path.name for path in folder.iterdir()) == ["anyio.py", "json.py", "referee.py", "trio.py"]
