"""`referee export`: the suffix says the form, nothing is lost, and what replay refuses is refused."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest
from cli.conftest import Shell

from referee import analysis
from referee.export.page import match_page
from referee.record import load
from referee.replay import Replay

RECORD = Path(__file__).parents[1] / "records" / "ava.jsonl"


def test_a_page_is_written(referee: Shell) -> None:
    ran = referee("export", RECORD, "-o", "a.html")
    page = (referee.folder / "a.html").read_text()
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"a.html written, {len(page.encode()) / 1000:,.0f} kB\n"
    saved = Replay(load(RECORD))
    found = analysis.explained(analysis.explain(saved), analysis.Commands("GAME.jsonl"))
    told = "GAME.jsonl stands for the saved game of this page."
    assert page == match_page(saved, explanation="\n".join([*found, told]))


def test_the_same_match_gives_the_same_page_whatever_its_file_is_called(referee: Shell) -> None:
    (referee.folder / "other.jsonl.gz").write_bytes(gzip.compress(RECORD.read_bytes()))
    assert referee("export", RECORD, "-o", "a.html").code == 0
    assert referee("export", "other.jsonl.gz", "-o", "b.html").code == 0
    assert (referee.folder / "a.html").read_bytes() == (referee.folder / "b.html").read_bytes()


def test_a_file_that_exists_is_renamed(referee: Shell) -> None:
    (referee.folder / "a.html").write_text("mine")
    ran = referee("export", RECORD, "-o", "a.html", "-q")
    assert (ran.code, ran.out, ran.err) == (0, "", "a.html existed already: it was renamed to a.html~\n")
    assert (referee.folder / "a.html~").read_text() == "mine"
    assert sorted(path.name for path in referee.folder.iterdir()) == ["a.html", "a.html~"]


def test_a_file_that_cannot_be_written_whole_leaves_nothing(referee: Shell) -> None:
    words = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *referee.argv("export", RECORD, "-o", "a.html")]
    environ = {**referee.environ(), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(words, cwd=referee.folder, env=environ, capture_output=True, text=True, check=False)
    says = "referee: a.html cannot be written (File too large): choose another name or folder\n"
    assert (ran.returncode, ran.stderr) == (2, says)
    assert not list(referee.folder.iterdir())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.pdf", "a.pdf: unknown suffix '.pdf': name a file that ends in "),
        ("html", "html: it has no suffix: name a file that ends in "),
        ("no/a.html", "there is no folder no: create it first"),
    ],
)
def test_a_form_or_place_that_is_not_possible_is_an_error(referee: Shell, name: str, says: str) -> None:
    ran = referee("export", RECORD, "-o", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"referee: {says}")
    assert not list(referee.folder.iterdir())


def test_a_saved_game_that_replay_refuses_is_refused_in_the_same_words(referee: Shell) -> None:
    lines = [json.loads(line) for line in RECORD.read_text().splitlines()]
    lines[40]["events"] = []
    wrong = {
        "events.jsonl": "".join(json.dumps(line) + "\n" for line in lines),
        "rules.jsonl": RECORD.read_text().replace('"rules":1', '"rules":99'),
        "text.jsonl": "hello\n",
    }
    for name, text in wrong.items():
        (referee.folder / name).write_text(text)
        shown, ran = referee("replay", name), referee("export", name, "-o", "a.html")
        assert ran.code == shown.code != 0
        assert ran.err == shown.err != ""
        assert not (referee.folder / "a.html").exists()


def test_a_match_that_was_cut_off_is_shown_as_far_as_it_goes(referee: Shell) -> None:
    text = RECORD.read_text()
    (referee.folder / "cut.jsonl").write_text(text[: len(text) // 2])
    shown, ran = referee("replay", "cut.jsonl"), referee("export", "cut.jsonl", "-o", "a.html", "-q")
    assert (ran.code, ran.err) == (shown.code, shown.err)
    assert (referee.folder / "a.html").exists()
