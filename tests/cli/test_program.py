"""`referee program`: show, test on a saved game, import and export."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from cli.conftest import Ran, Shell

from referee.analysis.programs import as_json
from referee.cli.exit_codes import run
from referee.cli.program import _print
from referee.contract.frame import Patch, Sheet
from referee.files import assets

pytestmark = pytest.mark.machine

BOTS = assets.folder("bots")
COBRA = BOTS / "cobra" / "cobra.ava"
TAIPAN = BOTS / "taipan" / "taipan.viper"
SNAKE = {
    "SnakeName": "Imported",
    "ProgramDescription": "",
    "Templates": ["SS", "V", "V", "V"],
    "Maps": [{"Description": "bite", "HeadX": 3, "HeadY": 4, "Lines": [{"X": 3, "Y": 3, "Line": "Z0"}]}],
}


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the matches of `saved` are cached."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def referee(tmp_path, monkeypatch, capsys):
    """The command line, called in this process because none of these commands starts another process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def call(*words: str | int | Path) -> Ran:
        code = run(list(map(str, words)))
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def saved(tmp_path, cache, kept):
    """A short match of each game between its samples: ava.jsonl, viper.jsonl."""
    for game, bots in (("ava", ["cobra", "boa"]), ("viper", ["taipan", "krait", "adder", "newt"])):
        file = kept / f"{game}.jsonl"
        if not file.exists():
            words = ["--game", game, "--map", "quick", "--seed", "3", "--rounds", "12", "-q", "-o", file]
            ran = Shell(tmp_path, cache)("play", *bots, *words)
            assert ran.code == 0, ran.err
        shutil.copy(file, tmp_path)
    return tmp_path


def moves_of(file: Path, seat: int) -> dict[int, str]:
    """The answers of a seat, by step."""
    found = {}
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        if entry["type"] == "step" and entry["ask"] == "getAction":
            found.update((entry["step"], answer["answer"]) for answer in entry["answers"] if answer["seat"] == seat)
    return found


# -- show ---------------------------------------------------------------------------------------------------------


def test_show_draws_every_part_as_it_was_written(referee):
    for file in (COBRA, TAIPAN):
        ran = referee("program", "show", file)
        assert (ran.code, ran.err) == (0, "")
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
    told = json.loads(referee("program", "show", TAIPAN, "--json").out)
    assert told["game"] == "viper"
    assert [len(sheet["rows"]) for sheet in told["sheets"]] == [0] + [7] * 9
    assert told["sheets"][1]["rows"][3][3] == {"text": "Z-", "colour": None, "strong": False}
    assert told["sheets"][2]["rows"][2][3] == {"text": "Zw", "colour": "white", "strong": False}


def test_the_suffix_or_the_option_determines_the_game(referee, tmp_path):
    shutil.copy(COBRA, tmp_path / "mine.txt")
    ran = referee("program", "show", "mine.txt")
    assert ran.code != 0
    assert ".ava .viper" in ran.err
    assert referee("program", "show", "mine.txt", "--game", "ava").code == 0
    ran = referee("program", "show", "mine.txt", "--game", "snakecore")
    assert (ran.code, ran.out) == (2, "")
    assert "snakecore has no language of its own" in ran.err


def test_a_sample_and_a_folder_are_named_as_for_play(referee, tmp_path):
    shutil.copytree(BOTS / "cobra", tmp_path / "mine")
    shown = referee("program", "show", COBRA).out
    for named in ("cobra", "mine", "./mine", BOTS / "cobra"):
        assert referee("program", "show", named) == Ran(0, shown, "")
    (tmp_path / "cobra").write_text("name: Other\n")
    ran = referee("program", "show", "cobra", "--game", "ava")
    assert ran.code == 4, "a file takes precedence over a sample of that name"
    assert ran.err.startswith("referee: cobra")
    told = json.loads(referee("program", "show", "taipan", "--json").out)
    assert (told["game"], told["program"]) == ("viper", str(TAIPAN))


def test_a_link_is_followed_only_if_the_user_named_it(referee, tmp_path):
    (tmp_path / "linked.ava").symlink_to(COBRA)
    assert referee("program", "show", "linked.ava") == referee("program", "show", COBRA)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "cobra.ava").symlink_to(COBRA)
    (tmp_path / "mine" / "bot.toml").write_text('name = "Mine"\nprogram = "cobra.ava"\n')
    ran = referee("program", "show", "mine")
    assert (ran.code, ran.out) == (4, "")
    assert (
        ran.err
        == "referee: mine/cobra.ava cannot be read: it is a symbolic link: put a copy of the file in its place\n"
    )


