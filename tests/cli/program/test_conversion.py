"""`referee program import` and `referee program export`."""

import json

import pytest
from cli.program.conftest import COBRA, TAIPAN

pytestmark = pytest.mark.machine

SNAKE = {
    "SnakeName": "Imported",
    "ProgramDescription": "",
    "Templates": ["SS", "V", "V", "V"],
    "Maps": [{"Description": "bite", "HeadX": 3, "HeadY": 4, "Lines": [{"X": 3, "Y": 3, "Line": "Z0"}]}],
}


# -- import -------------------------------------------------------------------------------------------------------


def test_import_writes_a_program_and_reports_its_changes(referee, tmp_path):
    (tmp_path / "snake.json").write_text(json.dumps(SNAKE))
    ran = referee.ok("program", "import", "snake.json")
    assert ran.out.startswith("name: Imported\nset A: own-body\n")
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["note", "note"]
    assert "SS repeats elements" in ran.err
    again = referee("program", "import", "snake.json", "-o", "mine.ava")
    assert (again.code, again.out) == (0, "")
    assert (tmp_path / "mine.ava").read_text() == ran.out
    assert "mine.ava written" in again.err
    referee.ok("program", "show", "mine.ava")
    over = referee.ok("program", "import", "snake.json", "-o", "mine.ava")
    assert "mine.ava existed already: it was renamed to mine.1.ava\n" in over.err


def test_a_failed_import_writes_no_file(referee, tmp_path):
    (tmp_path / "snake.json").write_text(json.dumps({**SNAKE, "Templates": []}))
    for words, says in (
        (["--game", "ava"], "snake.json: Templates: "),
        (["-o", "x.ava"], "snake.json: Templates: "),
        (["--game", "viper"], "snake.json: viper has no other program format to import"),
        ([], "snake.json: Templates: "),
    ):
        assert referee.refused("program", "import", "snake.json", *words, code=4).startswith(says)
    assert not (tmp_path / "x.ava").exists()


# -- export -------------------------------------------------------------------------------------------------------


def test_export_writes_what_import_reads_and_reports_its_changes(referee, tmp_path):
    ran = referee.ok("program", "export", "cobra")
    assert json.loads(ran.out)["SnakeName"] == "Cobra"
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["note", "note"]
    assert "no set B, C, D" in ran.err
    again = referee("program", "export", COBRA, "-o", "mine.json")
    assert (again.code, again.out) == (0, "")
    assert (tmp_path / "mine.json").read_text() == ran.out
    assert again.err == f"{ran.err}mine.json written\n"
    imported = referee("program", "import", "mine.json").out
    assert imported.partition("\nmap")[2] == COBRA.read_text().partition("\nmap")[2]
    over = referee("program", "export", COBRA, "-o", "mine.json")
    assert (over.code, over.out) == (0, "")
    assert over.err.startswith("mine.json existed already: it was renamed to mine.1.json\n")


def test_export_draws_programs_of_every_game(referee, tmp_path):
    for file in (COBRA, TAIPAN):
        ran = referee("program", "export", file, "-o", "mine.svg")
        assert (ran.code, ran.out) == (0, "")
        assert ran.err.endswith("mine.svg written\n")
        assert f"<title>{file.stem.title()}</title>" in (tmp_path / "mine.svg").read_text()
    assert (tmp_path / "mine.1.svg").exists()


def test_a_failed_export_writes_no_file(referee, tmp_path):
    (tmp_path / "wrong.ava").write_text("name: x\n\nmap:\n-- Q0")
    (tmp_path / "nameless.ava").write_text(COBRA.read_text().replace("name: Cobra", "name:"))
    for file, says in (
        ("wrong.ava", "wrong.ava, line 4, column 4: 'Q' is not an element"),
        ("nameless.ava", "nameless.ava, line 1, column 6: the AVA12 server takes no program without a name"),
        (TAIPAN, f"{TAIPAN}: viper has no other program format to import or export"),
        ("gone.ava", "there is no program 'gone.ava'"),
    ):
        assert referee.refused("program", "export", file, "-o", "x.json", code=4).startswith(says)
    assert not (tmp_path / "x.json").exists()
