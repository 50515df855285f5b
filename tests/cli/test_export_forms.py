"""`referee export` as pictures, films and tables: the suffix decides, and a refused saved game leaves no file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

RECORDS = Path(__file__).parents[1] / "records"


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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "x.gif", "--step", "3"], "--step is only for .svg: a .gif file has the whole match"),
        (["-o", "x.svg", "--step", "999"], "there is no step 999: a.jsonl has steps 0 to 447"),
    ],
)
def test_a_file_that_cannot_be_made_is_an_error(referee, match, words, says):
    ran = referee("export", match, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"referee: {says}")
    assert [path.name for path in referee.folder.iterdir()] == ["a.jsonl"]


def test_without_pillow_films_are_refused_with_the_command_that_installs_it(referee, match):
    (referee.folder / "PIL").mkdir()
    (referee.folder / "PIL" / "__init__.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'PIL'\", name='PIL')"
    )
    ran = referee("export", match, "-o", "x.gif", environ={"PYTHONPATH": str(referee.folder)})
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("referee: films need Pillow, which is not installed: ")
    assert ran.err.endswith(" -m pip install 'referee[pictures]'\n")
    assert not (referee.folder / "x.gif").exists()
    picture = referee("export", match, "-o", "x.svg", environ={"PYTHONPATH": str(referee.folder)})
    assert picture.code == 0, "pictures need no library"