@pytest.mark.parametrize(
    ("named", "says"),
    [
        (
            "nosuch",
            "there is no program 'nosuch': name a file (.ava .viper), a folder with bot.toml or a sample bot (cobra, ",
        ),
        ("gone.ava", "there is no program 'gone.ava': name a file "),
        ("a\x1b[31m", "there is no program 'a\\x1b[31m': name a file "),
        ("guard", "bot Guard is not a program in a game's own language: name one, such as cobra or boa"),
        ("empty", "the folder empty has no bot.toml"),
    ],
)
def test_something_else_than_a_program_gives_an_error_of_one_line(named, says, referee, tmp_path):
    (tmp_path / "empty").mkdir()
    for words in (["show", named], ["test", named, "--step", "9"]):
        ran = referee("program", *words)
        assert (ran.code, ran.out) == (4, "")
        assert ran.err.startswith(f"referee: {says}")
        assert ran.err.count("\n") == 1


def test_a_syntax_error_has_line_and_column(referee, tmp_path):
    (tmp_path / "x.viper").write_text("name: x\n\nscheme and: y\n-- -- Q- -- -- -- --\n")
    for words in (["show", "x.viper"], ["test", "x.viper", "none.jsonl", "--step", "9"]):
        ran = referee("program", *words)
        assert (ran.code, ran.out) == (4, "")
        assert ran.err.startswith("referee: x.viper, line 4, column 7: 'Q' is not an element")
        assert ran.err.count("\n") == 1


def test_texts_of_programs_are_escaped(capsys):
    _print(as_json([Sheet("\x1b[31m[bold]\u202e", [[Patch("Z0", "cyan")]], ["\x9b2J"])]), "never")
    out = capsys.readouterr().out
    assert out == "\ufffd[31m[bold]\ufffd\n  Z0\n  \ufffd2J\n"


# -- test ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "file"), [("ava", COBRA), ("viper", TAIPAN)])
def test_a_program_gives_the_same_answer_as_in_the_match(referee, saved, game, file):
    for step, answer in list(moves_of(saved / f"{game}.jsonl", 0).items())[:4]:
        told = json.loads(referee("program", "test", file, f"{game}.jsonl", "--step", step, "--json").out)
        assert (told["game"], told["step"], told["seat"]) == (game, step, 0)
        assert told["answer"] == told["recorded"] == answer


def test_test_draws_the_window_and_each_variant_beside_the_cells_below_it(referee, saved):
    step = next(iter(moves_of(saved / "viper.jsonl", 0)))
    ran = referee("program", "test", TAIPAN, "viper.jsonl", "--step", step)
    assert (ran.code, ran.err) == (0, "")
    window, moves, _ = re.split(r"^(?=  possible moves: |scheme 1 )", ran.out, maxsplit=2, flags=re.MULTILINE)
    title, *rows = window.splitlines()
    assert title == "Taipan sees"
    assert [len(row.split()) for row in rows] == [13] * 13
    assert rows[6].split()[6] == "H"
    assert "\n  candidates: " in moves
    _, variant = ran.out.split("scheme 1 as drawn and mirrored left to right, goes U: does not fit\n")
    assert re.search(r"^  -- -- -- Z- -- -- -- +(\S+ +){3}!\S( +\S+){3}$", variant, re.MULTILINE)
    assert "\n  no group fails: Z- 1 up needs enemy tail, found " in variant
    assert re.search(r"^scheme \d.*: decides$", variant, re.MULTILINE)
    assert f"\nstep {step}, seat 1: the program answers " in variant


def test_test_says_why_no_map_fits(referee, saved, tmp_path):
    rows = ["-- -- -- -- -- -- --"] * 7
    rows[2], rows[3] = "-- -- -- T0 -- -- --", "-- -- -- ^^ -- -- --"
    (tmp_path / "vain.ava").write_text("\n".join(["name: Vain", "", "map: own tail", *rows, ""]))
    step = next(iter(moves_of(saved / "ava.jsonl", 0)))
    ran = referee("program", "test", "vain.ava", "ava.jsonl", "--step", step)
    assert (ran.code, ran.err) == (0, "")
    assert "  no map fits, so every possible move is a candidate" in ran.out.splitlines()
    assert "map 1, own tail: does not fit" in ran.out.splitlines()
    assert "  AND-group 0 fails: T0 1 up needs own tail, found empty" in ran.out.splitlines()


def test_testing_a_sample_is_testing_its_file(referee, saved):
    step = next(iter(moves_of(saved / "viper.jsonl", 0)))
    words = ["viper.jsonl", "--step", step]
    assert referee("program", "test", "taipan", *words) == referee("program", "test", TAIPAN, *words)


