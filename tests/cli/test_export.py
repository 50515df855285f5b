"""`referee export`: the suffix says the form, nothing is lost, and what replay refuses is refused."""

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from cli.conftest import Shell, Tty

from referee import analysis
from referee.cli import narrator
from referee.cli.export import export
from referee.export.page import match_page
from referee.saved.record import load
from referee.saved.replay import Replay

pytestmark = pytest.mark.machine

RECORDS = Path(__file__).parents[1] / "records"
RECORD = RECORDS / "ava.jsonl"


def test_a_page_is_written(referee: Shell) -> None:
    ran = referee("export", RECORD, "-o", "a.html")
    page = (referee.folder / "a.html").read_text()
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"a.html written, {len(page.encode()) / 1000:,.0f} kB\n"
    saved = Replay(load(RECORD))
    lines = analysis.explanation_lines(analysis.explain(saved), analysis.Commands("GAME.jsonl"))
    note = "GAME.jsonl stands for the saved game of this page."
    assert page == match_page(saved, explanation="\n".join([*lines, note]))


@pytest.mark.parametrize(("terminal", "quiet"), [(True, False), (True, True), (False, False)])
def test_a_terminal_shows_which_step_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool, quiet: bool
) -> None:
    stream = Tty() if terminal else io.StringIO()
    monkeypatch.setattr(narrator, "SECONDS", 0)
    monkeypatch.setattr(sys, "stderr", stream)
    export(RECORD, output=tmp_path / "a.html", quiet=quiet)
    *shown, rest = stream.getvalue().split("\r\x1b[K")
    last = len(load(RECORD).steps)
    lines = [line.split(": ") for line in shown if line]
    doing = ["checking", "explaining", "writing"] if terminal and not quiet else []
    assert list(dict.fromkeys(what for what, _ in lines)) == doing
    for action in doing:
        steps = [int(step.removeprefix("step ").removesuffix(f" of {last}")) for what, step in lines if what == action]
        assert steps == sorted(set(steps))
        assert steps[0] == 1
        assert steps[-1] > 0.9 * last
    size = (tmp_path / "a.html").stat().st_size
    assert rest == ("" if quiet else f"{tmp_path / 'a.html'} written, {size / 1000:,.0f} kB\n")


def test_progress_is_shown_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, now = Tty(), iter([0.0, 0.5, 1.0, 1.9, 2.1])
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(narrator, "monotonic", lambda: next(now))
    shown = narrator.Replaying(quiet=False)
    for step in range(1, 5):
        shown(step, 9)
    shown.close()
    assert stream.getvalue().split("\r\x1b[K") == ["", "checking: step 2 of 9", "checking: step 4 of 9", ""]


def test_a_file_that_exists_is_renamed(referee: Shell) -> None:
    (referee.folder / "a.html").write_text("mine")
    ran = referee("export", RECORD, "-o", "a.html", "-q")
    assert (ran.code, ran.out, ran.err) == (0, "", "a.html existed already: it was renamed to a.1.html\n")
    assert (referee.folder / "a.1.html").read_text() == "mine"
    assert sorted(path.name for path in referee.folder.iterdir()) == ["a.1.html", "a.html"]


def test_a_file_that_cannot_be_written_whole_leaves_nothing(referee: Shell) -> None:
    ran = referee.bash(f"ulimit -f 1; referee export '{RECORD}' -o a.html", {"PYTHONDONTWRITEBYTECODE": "1"})
    says = "referee: a.html cannot be written (File too large): choose another name or folder\n"
    assert (ran.code, ran.err) == (2, says)
    assert not list(referee.folder.iterdir())


@pytest.mark.parametrize(("name", "says"), [
    ("a.pdf", "a.pdf: name a file that ends in "),
    ("no/a.html", "there is no folder no: create it first"),
])  # fmt: skip
def test_a_form_or_place_that_is_not_possible_is_an_error(referee: Shell, name: str, says: str) -> None:
    assert referee.refused("export", RECORD, "-o", name).startswith(says)
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


@pytest.fixture
def match(referee):
    """A saved game in the folder."""
    shutil.copy(RECORDS / "ants.jsonl", referee.folder / "a.jsonl")
    return "a.jsonl"


@pytest.mark.parametrize(
    ("name", "start"), [("x.svg", b"<svg "), ("x.gif", b"GIF89a"), ("x.webp", b"RIFF"), ("X.CSV", b"step,round,")]
)
def test_the_suffix_decides_the_form(referee, match, name, start):
    ran = referee("export", match, "-o", name)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith(f"{name} written, ")
    assert (referee.folder / name).read_bytes().startswith(start)
    assert sorted(path.name for path in referee.folder.iterdir()) == sorted(["a.jsonl", name])


@pytest.mark.parametrize("words", [[], ["--step", "100"]], ids=str)
def test_a_picture_shows_the_last_step_or_the_one_that_is_named(referee, match, words):
    assert referee("export", match, "-o", "x.svg", "-q", *words).err == ""
    title = (referee.folder / "x.svg").read_text(encoding="utf-8").split("<title>")[1].split("</title>")[0]
    assert title == referee("replay", match, *words).out.splitlines()[0]


@pytest.mark.parametrize(("words", "says"), [
    (["-o", "x.gif", "--step", "3"], "--step is only for .svg files"),
    (["-o", "x.svg", "--step", "999"], "there is no step 999: a.jsonl has steps 0 to 447"),
])  # fmt: skip
def test_a_file_that_cannot_be_made_is_an_error(referee, match, words, says):
    assert referee.refused("export", match, *words).startswith(says)
    assert [path.name for path in referee.folder.iterdir()] == ["a.jsonl"]


def test_without_pillow_films_are_refused_with_the_command_that_installs_it(referee, match):
    (referee.folder / "PIL.py").write_text("raise ModuleNotFoundError(name='PIL')")
    ran = referee("export", match, "-o", "x.gif", environ={"PYTHONPATH": str(referee.folder)})
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("referee: films need Pillow, which is not installed: ")
    assert ran.err.endswith(" -m pip install 'referee[pictures]'\n")
    assert not (referee.folder / "x.gif").exists()
    picture = referee("export", match, "-o", "x.svg", environ={"PYTHONPATH": str(referee.folder)})
    assert picture.code == 0, "pictures need no library"
