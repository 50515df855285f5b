"""`referee program show`, and how programs are named."""

import re
import shutil

import pytest
from cli.program.conftest import BOTS, COBRA, TAIPAN

from referee.analysis.programs import as_json
from referee.cli.program import _print
from referee.contract.frame import Patch, Sheet

pytestmark = pytest.mark.machine


def test_show_draws_every_part_as_it_was_written(referee):
    for file in (COBRA, TAIPAN):
        ran = referee.ok("program", "show", file, err="")
        rows = [line.strip() for line in ran.out.splitlines()]
        for row in re.findall(r"^(?:\S\S ){6}\S\S$", file.read_text(), re.MULTILINE):
            assert row in rows
        assert "\x1b" not in ran.out
    assert (
        "set A: empty or own tail or enemy tail; a match rates 4, a match of its opposite 3"
        in referee("program", "show", COBRA).out
    )
    assert "scheme 8 (or), a lane on one side" in referee("program", "show", TAIPAN).out


def test_show_colours_the_groups(referee):
    coloured = referee("program", "show", COBRA, "--color", "always").out
    assert "\x1b[36mZ0\x1b[0m" in coloured  # AND-group 0 is cyan
    assert "\x1b[33mZ4\x1b[0m" in coloured  # OR-group 4 yellow
    assert "\x1b" not in referee("program", "show", COBRA, "--color", "never").out


def test_show_as_json(referee):
    report = referee.json("program", "show", TAIPAN)
    assert report["game"] == "viper"
    assert [len(sheet["rows"]) for sheet in report["sheets"]] == [0] + [7] * 9
    assert report["sheets"][1]["rows"][3][3] == {"text": "Z-", "colour": None, "strong": False}
    assert report["sheets"][2]["rows"][2][3] == {"text": "Zw", "colour": "white", "strong": False}


def test_the_suffix_or_the_option_determines_the_game(referee, tmp_path):
    shutil.copy(COBRA, tmp_path / "mine.txt")
    ran = referee("program", "show", "mine.txt")
    assert ran.code != 0
    assert ".ava .viper" in ran.err
    referee.ok("program", "show", "mine.txt", "--game", "ava")
    refusal = referee.refused("program", "show", "mine.txt", "--game", "snakecore")
    assert "snakecore has no language of its own" in refusal


def test_a_sample_and_a_folder_are_named_as_for_play(referee, tmp_path):
    shutil.copytree(BOTS / "cobra", tmp_path / "mine")
    shown = referee("program", "show", COBRA).out
    for named in ("cobra", "mine", "./mine", BOTS / "cobra"):
        ran = referee("program", "show", named)
        assert (ran.code, ran.out, ran.err) == (0, shown, "")
    (tmp_path / "cobra").write_text("name: Other\n")
    ran = referee("program", "show", "cobra", "--game", "ava")
    assert ran.code == 4, "a file takes precedence over a sample of that name"
    assert ran.err.startswith("referee: cobra")
    report = referee.json("program", "show", "taipan")
    assert (report["game"], report["program"]) == ("viper", str(TAIPAN))


@pytest.mark.parametrize(("named", "says"), [
    ("nosuch",
     "there is no program 'nosuch': name a file (.ava .viper), a folder with bot.toml or a sample bot (cobra, "),
    ("gone.ava", "there is no program 'gone.ava': name a file "),
    ("a\x1b[31m", "there is no program 'a\\x1b[31m': name a file "),
    ("guard", "bot Guard is not a program in a game's own language: name one, such as cobra or boa"),
    ("empty", "the folder empty has no bot.toml"),
])  # fmt: skip
def test_something_else_than_a_program_gives_an_error_of_one_line(named, says, referee, tmp_path):
    (tmp_path / "empty").mkdir()
    for words in (["show", named], ["test", named, "--step", "9"]):
        assert referee.refused("program", *words, code=4).startswith(says)


def test_a_syntax_error_has_line_and_column(referee, tmp_path):
    (tmp_path / "x.viper").write_text("name: x\n\nscheme and: y\n-- -- Q- -- -- -- --\n")
    for words in (["show", "x.viper"], ["test", "x.viper", "none.jsonl", "--step", "9"]):
        assert referee.refused("program", *words, code=4).startswith("x.viper, line 4, column 7: 'Q' is not an element")


def test_texts_of_programs_are_escaped(capsys):
    _print(as_json([Sheet("\x1b[31m[bold]\u202e", [[Patch("Z0", "cyan")]], ["\x9b2J"])]), "never")
    assert capsys.readouterr().out == "\ufffd[31m[bold]\ufffd\n  Z0\n  \ufffd2J\n"