def test_test_takes_the_view_of_another_seat(referee, saved):
    step, answer = next(iter(moves_of(saved / "viper.jsonl", 3).items()))
    newt = BOTS / "newt" / "newt.viper"
    told = json.loads(referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "4", "--json").out)
    assert (told["seat"], told["answer"]) == (3, answer)
    ran = referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "1")
    assert ran.code == 2
    assert f"step {step} asked seat 4, not seat 1, which was asked in steps " in ran.err
    assert referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "9").code == 2


def test_steps_that_are_not_moves(referee, saved):
    ran = referee("program", "test", TAIPAN, "viper.jsonl", "--step", "1")
    first = next(iter(moves_of(saved / "viper.jsonl", 0)))
    assert ran.code == 2
    assert f"step 1 asks for a name, not for a move: seat 1 has its first move in step {first}" in ran.err
    ran = referee("program", "test", TAIPAN, "viper.jsonl", "--step", "9999")
    assert ran.code == 2
    assert "there is no step 9999" in ran.err


def test_a_program_of_another_game(referee, saved):
    ran = referee("program", "test", COBRA, "viper.jsonl", "--step", "9")
    assert ran.code == 2
    assert ran.err.endswith(f"viper.jsonl is a game of viper, and {COBRA} is for ava: name a saved game of ava\n")


# -- test positions -----------------------------------------------------------------------------------------------


def test_charts_say_which_decides(referee, saved):
    for game, file in (("ava", COBRA), ("viper", TAIPAN)):
        for step in list(moves_of(saved / f"{game}.jsonl", 0))[:4]:
            told = json.loads(referee("program", "test", file, f"{game}.jsonl", "--step", step, "--json").out)
            fired = [chart["chart"] for chart in told["charts"] if chart["verdict"] == "fires"]
            decides = [sheet["title"] for sheet in told["sheets"] if sheet["title"].endswith(": decides")]
            assert len(told["charts"]) == file.read_text().count("^^")
            assert [title.split()[1].rstrip(",:") for title in decides] == [str(number) for number in fired]


def test_a_pinned_moment_is_run_without_its_saved_game(referee, saved):
    shutil.copy(TAIPAN, saved / "mine.viper")
    step, answer = next(iter(moves_of(saved / "viper.jsonl", 0).items()))
    moment = ["mine.viper", "viper.jsonl", "--step", step]
    letters = "".join(sorted(set(answer)))
    ran = referee("program", "test", *moment, "--pin", f"must={letters}")
    assert (ran.code, ran.err) == (0, "")
    added, line = ran.out.splitlines()
    assert added == "mine.tests.toml: added a test, which now gives"
    assert line.startswith(f"pass  1: must go {' or '.join(letters)}: goes ")
    assert line.endswith(f" [viper.jsonl, step {step}]")
    (saved / "viper.jsonl").unlink()
    ran = referee("program", "test", "mine.viper")
    assert (ran.code, ran.out.splitlines(), ran.err) == (0, [line, "1 of 1 test passed"], "")
    told = json.loads(referee("program", "test", "mine.viper", "--json").out)
    assert (told["file"], told["tests"][0]["verdict"]) == ("mine.tests.toml", "pass")


def test_a_test_that_fails_gives_exit_code_1(referee, saved):
    shutil.copy(TAIPAN, saved / "mine.viper")
    step = next(iter(moves_of(saved / "viper.jsonl", 3)))
    words = ["mine.viper", "viper.jsonl", "--step", step, "--seat", "4", "--json"]
    told = json.loads(referee("program", "test", *words, "--pin", "must_not=ULDR", "--pin", "chart=99").out)
    assert [(test["verdict"], test["demand"]) for test in told["tests"]] == [
        ("fail", "must not go U or L or D or R, scheme 99 must decide")
    ]
    ran = referee("program", "test", "mine.viper")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.endswith("\n0 of 1 test passed\n")
    assert ran.out.startswith("fail  1: must not go U or L or D or R, scheme 99 must decide: goes ")


