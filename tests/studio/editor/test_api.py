"""The API of programs, without a browser."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from studio.editor.conftest import HERE, SAMPLES
from studio.studios import Studio, opened

from referee.errors import UsageError
from referee.studio.command import edit

pytestmark = pytest.mark.machine

KRAIT = (HERE / "bots" / "krait" / "krait.viper").read_text()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_that_is_loaded_and_saved_keeps_its_bytes(studio: Studio, folder: Path, sample: Path) -> None:
    loaded = studio.ask("GET", f"programs/{sample.stem}")
    assert loaded.status == 200
    text = {"game": loaded.json["game"], "document": loaded.json["document"], "text": loaded.json["text"]}
    written = studio.ask("POST", "programs/format", text).json["text"]
    saved = studio.ask("PUT", f"programs/{sample.stem}", {"text": written}, If_Match=loaded.tag)
    assert (saved.status, saved.tag) == (200, loaded.tag)
    assert (folder / sample.name).read_bytes() == sample.read_bytes()


@pytest.mark.parametrize("path", ["/", "/compare", "/edit/krait", "/edit/new.viper"])
def test_every_page_is_whole(studio: Studio, folder: Path, path: str) -> None:
    page = studio.get(path)
    text = page.body.decode()
    assert (page.status, text.count("<style>"), text.count("</html>")) == (200, 1, 1), text[:500]
    assert "<noscript><p>Without JavaScript, " in text


def test_a_cell_that_is_painted_is_one_cell_of_the_text(studio: Studio) -> None:
    document = studio.ask("POST", "programs/parse", {"game": "viper", "text": KRAIT}).json["document"]
    document["charts"][0]["rows"][0] = "Zw -- -- -- -- -- --"
    written = studio.ask("POST", "programs/format", {"game": "viper", "document": document, "text": KRAIT}).json
    before, after = KRAIT.split("\n"), written["text"].split("\n")
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == [
        ("-- -- -- -- -- -- --", "Zw -- -- -- -- -- --")
    ]
    assert "4 up, 3 left" in written["document"]["charts"][0]["reads"]


def test_a_wrong_text_is_refused_with_line_and_column(studio: Studio, folder: Path) -> None:
    wrong = KRAIT.replace("-- Z- --", "-- Q- --", 1)
    asked = studio.ask("POST", "programs/parse", {"game": "viper", "text": wrong})
    assert asked.status == 422
    error = asked.json["error"]
    assert (error["code"], error["line"], error["column"]) == ("unprocessable", 8, 10)
    assert error["message"].startswith("'Q' is not an element")
    tag = studio.ask("GET", "programs/krait").tag
    assert studio.ask("PUT", "programs/krait", {"text": wrong}, If_Match=tag).status == 422
    assert (folder / "krait.viper").read_text() == KRAIT


def test_reasons_are_those_of_program_test(studio: Studio, folder: Path) -> None:
    steps = [5, 20, 40]
    for step in steps:
        question = {"game": "viper", "text": KRAIT, "match": studio.match_of("viper.jsonl"), "step": step}
        answer = studio.ask("POST", "programs/explain", question).json
        command = [sys.executable, "-m", "referee", "program", "test", "krait.viper", "viper.jsonl"]
        done = subprocess.run(
            [*command, "--step", str(step), "--json"], cwd=folder, capture_output=True, check=True, text=True
        )
        assert answer | {"program": "krait.viper"} == json.loads(done.stdout)
        brief = studio.ask("POST", "programs/explain", {**question, "drawn": False}).json
        assert brief == {key: value for key, value in answer.items() if key != "sheets"}


def test_a_program_that_was_changed_on_disk_is_not_overwritten(studio: Studio, folder: Path) -> None:
    tag = studio.ask("GET", "programs/krait").tag
    (folder / "krait.viper").write_text(KRAIT.replace("Krait", "Other"))
    for headers in ({"If_Match": tag}, {}):
        refused = studio.ask("PUT", "programs/krait", {"text": KRAIT}, **headers)
        assert (refused.status, refused.json["error"]["code"]) == (412, "conflict")
    assert "Other" in (folder / "krait.viper").read_text()


def test_saving_keeps_the_mode_and_the_ends_of_lines(studio: Studio, folder: Path) -> None:
    path = folder / "krait.viper"
    path.write_bytes(KRAIT.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    loaded = studio.ask("GET", "programs/krait")
    document = loaded.json["document"]
    document["name"] = "Renamed"
    question = {"game": "viper", "document": document, "text": loaded.json["text"]}
    text = studio.ask("POST", "programs/format", question).json["text"]
    assert studio.ask("PUT", "programs/krait", {"text": text}, If_Match=loaded.tag).status == 200
    assert path.read_bytes() == KRAIT.replace("Krait", "Renamed", 1).replace("\n", "\r\n").encode()
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_program_is_made_once(studio: Studio, folder: Path) -> None:
    fresh = studio.ask("GET", "programs/mine.viper")
    assert (fresh.status, fresh.json["text"], fresh.tag) == (200, None, None)
    assert fresh.json["language"]["part"] == "scheme"
    assert studio.ask("PUT", "programs/mine.viper", {"text": KRAIT}).status == 200
    assert (folder / "mine.viper").read_text() == KRAIT
    assert studio.ask("PUT", "programs/mine.viper", {"text": KRAIT}).status == 412


def test_a_broken_program_is_loaded_with_its_problem(studio: Studio, folder: Path) -> None:
    (folder / "krait.viper").write_text("name: Krait\nnonsense\n")
    loaded = studio.ask("GET", "programs/krait")
    assert loaded.status == 200
    assert (loaded.json["text"], loaded.json["document"]) == ("name: Krait\nnonsense\n", None)
    assert loaded.json["problem"]["line"] == 2


@pytest.mark.parametrize("name", [
    "../secret.viper", "..%2Fsecret.viper", "%2e%2e/secret.viper", "/etc/passwd", "link.viper",
    "linked/secret.viper", "pipe.viper", ".hidden.viper", "krait.viper/../../secret.viper", "new.txt",
    "a%00.viper",
])  # fmt: skip
def test_only_files_of_the_folder_are_read_and_written(studio: Studio, folder: Path, name: str) -> None:
    outside = folder.parent / "secret.viper"
    outside.write_text(KRAIT)
    (folder / "link.viper").symlink_to(outside)
    (folder / "linked").symlink_to(folder.parent)
    (folder / ".hidden.viper").write_text(KRAIT)
    os.mkfifo(folder / "pipe.viper")
    before = sorted(path.name for path in folder.parent.iterdir())
    assert studio.ask("GET", f"programs/{name}").status == 404
    assert studio.ask("PUT", f"programs/{name}", {"text": KRAIT.replace("Krait", "Evil")}, If_Match="*").status == 404
    assert sorted(path.name for path in folder.parent.iterdir()) == before
    assert "Evil" not in outside.read_text()


def test_a_new_program_may_have_the_name_of_a_pupil_and_needs_a_suffix(studio: Studio) -> None:
    assert studio.ask("GET", "programs/Zo%C3%AB's%20snake,%20v1.2%20(new).viper").status == 200
    for name, why in (
        ("_x.viper", "a new one begins with a letter or digit"),
        ("new.txt", "the suffixes are .ava .viper"),
    ):
        assert why in studio.ask("GET", f"programs/{name}").json["error"]["message"]


def test_a_file_that_is_too_long_is_refused(studio: Studio, folder: Path) -> None:
    (folder / "long.viper").write_bytes(b"name: Long\n" + b" " * 65536)
    assert studio.ask("GET", "programs/long").status == 413
    assert studio.ask("PUT", "programs/krait", {"text": " " * 70_000}).status == 400


@pytest.mark.parametrize(("path", "question", "status"), [
    ("parse", {"game": "viper"}, 400),
    ("parse", {"game": "viper", "text": 5}, 400),
    ("parse", {"game": "viper", "text": "", "more": 1}, 400),
    ("parse", {"game": "ants", "text": ""}, 422),
    ("parse", {"game": "chess", "text": ""}, 422),
    ("format", {"game": "viper", "document": {}}, 422),
    ("format", {"game": "viper", "document": {"name": "x", "charts": [{"kind": "and", "rows": ["--"]}]}}, 422),
    ("explain", {"game": "viper", "text": KRAIT, "match": "0" * 16, "step": 5}, 404),
    ("film", {"match": "../viper.jsonl"}, 404),
])  # fmt: skip
def test_questions_are_read_strictly(studio: Studio, path: str, question: Any, status: int) -> None:
    refused = studio.ask("POST", f"programs/{path}", question)
    assert refused.status == status, refused.json
    assert refused.json["error"]["message"]


def test_a_turn_is_kept_as_a_test_and_tested_with_the_text_of_the_page(studio: Studio, folder: Path) -> None:
    match = studio.match_of("viper.jsonl")
    question = {"game": "viper", "text": KRAIT, "match": match, "step": 40, "name": "krait"}
    answer = studio.ask("POST", "programs/explain", {k: v for k, v in question.items() if k != "name"}).json["answer"]
    assert studio.ask("POST", "programs/pin", {**question, "must": answer}).status == 201
    assert "viper.jsonl" in (folder / "krait.tests.toml").read_text()
    assert studio.ask("POST", "programs/pin", {**question, "name": "new.viper", "must": answer}).status == 409
    assert not (folder / "new.tests.toml").exists(), "the next new program would have this test"
    asked = {"game": "viper", "text": KRAIT, "name": "krait"}
    assert [test["verdict"] for test in studio.ask("POST", "programs/tests", asked).json["tests"]] == ["pass"]
    other = "".join(sorted({"U", "L", "D", "R"} - set(answer)))
    assert studio.ask("POST", "programs/pin", {**question, "must": other}).status == 201
    verdicts = [test["verdict"] for test in studio.ask("POST", "programs/tests", asked).json["tests"]]
    assert verdicts == ["pass", "fail"]
    assert studio.ask("POST", "programs/unpin", {"name": "krait", "number": 1}).status == 200
    assert [test["verdict"] for test in studio.ask("POST", "programs/tests", asked).json["tests"]] == ["fail"]
    assert studio.ask("POST", "programs/unpin", {"name": "krait", "number": 2}).status == 422


@pytest.mark.parametrize("name", [{"name": "krait"}, {}])
def test_a_new_game_is_played_with_a_text_that_is_not_saved(studio: Studio, folder: Path, name: dict[str, str]) -> None:
    text = KRAIT.replace("Krait", "Draft", 1)
    question = {"game": "viper", **name, "text": text, "rivals": ["newt"], "seed": 3}
    match = studio.played(studio.start("programs/debug", question))
    assert match["state"] == "done"
    assert studio.ask("POST", "programs/film", {"match": match["id"]}).json["names"] == ["Draft", "Newt"]
    assert (folder / "krait.viper").read_text() == KRAIT


def test_a_new_game_without_rivals_fails_in_words_of_the_game(studio: Studio) -> None:
    match = studio.played(studio.start("programs/debug", {"game": "viper", "text": KRAIT, "rivals": []}))
    assert (match["state"], match["error"]) == ("failed", "ViPER is for 2 to 4 players, not 1")


def test_the_command_opens_one_program_with_a_saved_game(folder: Path, tmp_path: Path) -> None:
    saved = tmp_path / "elsewhere.jsonl"
    saved.write_bytes((folder / "viper.jsonl").read_bytes())
    words = ("program", "edit", str(folder / "krait.viper"), str(saved), "--seat", "2")
    with opened(folder, tmp_path / "home", *words) as editor:
        match = editor.match_of("elsewhere.jsonl")
        assert (
            editor.url == f"{editor.origin}/edit/krait.viper?match={match}&seat=1#{editor.headers['Authorization'][7:]}"
        )
        assert editor.ask("POST", "programs/film", {"match": match}).json["seats"] == 4


@pytest.mark.parametrize("seat", [0, 5])
def test_the_command_refuses_a_seat_that_the_saved_game_does_not_have(folder: Path, seat: int) -> None:
    with pytest.raises(UsageError, match=f"there is no seat {seat}: .* has seats 1 to 4"):
        edit(folder / "krait.viper", folder / "viper.jsonl", seat=seat)
