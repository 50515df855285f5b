"""`referee program test`: at a step of a saved game, and with test positions, which `--pin` keeps."""

import re
import shutil

import pytest
from cli.program.conftest import BOTS, COBRA, TAIPAN, moves_of

pytestmark = pytest.mark.machine


@pytest.mark.parametrize(("game", "file"), [("ava", COBRA), ("viper", TAIPAN)])
def test_a_program_gives_the_same_answer_as_in_the_match(referee, saved, game, file):
    moves = moves_of(saved / f"{game}.jsonl", 0)
    assert len(moves) > 4
    for step, answer in list(moves.items())[:4]:
        report = referee.json("program", "test", file, f"{game}.jsonl", "--step", step)
        assert (report["game"], report["step"], report["seat"]) == (game, step, 0)
        assert report["answer"] == report["recorded"] == answer


def test_test_draws_the_window_and_each_variant_beside_the_cells_below_it(referee, saved):
    step = next(iter(moves_of(saved / "viper.jsonl", 0)))
    ran = referee.ok("program", "test", TAIPAN, "viper.jsonl", "--step", step, err="")
    window, moves, _ = re.split(r"^(?=  possible moves: |scheme 1 )", ran.out, maxsplit=2, flags=re.MULTILINE)
    title, *rows = window.splitlines()
    assert title == "Taipan sees"
    assert [len(row.split()) for row in rows] == [13] * 13
    assert rows[6].split()[6] == "H"
    assert "\n  candidates: " in moves
    _, variant = ran.out.split("scheme 1 as drawn and mirrored left to right, goes U: does not fit\n")
    assert re.search(r"^  -- -- -- Z- -- -- -- +(\S+ +){3}!\S( +\S+){3}$", variant, re.MULTILINE)
    assert "\n  ungrouped fails: Z- 1 up needs enemy tail, found " in variant
    assert re.search(r"^scheme \d.*: decides$", variant, re.MULTILINE)
    assert f"\nstep {step}, seat 1: the program answers " in variant


def test_test_says_why_no_map_fits(referee, saved, tmp_path):
    rows = ["-- -- -- -- -- -- --"] * 7
    rows[2], rows[3] = "-- -- -- T0 -- -- --", "-- -- -- ^^ -- -- --"
    (tmp_path / "vain.ava").write_text("\n".join(["name: Vain", "", "map: own tail", *rows, ""]))
    step = next(iter(moves_of(saved / "ava.jsonl", 0)))
    ran = referee.ok("program", "test", "vain.ava", "ava.jsonl", "--step", step, err="")
    assert "  no map fits, so every possible move is a candidate" in ran.out.splitlines()
    assert "map 1, own tail: does not fit" in ran.out.splitlines()
    assert "  AND-group 0 fails: T0 1 up needs own tail, found empty" in ran.out.splitlines()


def test_test_takes_the_view_of_another_seat(referee, saved):
    step, answer = next(iter(moves_of(saved / "viper.jsonl", 3).items()))
    newt = BOTS / "newt" / "newt.viper"
    report = referee.json("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "4")
    assert (report["seat"], report["answer"]) == (3, answer)
    ran = referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "1", code=2)
    assert f"step {step} asked seat 4, not seat 1, which was asked in step " in ran.err
    referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "9", code=2)


def test_a_program_of_another_game(referee, saved):
    ran = referee("program", "test", COBRA, "viper.jsonl", "--step", "9", code=2)
    assert ran.err.endswith(f"viper.jsonl is a game of viper, and {COBRA} is for ava: name a saved game of ava\n")


def test_charts_say_which_decides(referee, saved):
    for game, file in (("ava", COBRA), ("viper", TAIPAN)):
        for step in list(moves_of(saved / f"{game}.jsonl", 0))[:4]:
            report = referee.json("program", "test", file, f"{game}.jsonl", "--step", step)
            fired = [chart["chart"] for chart in report["charts"] if chart["verdict"] == "fires"]
            decides = [sheet["title"] for sheet in report["sheets"] if sheet["title"].endswith(": decides")]
            assert len(report["charts"]) == file.read_text().count("^^")
            assert [title.split()[1].rstrip(",:") for title in decides] == [str(number) for number in fired]