def test_texts_of_tests_are_escaped(referee, tmp_path):
    shutil.copy(TAIPAN, tmp_path / "mine.viper")
    (tmp_path / "mine.tests.toml").write_text(
        '[[test]]\nmust = "L"\nnote = "[bold]ж"\n[test.position]\n"\\u001b[31m" = 1\n'
    )
    ran = referee("program", "test", "mine.viper")
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert ran.out.startswith("wrong 1: must go L: position: ")
    assert "[[bold]ж]" in ran.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "there is no mine.tests.toml, so mine.viper has no test positions: keep one with "),
        (["viper.jsonl"], "say which step with --step; without a saved game, the test positions are run"),
        (["--pin", "must=L"], "say which step with --step"),
        (["viper.jsonl", "--step", 9, "--pin", "must"], "--pin must: write must=LU, must_not=L or chart=2, each once"),
        (["viper.jsonl", "--step", 9, "--pin", "turn=L"], "--pin turn=L: write must=LU, must_not=L or chart=2"),
        (["viper.jsonl", "--step", 9, "--pin", "must=U", "--pin", "must=L"], "--pin must=L: write must=LU"),
        (["viper.jsonl", "--step", 9, "--pin", "chart=x"], "--pin: chart: must be a whole number"),
        (["viper.jsonl", "--step", 9, "--pin", "must=u"], "must: u is not a move: use letters of U L D R"),
        (["viper.jsonl", "--step", 1, "--pin", "must=U"], "step 1 asks for a name, not for a move"),
    ],
)
def test_what_cannot_be_run_or_pinned_is_a_usage_error(referee, saved, words, says):
    shutil.copy(TAIPAN, saved / "mine.viper")
    ran = referee("program", "test", "mine.viper", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"referee: {says}")
    assert ran.err.count("\n") == 1
    assert not (saved / "mine.tests.toml").exists()


def test_nothing_is_kept_beside_a_sample(referee, saved):
    ran = referee("program", "test", "taipan", "viper.jsonl", "--step", "9", "--pin", "must=U")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"referee: {TAIPAN} is a sample of the referee: copy it, and keep test positions of the copy\n"
    assert not TAIPAN.with_suffix(".tests.toml").exists()


# -- import -------------------------------------------------------------------------------------------------------


def test_import_writes_a_program_and_reports_its_changes(referee, tmp_path):
    (tmp_path / "snake.json").write_text(json.dumps(SNAKE))
    ran = referee("program", "import", "snake.json")
    assert ran.code == 0
    assert ran.out.startswith("name: Imported\nset A: own-body\n")
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["note", "note"]
    assert "SS repeats elements" in ran.err
    again = referee("program", "import", "snake.json", "-o", "mine.ava")
    assert (again.code, again.out) == (0, "")
    assert (tmp_path / "mine.ava").read_text() == ran.out
    assert "mine.ava written" in again.err
    assert referee("program", "show", "mine.ava").code == 0
    over = referee("program", "import", "snake.json", "-o", "mine.ava")
    assert over.code == 0
    assert "mine.ava existed already: it was renamed to mine.1.ava\n" in over.err


def test_a_failed_import_writes_no_file(referee, tmp_path):
    (tmp_path / "snake.json").write_text(json.dumps({**SNAKE, "Templates": []}))
    for words, says in (
        (["--game", "ava"], "referee: snake.json: Templates: "),
        (["-o", "x.ava"], "referee: snake.json: Templates: "),
        (["--game", "viper"], "referee: snake.json: viper has no other program format to import"),
        ([], "referee: snake.json: for ava: Templates: "),
    ):
        ran = referee("program", "import", "snake.json", *words)
        assert (ran.code, ran.out) == (4, "")
        assert ran.err.startswith(says)
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "x.ava").exists()


# -- export -------------------------------------------------------------------------------------------------------


def test_export_writes_what_import_reads_and_reports_its_changes(referee, tmp_path):
    ran = referee("program", "export", "cobra")
    assert ran.code == 0
    assert json.loads(ran.out)["SnakeName"] == "Cobra"
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["note", "note"]
    assert "no set B, C, D" in ran.err
    again = referee("program", "export", COBRA, "-o", "mine.json")
    assert (again.code, again.out) == (0, "")
    assert (tmp_path / "mine.json").read_text() == ran.out
    assert again.err == f"{ran.err}mine.json written\n"
    assert (
        referee("program", "import", "mine.json").out.partition("\nmap")[2] == COBRA.read_text().partition("\nmap")[2]
    )
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
        ("wrong.ava", "referee: wrong.ava, line 4, column 4: 'Q' is not an element"),
        ("nameless.ava", "referee: nameless.ava, line 1, column 6: the AVA12 server takes no program without a name"),
        (TAIPAN, f"referee: {TAIPAN}: viper has no other program format to import or export"),
        ("gone.ava", "referee: there is no program 'gone.ava'"),
    ):
        ran = referee("program", "export", file, "-o", "x.json")
        assert (ran.code, ran.out) == (4, "")
        assert ran.err.startswith(says)
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "x.json").exists()