def test_a_pinned_moment_is_run_without_its_saved_game(referee, saved):
    shutil.copy(TAIPAN, saved / "mine.viper")
    step, answer = next(iter(moves_of(saved / "viper.jsonl", 0).items()))
    moment = ["mine.viper", "viper.jsonl", "--step", step]
    letters = "".join(sorted(set(answer)))
    ran = referee.ok("program", "test", *moment, "--pin", f"must={letters}", err="")
    added, line = ran.out.splitlines()
    assert added == "mine.tests.toml: added a test, which now gives"
    assert line.startswith(f"pass  1: must go {' or '.join(letters)}: goes ")
    assert line.endswith(f" [viper.jsonl, step {step}]")
    (saved / "viper.jsonl").unlink()
    ran = referee("program", "test", "mine.viper")
    assert (ran.code, ran.out.splitlines(), ran.err) == (0, [line, "1 of 1 test passed"], "")
    report = referee.json("program", "test", "mine.viper")
    assert (report["file"], report["tests"][0]["verdict"]) == ("mine.tests.toml", "pass")


def test_a_test_that_fails_gives_exit_code_1(referee, saved):
    shutil.copy(TAIPAN, saved / "mine.viper")
    step = next(iter(moves_of(saved / "viper.jsonl", 3)))
    words = ["mine.viper", "viper.jsonl", "--step", step, "--seat", "4", "--pin", "must_not=ULDR", "--pin", "chart=99"]
    report = referee.json("program", "test", *words)
    [test] = report["tests"]
    assert (test["verdict"], test["demand"]) == ("fail", "must not go U or L or D or R, scheme 99 must decide")
    ran = referee("program", "test", "mine.viper")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.endswith("\n0 of 1 test passed\n")
    assert ran.out.startswith("fail  1: must not go U or L or D or R, scheme 99 must decide: goes ")


def test_texts_of_tests_are_escaped(referee, tmp_path):
    shutil.copy(TAIPAN, tmp_path / "mine.viper")
    text = '[[test]]\nmust = "L"\nnote = "[bold]ж"\n[test.position]\n"\\u001b[31m" = 1\n'
    (tmp_path / "mine.tests.toml").write_text(text)
    ran = referee("program", "test", "mine.viper", code=1)
    assert "\x1b" not in ran.out
    assert ran.out.startswith("wrong 1: must go L: position: ")
    assert "[[bold]ж]" in ran.out


@pytest.mark.parametrize(("words", "says"), [
    ([], "there is no mine.tests.toml, so mine.viper has no test positions: keep one with "),
    (["viper.jsonl"], "say which step with --step; without a saved game, the test positions are run"),
    (["--pin", "must=L"], "say which step with --step"),
    (["viper.jsonl", "--step", 9, "--pin", "must"], "--pin must: write must=LU, must_not=L or chart=2, each once"),
    (["viper.jsonl", "--step", 9, "--pin", "turn=L"], "--pin turn=L: write must=LU, must_not=L or chart=2"),
    (["viper.jsonl", "--step", 9, "--pin", "must=U", "--pin", "must=L"], "--pin must=L: write must=LU"),
    (["viper.jsonl", "--step", 9, "--pin", "chart=x"], "--pin: chart: must be a whole number"),
])  # fmt: skip
def test_what_cannot_be_run_or_pinned_is_a_usage_error(referee, saved, words, says):
    shutil.copy(TAIPAN, saved / "mine.viper")
    assert referee.refused("program", "test", "mine.viper", *words).startswith(says)
    assert not (saved / "mine.tests.toml").exists()


def test_nothing_is_kept_beside_a_sample(referee, saved):
    refusal = referee.refused("program", "test", "taipan", "viper.jsonl", "--step", "9", "--pin", "must=U")
    assert refusal == f"{TAIPAN} is a sample of the referee: copy it, and keep test positions of the copy"
    assert not TAIPAN.with_suffix(".tests.toml").exists()
